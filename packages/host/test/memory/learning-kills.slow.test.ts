/** Processes that learn and tidy up are killed, or meet: memory is as before or as after, and only one tidies up. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { openMemoryStore } from "@kedge/memory/topics";
import { createSeededRandom, type MockRequest, type MockTurn, rounds } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { type LearningSite, openLearningSite, topicFile } from "./learning-site.ts";

let site: LearningSite;
const started: ChildProcess[] = [];

afterEach(async () => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
  await site.remove();
});

const settings = { memory: { extract: "on" }, background: { maxUsd: 1_000, maxShare: 1_000 } };

function start(mode: "learn" | "dream"): ChildProcess {
  const directory = dirname(site.project);
  const script = join(import.meta.dirname, "learning-process.ts");
  const child = spawn(process.execPath, [script, mode, site.project, directory, join(directory, "home")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  started.push(child);
  return child;
}

/** Resolves with the next line that it prints. */
function lineOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("the process has no output");
  const lines = createInterface({ input: stdout });
  return new Promise((resolve) => {
    lines.once("line", (line) => {
      lines.close();
      resolve(line);
    });
  });
}

const write = (slug: string, body: string) => ({
  name: "write",
  input: { filePath: join(site.memory, `${slug}.md`), content: topicFile(slug, body, "Order of words") },
});

const orders = ["Alpha then beta.", "Beta then alpha."] as const;

/** Two topics that only change together, and two new ones in every search. */
function learningModel(): (request: MockRequest, nth: number) => MockTurn {
  let searches = 0;
  let swaps = 0;
  return ({ raw }) => {
    const text = raw.toString();
    // The worker has written already.
    if (/is drafted/.test(text)) return { text: "done" };
    if (text.includes("Tidy up the topics")) {
      swaps += 1;
      const body = orders[swaps % 2] ?? "";
      return { toolCalls: [write("first", body), write("second", body)] };
    }
    searches += 1;
    const bodies = ["one", "other"].map(
      (half) => [`pair-${searches}-${half}`, `Fact ${searches} of ${half}.`] as const,
    );
    return { toolCalls: bodies.map(([slug, body]) => write(slug, body)) };
  };
}

/** What the process was at when it sent this, and until it sends another one. */
function phaseOf(request: MockRequest | undefined): "search" | "dream" | undefined {
  const text = request?.raw.toString() ?? "";
  if (text.includes("Tidy up the topics")) return "dream";
  return text.includes("You are now a worker on the memory") ? "search" : undefined;
}

test("a process that is killed while it learns leaves memory old or new, never mixed", async () => {
  const random = createSeededRandom();
  site = await openLearningSite({ settings, aside: learningModel() });
  site.topic("first", orders[0], { description: "Order of words" });
  site.topic("second", orders[0], { description: "Order of words" });
  const wanted = rounds({ usual: 3, long: 100 });
  const kills = { search: 0, dream: 0 };
  const isDone = () => learned > 0 && kills.search >= wanted && kills.dream >= wanted;
  let learned = 0;
  // Until something was learned at all, because every kill may come too early for that.
  for (let round = 0; !isDone(); round++) {
    const child = start("learn");
    await lineOf(child);
    // At a random place of its work: after so many requests, and somewhere in what follows them.
    await site.model.waitForRequest(site.model.requests.length + random.below(10) + 1);
    const place = random.below(3_000);
    for (let turn = 0; turn < place; turn++) await new Promise((resolve) => setImmediate(resolve));
    const phase = phaseOf(site.model.requests.at(-1));
    child.kill("SIGKILL");
    await once(child, "exit");
    if (phase !== undefined) kills[phase] += 1;
    const store = openMemoryStore({
      ...{ directory: site.memory, now: Date.now, newToken: () => `t${round}`, redact: (text) => text },
      acceptInferred: false,
    });
    const { topics } = await store.read();
    const bodyOf = (slug: string) =>
      topics.find(({ topic, place }) => topic.slug === slug && place === "active")?.topic.body;
    expect(orders).toContain(bodyOf("first"));
    expect(bodyOf("second")).toBe(bodyOf("first"));
    const waiting = topics.filter(({ place }) => place === "inbox").map(({ topic }) => topic.slug);
    const halves = waiting.filter((slug) => slug.endsWith("-one"));
    expect(waiting.filter((slug) => slug.endsWith("-other"))).toEqual(
      halves.map((slug) => slug.replace("-one", "-other")),
    );
    // Nothing inferred counts, whenever the process died.
    expect(topics.filter(({ topic, place }) => place === "active" && topic.slug.startsWith("pair-"))).toEqual([]);
    learned = halves.length;
    expect(readFileSync(join(site.memory, "MEMORY.md"), "utf8")).not.toContain("pair-");
  }
}, 1_800_000);

test("an exit gives a search that never ends a few seconds, and the same part is searched again later", async () => {
  const never = new Promise<void>(() => {});
  let calls = 0;
  site = await openLearningSite({
    settings,
    aside: () => (calls++ === 0 ? { text: "done", holdUntil: never } : { text: "done" }),
  });
  const first = await site.open();
  const sessionId = await site.session(first);
  await site.prompt(first, sessionId, "One.");
  await expect.poll(() => site.asides().length).toBe(1);
  await first.close();
  expect((await site.facts(first, sessionId)).map(({ type }) => type)).not.toContain("memory.extracted");
  const second = await site.open();
  await second.door.send<"session.resume">({ type: "session.resume", sessionId });
  await site.prompt(second, sessionId, "Two.");
  await second.close();
  expect(site.asides().at(-1)?.raw.toString()).toContain("One.");
  expect((await site.facts(second, sessionId)).at(-1)).toMatchObject({ type: "memory.extracted", outcome: "searched" });
});

test("of two processes that tidy up at once, one does", async () => {
  const held = Promise.withResolvers<void>();
  site = await openLearningSite({
    settings: { ...settings, memory: { extract: "off", consolidate: false } },
    aside: () => ({ text: "done", holdUntil: held.promise }),
  });
  site.topic("first", orders[0]);
  const [one, other] = [start("dream"), start("dream")];
  await Promise.all([lineOf(one), lineOf(other)]);
  const answers = [one, other].map(lineOf);
  for (const child of [one, other]) child.stdin?.write("go\n");
  // Whoever was too late says so while the other still works.
  const first = await Promise.race(answers);
  held.resolve();
  expect(first).toBe("Another kedge process is consolidating this memory. Try again later.");
  expect((await Promise.all(answers)).toSorted()).toEqual([first, "Orient       1 topic"]);
  expect(site.asides()).toHaveLength(1);
});

test("a process that dies while it tidies up does not keep others from it", async () => {
  const never = new Promise<void>(() => {});
  let calls = 0;
  site = await openLearningSite({
    settings: { ...settings, memory: { extract: "off", consolidate: false } },
    aside: () => (calls++ === 0 ? { text: "done", holdUntil: never } : { text: "done" }),
  });
  site.topic("first", orders[0]);
  const dying = start("dream");
  await lineOf(dying);
  dying.stdin?.write("go\n");
  await expect.poll(() => site.asides().length).toBe(1);
  dying.kill("SIGKILL");
  await once(dying, "exit");
  const later = start("dream");
  await lineOf(later);
  const answer = lineOf(later);
  later.stdin?.write("go\n");
  expect(await answer).toBe("Orient       1 topic");
});
