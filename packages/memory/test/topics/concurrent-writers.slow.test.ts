/** Several processes write one memory directory: nothing is lost, and a killed one leaves the old or the new state. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, rounds } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Contents } from "../../src/topics/index.ts";
import { type MemorySite, openMemorySite } from "./memory-site.ts";

let site: MemorySite;
beforeEach(() => {
  site = openMemorySite();
});
afterEach(() => site.remove());

function start(name: string, count: number, mask?: string): ChildProcess {
  const words = [site.directory, name, `${count}`, ...(mask === undefined ? [] : [mask])];
  return spawn(process.execPath, [join(import.meta.dirname, "save-facts.ts"), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

test("ten processes write at once, and nothing is lost", async () => {
  const each = 4;
  const writers = Array.from({ length: 10 }, (_, index) => start(`writer${index}`, each));
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, "exit"))[0]));
  expect(codes).toEqual(writers.map(() => 0));
  const { topics, index = "" } = await site.open().read();
  expect(topics).toHaveLength(10 * each);
  for (let number = 0; number < 10; number++) {
    expect(index).toContain(`(writer${number}-${each}.md)`);
    expect(statusOf({ topics }, `writer${number}-1`)).toBe("superseded");
  }
});

test.each(["0777", "0000"])("everything is private with umask %s", async (mask) => {
  const [code] = await once(start("writer", 2, mask), "exit");
  expect(code).toBe(0);
  const modes = [
    ".",
    ".store",
    "writer-1.md",
    "MEMORY.md",
    "INDEX.full.md",
    ".store/ledger.json",
    ".store/undo-1.json",
  ];
  expect(modes.map((path) => statSync(join(site.directory, path)).mode & 0o777)).toEqual([
    0o700, 0o700, 0o600, 0o600, 0o600, 0o600, 0o600,
  ]);
});

test("a writer that is killed leaves the directory old or new, never mixed", async () => {
  const random = createSeededRandom();
  for (let round = 0; round < rounds({ usual: 10, long: 100 }); round++) {
    const name = `round${round}`;
    const writer = start(name, 1_000);
    const said: string[] = [];
    writer.stdout?.on("data", (chunk: Buffer) => said.push(...chunk.toString().trim().split("\n")));
    await once(writer.stdout ?? writer, "data");
    // At a random place of its work, whatever that is doing.
    const place = random.below(2_000);
    for (let turn = 0; turn < place; turn++) await new Promise((resolve) => setImmediate(resolve));
    writer.kill("SIGKILL");
    await once(writer, "exit");
    const contents = await site.open().read();
    checkWhole(contents, name, said.length);
    // The next change carries out what was decided, and then the files themselves are whole.
    await site.open().save({ name, description: name, type: "reference", body: name }, { origin: "user-stated" });
    const after = await site.open().read();
    checkWhole(after, name, said.length);
    expect(existsSync(join(site.directory, ".store/pending.json"))).toBe(false);
    for (const { path, text } of after.topics) expect(readFileSync(join(site.directory, path), "utf8")).toBe(text);
    expect(site.names().filter((file) => file.endsWith(".tmp"))).toEqual([]);
  }
});

/** Every fact but the newest is superseded by the one after it; the index names exactly those that count. */
function checkWhole({ topics, index = "", unreadable }: Contents, name: string, saidCount: number): void {
  const numbers = topics
    .map(({ topic }) => topic.slug)
    .filter((slug) => slug.startsWith(`${name}-`))
    .map((slug) => Number(slug.slice(name.length + 1)))
    .sort((one, other) => one - other);
  const newest = numbers.at(-1) ?? 0;
  expect(unreadable).toEqual([]);
  expect(numbers).toEqual(Array.from({ length: newest }, (_, at) => at + 1));
  expect(newest).toBeGreaterThanOrEqual(saidCount);
  for (let number = 1; number < newest - 1; number++)
    expect(statusOf({ topics }, `${name}-${number}`)).toBe("superseded");
  for (const { topic } of topics) {
    const isListed = index.includes(`(${topic.slug}.md)`);
    expect([topic.slug, isListed]).toEqual([topic.slug, topic.status !== "superseded"]);
  }
}

function statusOf({ topics }: Pick<Contents, "topics">, slug: string): string | undefined {
  return topics.find(({ topic }) => topic.slug === slug)?.topic.status;
}
