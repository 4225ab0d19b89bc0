/** Several kedge processes write one memory, some of them killed in the middle: nothing that was said to be saved is lost or mixed up. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, type MockTurn, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ended, openWorkbench, type Workbench } from "../workbench.ts";

const random = createSeededRandom();
beforeEach(({ task }) => random.restart(task.name));

let bench: Workbench;
afterEach(() => bench.close());

const topic = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: About ${name}\ntype: reference\n---\n\n${body}\n`;

const topicFiles = (directory: string) => readdirSync(directory).filter((name) => /^[a-z].*\.md$/.test(name));

async function errorsOf(): Promise<readonly unknown[]> {
  const { stdout } = await bench.run(["memory", "lint", "--json"]);
  const { findings } = JSON.parse(stdout) as {
    readonly findings: readonly { readonly severity: string }[];
  };
  return findings.filter(({ severity }) => severity === "error");
}

test("ten processes save at once, and nothing is lost", async () => {
  bench = await openWorkbench([]);
  const directory = (await bench.run(["memory", "path"])).stdout.trim();
  const names = [
    "harbour",
    "lantern",
    "meadow",
    "copper",
    "violin",
    "saddle",
    "walnut",
    "glacier",
    "compass",
    "feather",
  ];
  const told = await Promise.all(
    names.map((name) => bench.run(["memory", "add", `The ${name} team sits in room ${name}-1`])),
  );
  expect(told.map(({ code }) => code)).toEqual(names.map(() => 0));
  const saved = told.map(({ stdout }) => /Saved: (\S+\.md)/.exec(stdout)?.[1] ?? stdout);
  expect(topicFiles(directory).toSorted()).toEqual(saved.toSorted());
  const index = readFileSync(join(directory, "MEMORY.md"), "utf8");
  expect(saved.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});

test("a process that is killed while it saves leaves the old or the new state, and what it told stays", async () => {
  const count = 30;
  let fatal = count;
  let kill: () => void = () => {};
  let directory = "";
  let round = 0;
  let isOver = false;
  bench = await openWorkbench((_, index): MockTurn => {
    const at = index % (count + 1);
    if (isOver) return { text: "Done." };
    if (at === fatal) kill();
    const content = topic(`Fact ${round} ${at}`, `Fact ${round}-${at} is about ${"xyz".repeat(300)}${round}-${at}.`);
    return { toolCalls: [{ name: "write", input: { filePath: join(directory, `fact-${round}-${at}.md`), content } }] };
  });
  directory = (await bench.run(["memory", "path"])).stdout.trim();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "MEMORY.md"), "# Memory\n\nNo topics yet.\n");
  for (round = 0; round < rounds({ usual: 8, long: 100 }); round += 1) {
    fatal = 1 + random.below(6);
    const before = bench.model.requests.length;
    const child = bench.start(["-p", "Remember all of it"]);
    child.stdin.end();
    kill = () => {
      // Somewhere in the write that the answer to this request asks for.
      let left = random.below(40_000);
      const wait = () => (left-- > 0 ? setImmediate(wait) : child.kill("SIGKILL"));
      wait();
    };
    await ended(child);
    const asked = bench.model.requests.length - before;
    // What the model was told to be saved, is.
    for (let at = 0; at < asked - 1; at += 1)
      expect(
        existsSync(join(directory, `fact-${round}-${at}.md`)),
        `seed ${random.seed} round ${round} fact ${at}`,
      ).toBe(true);
    const { code, stdout } = await bench.run([
      "memory",
      "add",
      `Round number ${round} went well in ${"abcdefgh"[round % 8]}${round}`,
    ]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Saved/)]);
    expect(await errorsOf(), `seed ${random.seed} round ${round}`).toEqual([]);
    const index = readFileSync(join(directory, "INDEX.full.md"), "utf8");
    expect(topicFiles(directory).filter((name) => !index.includes(`(${name})`))).toEqual([]);
    // Numbers of requests start again, so that the script knows where the next process stands.
    while (bench.model.requests.length % (count + 1) !== 0) (bench.model.requests as unknown[]).push({});
  }
  isOver = true;
  // Whoever starts next clears away what a killed process had not renamed yet.
  await bench.run(["-p", "hi"]);
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  expect(names.filter((name) => name.endsWith(".tmp"))).toEqual([]);
}, 1_800_000);
