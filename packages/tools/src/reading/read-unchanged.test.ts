// Proves that what the model still sees is not sent twice, and that nothing else is ever held back.
import type { ToolContext } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../test/workshop.ts";
import { hashContent } from "../file-content.ts";
import { createReadTool, type ReadInput } from "./read.ts";

let workshop: Workshop;
let read: (input: ReadInput | string, change?: Partial<ToolContext>) => Promise<string>;
/** The calls whose results the model no longer sees. */
let gone: Set<string>;

beforeEach(() => {
  workshop = openWorkshop();
  gone = new Set();
  const tool = createReadTool();
  read = async (input, change = {}) => {
    const context = { ...workshop.newContext(), isShown: (callId: string) => !gone.has(callId), ...change };
    return (await tool.run(typeof input === "string" ? { filePath: input } : input, context)).output;
  };
});
afterEach(() => workshop.close());

const lines = (count: number, text = "line") =>
  Array.from({ length: count }, (_, index) => `${text} number ${index + 1}\n`).join("");
const note = (range: string, name = "a.txt") =>
  `Unchanged since you last read lines ${range} of ${name}: that result still holds. To have the text again, read ${name}:raw:${range.replace(" ", "")}.`;

test("the same lines of the same content are told to be unchanged, and raw shows them", async () => {
  const path = workshop.put("a.txt", lines(40));
  const whole = await read("a.txt");
  expect(whole).toMatch(/\(lines 1-40 of 40\)$/);
  const tool = createReadTool();
  await tool.run({ filePath: "a.txt" }, workshop.newContext());
  expect(await tool.run({ filePath: "a.txt" }, workshop.newContext())).toEqual({
    output: note("1-40"),
    title: "a.txt",
    metadata: { firstLine: 1, lastLine: 40, totalLines: 40, isUnchanged: true },
  });
  expect([await read("a.txt"), await read({ filePath: "a.txt", offset: 1, limit: 40 })]).toEqual([
    note("1-40"),
    note("1-40"),
  ]);
  expect(await read("a.txt:raw:1-40")).toBe(lines(40));
  expect(await read("a.txt:raw")).toBe(lines(40));
  expect(workshop.files.known(path)).toBe(hashContent(lines(40)));
});

test("other lines are shown, and each range is remembered by itself", async () => {
  workshop.put("a.txt", lines(60));
  await read("a.txt:1-20,40-50");
  expect(await read("a.txt:2-20")).toMatch(/^1\|line number 1\n/);
  expect(await read({ filePath: "a.txt", offset: 30 })).toMatch(/^30\|line number 30\n/);
  expect(await read("a.txt:1-20,40-50")).toBe(note("1-23, 39-53"));
  expect(await read({ filePath: "a.txt", offset: 30 })).toBe(note("30-60"));
});

test("a result that the model does not see any more is given again, and counts from then on", async () => {
  workshop.put("a.txt", lines(40));
  const full = await read("a.txt", { callId: "first" });
  gone.add("first");
  expect(await read("a.txt", { callId: "second" })).toBe(full);
  expect(await read("a.txt", { callId: "third" })).toBe(note("1-40"));
  gone.add("third");
  expect(await read("a.txt")).toBe(note("1-40"));
  gone.add("second");
  expect(await read("a.txt")).toBe(full);
});

test("changed content is shown; so is old content that came back behind an edit", async () => {
  const path = workshop.put("a.txt", lines(40));
  const full = await read("a.txt");
  workshop.put("a.txt", lines(40, "other"));
  expect(await read("a.txt")).toMatch(/^1\|other number 1\n/);
  workshop.put("a.txt", lines(40));
  expect(await read("a.txt")).toBe(full);
  // An edit tells the file state what the model now believes to be there.
  workshop.files.remember(path, hashContent("what an edit made"));
  expect(await read("a.txt")).toBe(full);
});

test("a note that would be longer than the text, and what is no plain text, are never given", async () => {
  workshop.put("short.txt", "one\ntwo\n");
  workshop.put("empty.txt", "");
  workshop.put("dir/a", lines(40));
  const cells = [{ cell_type: "code", source: lines(40), outputs: [] }];
  workshop.put("book.ipynb", JSON.stringify({ cells }));
  const artifact = workshop.artifacts.create("test");
  artifact.write(lines(40));
  artifact.close();
  for (const target of ["short.txt", "empty.txt", "dir", "book.ipynb", "artifact://0"])
    expect(await read(target), target).toBe(await read(target));
});

test("a large file is compared as a whole although only its window is kept", async () => {
  workshop.put("a.txt", lines(30_000));
  await read({ filePath: "a.txt", limit: 50 });
  expect(await read({ filePath: "a.txt", limit: 50 })).toBe(note("1-50"));
  workshop.put("a.txt", `${lines(30_000)}one more\n`);
  expect(await read({ filePath: "a.txt", limit: 50 })).toMatch(/^1\|line number 1\n/);
});

test("two sessions do not know of each other's reads", async () => {
  workshop.put("a.txt", lines(40));
  const full = await read("a.txt");
  const other = createReadTool();
  expect((await other.run({ filePath: "a.txt" }, workshop.newContext())).output).toBe(full);
});

test("among random reads, edits and forgetting, a note is only given for text that the model can see", async () => {
  const random = createSeededRandom();
  const contents = [lines(30), lines(30, "other"), lines(31)];
  const anyContent = () => contents[random.below(contents.length)] ?? "";
  /** Which content, and from which line on, the results of the calls show. */
  const seen = new Map<string, string>();
  let content = anyContent();
  let notes = 0;
  for (let step = 0; step < 400; step += 1) {
    if (random.below(5) === 0) content = anyContent();
    workshop.put("a.txt", content);
    if (random.below(5) === 0) for (const callId of seen.keys()) if (random.below(2) === 0) gone.add(callId);
    const offset = 1 + random.below(3);
    const output = await read({ filePath: "a.txt", offset, limit: 25 }, { callId: `call-${step}` });
    const shows = `${hashContent(content)} ${offset}`;
    const seed = `seed ${random.seed}, step ${step}`;
    if (output.startsWith("Unchanged")) {
      notes += 1;
      expect(
        [...seen].some(([callId, shown]) => shown === shows && !gone.has(callId)),
        seed,
      ).toBe(true);
    } else {
      expect(output, seed).toContain(`${offset}|${content.split("\n")[offset - 1]}\n`);
      seen.set(`call-${step}`, shows);
    }
  }
  expect(notes, `seed ${random.seed}`).toBeGreaterThan(50);
});
