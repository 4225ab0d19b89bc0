/** Proves that notes add up to what the fold knows, and that spans of any session nest and end. */
import { applyRecord, emptySession, type Fact, noUsage, runWithoutSteps } from "@kedge/protocol";
import { createSeededRandom, randomSession, recordsOf } from "@kedge/testing";
import { expect, test } from "vitest";
import { createNoteFacts } from "./note-facts.ts";
import type { TelemetryNote } from "./telemetry-note.ts";

const rounds = 150;
const toolNames = () => ["read", "bash"];

function notesOf(facts: readonly Fact[]): readonly TelemetryNote[] {
  const noteFacts = createNoteFacts({ toolNames });
  return recordsOf(facts).flatMap(noteFacts);
}

const sumOf = (notes: readonly TelemetryNote[], counter: string, type?: string) =>
  notes.reduce((sum, note) => {
    const isMeant = note.kind === "counted" && note.counter === counter;
    return isMeant && (type === undefined || note.attributes["type"] === type) ? sum + note.value : sum;
  }, 0);

test("the sums of any session are those of its fold", () => {
  const random = createSeededRandom();
  for (let round = 0; round < rounds; round += 1) {
    const facts = randomSession(random, { steps: 1 + random.below(25) });
    const records = recordsOf(facts);
    const state = emptySession(records[0]?.sessionId ?? "");
    for (const record of records) applyRecord(state, record);
    const notes = notesOf(facts);
    const where = `seed ${random.seed}, round ${round}`;
    const { webSearches: _, ...usage } = state.usage;
    expect(
      {
        input: sumOf(notes, "kedge.tokens", "input"),
        output: sumOf(notes, "kedge.tokens", "output"),
        reasoning: sumOf(notes, "kedge.tokens", "reasoning"),
        cacheRead: sumOf(notes, "kedge.tokens", "cache_read"),
        cacheWrite: sumOf(notes, "kedge.tokens", "cache_write"),
      },
      where,
    ).toEqual(usage);
    expect(sumOf(notes, "kedge.cost.usd"), where).toBeCloseTo(state.cost.usd, 9);
    const calls = facts.filter(({ type }) => type === "tool.ended").length;
    expect(sumOf(notes, "kedge.tool.calls"), where).toBe(calls);
  }
});

test("spans of any session begin inside one that is open, and end", () => {
  const random = createSeededRandom();
  let spans = 0;
  for (let round = 0; round < rounds; round += 1) {
    const facts = randomSession(random, { steps: 1 + random.below(25) });
    const where = `seed ${random.seed}, round ${round}`;
    const open = new Map<string, number>();
    for (const note of notesOf(facts)) {
      if (note.kind === "span.started") {
        // A run that was ended may be taken up again under its id, as a trace of its own.
        expect(open.has(note.key), `${where}: ${note.key} again`).toBe(false);
        if (note.parentKey !== undefined) expect(open.has(note.parentKey), `${where}: ${note.key}`).toBe(true);
        open.set(note.key, note.time);
      }
      if (note.kind === "span.ended") {
        expect(note.time, where).toBeGreaterThanOrEqual(open.get(note.key) ?? Number.POSITIVE_INFINITY);
        open.delete(note.key);
        spans += 1;
      }
    }
    // One run may be under way at the end, with what is open in it.
    const roots = [...open.keys()].filter((key) => key.startsWith("ses"));
    expect(roots.length, where).toBeLessThanOrEqual(1);
    if (roots.length === 0) expect([...open.keys()], where).toEqual([]);
  }
  expect(spans).toBeGreaterThan(rounds);
});

const created: Fact = {
  type: "session.created",
  directory: "/work",
  projectId: "p",
  model: "m/one",
  mode: "default",
  kedgeVersion: "0",
  boot: "b",
};

const admitted = (runId: string, delivery: "steer" | "follow-up" = "steer"): Fact => ({
  type: "prompt.admitted",
  promptId: `prm_${runId}`,
  runId,
  delivery,
  text: "go",
});

const step = (runId: string): readonly Fact[] => [
  {
    type: "step.started",
    stepId: `stp_${runId}`,
    runId,
    turn: 1,
    source: "main",
    model: "google/gemini",
    requestId: "req",
    prompts: [],
    reminders: [],
  },
  {
    type: "step.ended",
    stepId: `stp_${runId}`,
    outcome: "failed",
    content: [],
    usage: noUsage,
    cost: { usd: 0, estimated: false },
    failure: { code: "rate_limit", message: "A sentence with words of the vendor.", retryable: true },
    durationMs: 1,
  },
];

const over = (runId: string): Fact => ({ type: "run.ended", runId, ...runWithoutSteps("completed", "Done.") });

const spansIn = (facts: readonly Fact[]) =>
  notesOf(facts).flatMap((note) =>
    note.kind === "span.started" || note.kind === "span.ended" ? [`${note.kind} ${note.key} ${note.time}`] : [],
  );

test("a prompt that waits begins its trace with its first step", () => {
  const facts = [created, admitted("r1"), admitted("r2", "follow-up"), over("r1"), ...step("r2"), over("r2")];
  const session = recordsOf(facts)[0]?.sessionId;
  expect(spansIn(facts)).toEqual([
    `span.started ${session} r1 1010`,
    `span.ended ${session} r1 1030`,
    `span.started ${session} r2 1040`,
    "span.started stp_r2 1040",
    "span.ended stp_r2 1050",
    `span.ended ${session} r2 1060`,
  ]);
});

test("a failed call is told by its class alone, under the name that the conventions have for the vendor", () => {
  const notes = notesOf([created, ...step("r1")]);
  expect(JSON.stringify(notes)).not.toContain("sentence");
  expect(notes.find((note) => note.kind === "span.ended")).toMatchObject({
    attributes: { "error.type": "rate_limit" },
    isError: true,
  });
  expect(notes.find((note) => note.kind === "span.started" && note.spanKind === "client")).toMatchObject({
    name: "chat gemini",
    attributes: { "gen_ai.provider.name": "gcp.gemini", "gen_ai.request.model": "gemini" },
  });
});

test("the end of a run that an earlier process left behind makes no trace", () => {
  expect(spansIn([{ type: "session.resumed", boot: "b", mode: "default" }, over("r0")])).toEqual([]);
});

test.each(["fork", "import", "replay"] as const)("what a session brought along by %s was told elsewhere", (kind) => {
  const copy: Fact = { ...created, origin: { kind, sessionId: "ses_other" } };
  const facts = [copy, admitted("r1"), ...step("r1"), over("r1")];
  expect(notesOf(facts)).toEqual([]);
  const resumed: Fact = { type: "session.resumed", boot: "b", mode: "default" };
  expect(notesOf([...facts, resumed, ...step("r2")]).length).toBeGreaterThan(0);
});
