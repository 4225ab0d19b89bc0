/** Records from files: an export of an earlier kedge stays replayable, and whatever was changed in one is named. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fact } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkSession, createReplayTools, openSessionUntil, readRecord } from "../../src/replay/index.ts";
import { settings } from "./recording.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const exported = readFileSync(join(fixtures, "recorded-export.json"), "utf8");

let temporaryDirectory = "";
beforeEach(() => {
  temporaryDirectory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-read-record-")));
});
afterEach(() => rmSync(temporaryDirectory, { recursive: true, force: true }));

const parts = () => ({
  temporaryDirectory,
  newTools: (place: Parameters<typeof createReplayTools>[1]) =>
    createReplayTools({ settings, environment: () => ({}) }, place),
});

function readWell(file: string) {
  const read = readRecord(file);
  if (!read.ok) throw new Error(read.sentence);
  return read;
}

test("recorded exports run as they did", async () => {
  const read = readWell(exported);
  expect(read.damage).toBeUndefined();
  expect(await checkSession(read.records, parts())).toEqual({
    sessionId: "ses_1",
    records: read.records.length,
    requestsCompared: 7,
    outcomesRunAgain: 5,
    outcomesFromRecord: 3,
  });
  expect(readdirSync(temporaryDirectory)).toEqual([]);
});

const kinds = readFileSync(join(fixtures, "recorded-kinds.json"), "utf8");

test("a recorded export with a wanted form, a tool that was not offered, an undo, a summary after an overflow and an interruption", async () => {
  const read = readWell(kinds);
  expect(read.damage).toBeUndefined();
  expect(await checkSession(read.records, parts())).toEqual({
    sessionId: "ses_1",
    records: read.records.length,
    requestsCompared: 10,
    outcomesRunAgain: 2,
    outcomesFromRecord: 2,
  });
});

const forked = readFileSync(join(fixtures, "recorded-fork.json"), "utf8");

test("a recorded fork with undo and redo, a summary, a steered prompt, a refusal, an interruption, a form and a larger window", async () => {
  const { records, damage } = readWell(forked);
  expect(damage).toBeUndefined();
  const has = (members: Readonly<Record<string, unknown>>) =>
    records.some(({ fact }) => Object.entries(members).every(([name, value]) => Reflect.get(fact, name) === value));
  const holds = [
    records[0]?.fact.type === "session.created" && records[0].fact.origin?.kind === "fork",
    has({ type: "session.reverted" }) && has({ type: "session.unreverted" }),
    has({ type: "context.compacted", trigger: "manual" }),
    records.some(({ fact }) => fact.type === "step.started" && fact.prompts.some(({ form }) => form === "steer")),
    has({ type: "tool.ended", tool: "deploy", outcome: "refused" }),
    has({ type: "run.ended", reason: "aborted" }),
    records.some(({ fact }) => fact.type === "run.ended" && fact.structured !== undefined),
    has({ type: "step.started", model: "mock/large" }),
  ];
  expect(holds).toEqual(holds.map(() => true));
  expect(await checkSession(records, parts())).toEqual({
    sessionId: "ses_2",
    records: records.length,
    requestsCompared: 12,
    outcomesRunAgain: 3,
    outcomesFromRecord: 3,
  });
});

test.each([
  {
    what: "an outcome",
    file: kinds,
    kind: "tool",
    change: (fact: Fact): Fact =>
      fact.type === "tool.ended" && fact.callId === "c2" ? { ...fact, output: `${fact.output}.` } : fact,
    at: (fact: Fact) => fact.type === "tool.ended" && fact.callId === "c2",
  },
  {
    what: "a request: a prompt in another form",
    file: kinds,
    kind: "step",
    change: (fact: Fact): Fact =>
      fact.type === "step.started" && fact.stepId === "stp_5"
        ? { ...fact, prompts: [{ promptId: "prm_1", form: "steer" }] }
        : fact,
    at: (fact: Fact) => fact.type === "step.started" && fact.stepId === "stp_5",
  },
  {
    what: "an undo: of another prompt",
    file: kinds,
    kind: "run",
    change: (fact: Fact): Fact => (fact.type === "session.reverted" ? { ...fact, promptId: "prm_9" } : fact),
    at: (fact: Fact) => fact.type === "session.reverted",
  },
  {
    what: "a steered prompt, as if it had begun the run",
    file: forked,
    kind: "step",
    change: (fact: Fact): Fact =>
      fact.type === "step.started"
        ? { ...fact, prompts: fact.prompts.map((each) => ({ ...each, form: "prompt" })) }
        : fact,
    at: (fact: Fact) => fact.type === "step.started" && fact.prompts.some(({ form }) => form === "steer"),
  },
  {
    what: "an outcome behind undo, redo, summary and larger window",
    file: forked,
    kind: "tool",
    change: (fact: Fact): Fact =>
      fact.type === "tool.ended" && fact.callId === "c6" ? { ...fact, output: `${fact.output}.` } : fact,
    at: (fact: Fact) => fact.type === "tool.ended" && fact.callId === "c6",
  },
  {
    what: "the answer to an interruption",
    file: forked,
    kind: "run",
    change: (fact: Fact): Fact =>
      fact.type === "step.ended" && fact.content.some((block) => block.type === "text" && block.text === "Here again.")
        ? { ...fact, content: [{ type: "text", text: "Gone again." }] }
        : fact,
    at: (fact: Fact) => fact.type === "run.ended" && fact.text === "Here again.",
  },
])("one change of $what in it is found where it is", async ({ file, kind, change, at }) => {
  const { records } = readWell(file);
  const changed = records.map((record) => ({ ...record, fact: change(record.fact) }));
  const { divergence } = await checkSession(changed, parts());
  expect([divergence?.kind, divergence?.seq]).toEqual([kind, records.find(({ fact }) => at(fact))?.seq]);
});

test("the facts as JSON lines, with a last line that was torn", () => {
  const { records } = readWell(exported);
  const lines = records.map((record) => JSON.stringify(record)).join("\n");
  expect(readWell(`${lines}\n{"sessionId":"se`)).toEqual({ ok: true, records, isRedacted: false });
  const changed = lines.replace('"mode":"bypass"', '"mode":"plan"');
  expect(readWell(changed).damage?.seq).toBe(1);
});

test.each([
  { what: "a prompt", type: "prompt.admitted", from: "What is here?", to: "What is hero?" },
  { what: "a tool outcome", type: "tool.ended", from: "hello", to: "hallo" },
  { what: "an answer", type: "step.ended", from: "There is a README.", to: "There is a README!" },
])("one byte changed in $what is found at its fact", ({ type, from, to }) => {
  const file = JSON.parse(exported) as {
    readonly facts: { type: string; seq: number; payload?: { content: string } }[];
  };
  const meant = file.facts.find((row) => row.type === type && row.payload?.content.includes(from));
  if (meant?.payload === undefined) throw new Error("nothing to change");
  meant.payload.content = meant.payload.content.replace(from, to);
  expect(readWell(JSON.stringify(file)).damage).toEqual({
    seq: meant.seq,
    kind: "record",
    what: "The record was changed after it was written: the content does not match its digest.",
    expected: "the record as written",
    got: "the content does not match its digest",
  });
});

test.each([
  { what: "no JSON", file: "hello", sentence: /Not a kedge export/ },
  { what: "other JSON", file: '{"a":1}', sentence: /Not a kedge export/ },
  { what: "nothing", file: "", sentence: /Not a kedge export/ },
  { what: "another version", file: exported.replace('"version":1', '"version":9'), sentence: /version 9/ },
  {
    what: "left out parts",
    file: exported.replace('"leftOut":[]', '"leftOut":["tool-output"]'),
    sentence: /omits some parts/,
  },
  { what: "a broken row", file: exported.replace('"seq":3', '"seq":"three"'), sentence: /Record 3 cannot be read/ },
])("$what is refused with a sentence", ({ file, sentence }) => {
  expect(readRecord(file)).toEqual({ ok: false, sentence: expect.stringMatching(sentence) });
});

test("a session that goes on from a fact, in a directory of its own", async () => {
  const { records } = readWell(exported);
  const store = createMemoryStore({ now: () => 1, randomBytes: (size) => new Uint8Array(size), isAlive: () => true });
  const until = records.findIndex(({ fact }) => fact.type === "run.ended") + 1;
  const opened = await openSessionUntil(records.slice(0, until), {
    store,
    kedgeVersion: "0.1.0",
    now: () => 1,
    temporaryDirectory,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  const copied = [];
  for await (const { fact } of store.read(opened.sessionId, 0)) copied.push(fact);
  expect(opened.hasFiles).toBe(false);
  expect(readdirSync(temporaryDirectory).map((name) => join(temporaryDirectory, name))).toEqual([opened.directory]);
  expect(copied[0]).toMatchObject({ directory: opened.directory, origin: { kind: "replay", sessionId: "ses_1" } });
  const prompts = copied.flatMap((fact) => (fact.type === "prompt.admitted" ? [fact.text] : []));
  expect(prompts).toEqual(["What is here?"]);
  expect(copied.at(-1)?.type).toBe("run.ended");
});
