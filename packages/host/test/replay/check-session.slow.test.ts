/** Recorded sessions run again to the same requests and outcomes, and every change is found where it is. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fact, FactRecord, ModelEvent } from "@kedge/protocol";
import { textAnswer, toolAnswer } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { checkSession } from "../../src/replay/index.ts";
import { type Recording, startRecording } from "./recording.ts";

let recording: Recording | undefined;
afterEach(async () => {
  await recording?.close();
  recording = undefined;
});

const call = (callId: string, tool: string, input: object) => ({ callId, tool, input });

test("reads, edits, searches and commands", async () => {
  recording = await startRecording({
    files: { "src/a.ts": "export const a = 1;\n", "src/b.ts": "export const b = 2;\n" },
    answers: [
      toolAnswer(call("c1", "read", { filePath: "src/a.ts" }), call("c2", "grep", { pattern: "export" })),
      toolAnswer(call("c3", "edit", { filePath: "src/a.ts", oldString: "a = 1", newString: "a = 10" })),
      toolAnswer(call("c4", "write", { filePath: "src/new.ts", content: "export {};\n" })),
      toolAnswer(call("c5", "bash", { command: "echo more >> src/b.ts; date +%N", description: "append" })),
      toolAnswer(call("c6", "read", { filePath: "src/b.ts" }), call("c7", "read", { filePath: "src/a.ts" })),
      textAnswer("Done."),
    ],
  });
  await recording.prompt("Change a.");
  const records = await recording.records();
  const report = await checkSession(records, recording.checkParts);
  expect(report).toEqual({
    sessionId: recording.sessionId,
    records: records.length,
    requestsCompared: 6,
    outcomesRunAgain: 6,
    outcomesFromRecord: 1,
  });
  expect(recording.leftovers()).toEqual([]);
});

type Counts = readonly [requests: number, again: number, fromRecord: number];

/** The whole report of a session that runs as it did. */
async function expectEqual(
  of: Recording,
  [requestsCompared, outcomesRunAgain, outcomesFromRecord]: Counts,
): Promise<void> {
  const records = await of.records();
  expect(await checkSession(records, of.checkParts)).toEqual({
    sessionId: of.sessionId,
    records: records.length,
    requestsCompared,
    outcomesRunAgain,
    outcomesFromRecord,
  });
  expect(of.leftovers()).toEqual([]);
}

test("what was said while the model answered and while a call ran", async () => {
  const answering = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  const done: ModelEvent = { type: "end", stopReason: "end", usage };
  recording = await startRecording({
    answers: [
      (): readonly (ModelEvent | Promise<unknown>)[] => {
        answering.resolve();
        return [{ type: "text-delta", text: "Let me see." }, heard.promise, ...toolAnswer(call("c1", "bash", waiting))];
      },
      [{ type: "text-delta", text: "Both heard." }, done],
      textAnswer("And the last."),
    ],
  });
  const first = await recording.submit("Begin.");
  await answering.promise;
  await recording.submit("Be short.");
  await recording.submit("Then stop.", "follow-up");
  heard.resolve();
  await recording.factSeen(({ fact }) => fact.type === "tool.started");
  await recording.submit("Shorter.");
  writeFileSync(join(recording.project, "go"), "");
  await recording.runEnded(first);
  await recording.factSeen(({ fact }) => fact.type === "run.ended" && fact.text === "And the last.");
  await expectEqual(recording, [3, 0, 1]);
});

test("messages that were taken one at a time, and prompts for later that shared a run", async () => {
  recording = await startRecording({
    answers: [toolAnswer(call("c1", "bash", waiting)), textAnswer("a"), textAnswer("b"), textAnswer("c")],
    parts: { conversation: { steeringMode: "one-at-a-time", followUpMode: "all" } },
  });
  await recording.submit("Begin.");
  await recording.factSeen(({ fact }) => fact.type === "tool.started");
  for (const text of ["One.", "Two."]) await recording.submit(text);
  for (const text of ["Three.", "Four."]) await recording.submit(text, "follow-up");
  writeFileSync(join(recording.project, "go"), "");
  await recording.factSeen(({ fact }) => fact.type === "run.ended" && fact.text === "c");
  const taken = (await recording.records()).flatMap(({ fact }) =>
    fact.type === "step.started" ? [fact.prompts.length] : [],
  );
  expect(taken).toEqual([1, 1, 1, 2]);
  await expectEqual(recording, [4, 0, 1]);
});

test("an answer and a call that were interrupted", async () => {
  const never = new Promise<never>(() => undefined);
  const answering = Promise.withResolvers<void>();
  recording = await startRecording({
    answers: [
      () => {
        answering.resolve();
        return [{ type: "text-delta", text: "I thi" }, never];
      },
      toolAnswer(call("c1", "todo_read", {}), call("c2", "bash", waiting), call("c3", "bash", waiting)),
      textAnswer("Fine."),
    ],
  });
  const first = await recording.submit("One.");
  await answering.promise;
  await recording.send<"turn.interrupt">({ type: "turn.interrupt" });
  await recording.runEnded(first);
  const second = await recording.submit("Two.");
  await recording.factSeen(({ fact }) => fact.type === "tool.started" && fact.callId === "c2");
  await recording.send<"turn.interrupt">({ type: "turn.interrupt" });
  await recording.runEnded(second);
  await recording.prompt("Three.");
  await expectEqual(recording, [3, 1, 2]);
});

test("refused calls, calls without sense, and a tool that nobody knows", async () => {
  recording = await startRecording({
    answers: [
      toolAnswer(call("c1", "edit", { filePath: "a.txt", oldString: "a", newString: "b" })),
      toolAnswer(
        call("c2", "read", { path: 7 }),
        call("c3", "teleport", {}),
        call("c4", "bash", { command: "rm -rf a" }),
      ),
      [{ type: "tool-call", call: { type: "tool-call", callId: "c5", tool: "read", inputText: "{no" } }, toolsEnd],
      textAnswer("Then not."),
    ],
    files: { "a.txt": "a\n" },
    parts: { rules: [{ source: "user", rules: [{ permission: "bash", pattern: "*", action: "deny" }] }] },
  });
  await recording.prompt("Try.");
  await expectEqual(recording, [4, 2, 3]);
});

test("undo, redo, another branch and a new process", async () => {
  recording = await startRecording({
    files: { "a.txt": "one\n" },
    answers: [
      toolAnswer(call("c1", "read", { filePath: "a.txt" })),
      toolAnswer(call("c2", "edit", { filePath: "a.txt", oldString: "one", newString: "two" })),
      textAnswer("Two."),
      toolAnswer(call("c3", "write", { filePath: "b.txt", content: "b\n" })),
      textAnswer("B."),
      textAnswer("Again."),
      toolAnswer(call("c4", "edit", { filePath: "a.txt", oldString: "two", newString: "three" })),
      textAnswer("Refused at first."),
      textAnswer("Branch."),
    ],
  });
  await recording.prompt("First.");
  await recording.prompt("Second.");
  await recording.send<"session.undo">({ type: "session.undo" });
  await recording.send<"session.undo">({ type: "session.undo" });
  await recording.send<"session.redo">({ type: "session.redo" });
  await recording.send<"session.undo">({ type: "session.undo", only: "files" });
  await recording.send<"session.redo">({ type: "session.redo" });
  await recording.send<"session.undo">({ type: "session.undo", only: "files" });
  await recording.prompt("Third.");
  await recording.restart();
  await recording.send<"model.change">({ type: "model.change", model: "mock/other" });
  await recording.prompt("Fourth.");
  const entry = (await recording.records()).find(({ fact }) => fact.type === "step.ended" && fact.stopReason === "end");
  if (entry?.fact.type !== "step.ended") throw new Error("no answer");
  await recording.send<"entry.label">({ type: "entry.label", entryId: entry.fact.stepId, label: "here" });
  await recording.send<"leaf.move">({ type: "leaf.move", entryId: entry.fact.stepId });
  await recording.prompt("Fifth.");
  await expectEqual(recording, [9, 3, 1]);
});

test("a checkpoint with work behind it and the way back", async () => {
  recording = await startRecording({
    files: { "a.txt": "one\n" },
    answers: [
      toolAnswer(call("c1", "todo_write", { todos: [{ content: "look", status: "pending", priority: "low" }] })),
      toolAnswer(call("c2", "checkpoint", { goal: "look around" })),
      toolAnswer(call("c3", "read", { filePath: "a.txt" })),
      toolAnswer(call("c4", "edit", { filePath: "a.txt", oldString: "one", newString: "two" })),
      textAnswer("I stop."),
      toolAnswer(call("c5", "rewind", { report: "It said one, and now says two, which is all there is to know." })),
      textAnswer("Two."),
    ],
  });
  await recording.prompt("Look.");
  const records = await recording.records();
  expect(records.map(({ fact }) => fact.type)).toContain("conversation.rewound");
  await expectEqual(recording, [7, 5, 0]);
});

test("answers that failed, broke off, were cut off, came from another model, or said nothing", async () => {
  const broken: ModelEvent = {
    type: "failed",
    failure: { code: "stale_connection", message: "gone", retryable: true },
  };
  const overload: ModelEvent = {
    type: "failed",
    failure: { code: "server_overload", message: "busy", retryable: true },
  };
  const retrying: ModelEvent = {
    type: "retrying",
    attempt: 1,
    delayMs: 5,
    failure: { code: "server_error", message: "oops", retryable: true },
  };
  recording = await startRecording({
    answers: [
      [{ type: "text-delta", text: "Half" }, broken],
      [retrying, { type: "text-delta", text: "Long" }, { type: "end", stopReason: "output-limit", usage }],
      [
        { type: "text-delta", text: "Long and lo" },
        { type: "end", stopReason: "output-limit", usage },
      ],
      textAnswer("nger."),
      [overload],
      [{ type: "end", stopReason: "end", usage }],
      [
        { type: "reasoning-delta", text: "hm" },
        { type: "block-end", block: "reasoning", signature: "s" },
        ...textAnswer("Yes."),
      ],
      [{ type: "failed", failure: { code: "unknown", message: "no", retryable: false } }],
      textAnswer("After all."),
    ],
  });
  await recording.prompt("One.");
  await recording.prompt("Two.", { fallbackModel: "mock/other" });
  await recording.prompt("Three.");
  await recording.prompt("Four.");
  await expectEqual(recording, [9, 0, 0]);
});

test("limits, the last step, and an answer in a wanted form", async () => {
  const look = (callId: string) => toolAnswer(call(callId, "todo_read", {}));
  recording = await startRecording({
    answers: [
      look("c1"),
      look("c2"),
      look("c3"),
      textAnswer("Summed up."),
      look("c4"),
      look("c5"),
      textAnswer("no call"),
      toolAnswer(call("c6", "structured_output", { answer: 42 })),
    ],
  });
  await recording.prompt("One.", { turnsMax: 2 });
  await recording.prompt("Two.", { stepsMax: 2 });
  await recording.prompt("Three.", { budgetUsdMax: 0.0003 });
  const schema = { type: "object", properties: { answer: { type: "integer" } }, required: ["answer"] } as const;
  await recording.prompt("Four.", { answerSchema: schema });
  const ends = (await recording.records()).flatMap(({ fact }) => (fact.type === "run.ended" ? [fact.reason] : []));
  expect(ends).toEqual(["error_max_turns", "completed", "error_max_budget", "completed"]);
  await expectEqual(recording, [8, 6, 0]);
});

const usage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const toolsEnd: ModelEvent = { type: "end", stopReason: "tool-calls", usage };
/** Ends once somebody makes the file. */
const waiting = { command: "for i in $(seq 600); do [ -e go ] && break; sleep 0.05; done", description: "wait" };

/** The record with one fact changed, as a damaged or forged file would have it. */
function changed(records: readonly FactRecord[], change: (fact: Fact) => Fact): readonly FactRecord[] {
  return records.map((record) => ({ ...record, fact: change(record.fact) }));
}

async function recordEdit(): Promise<Recording> {
  recording = await startRecording({
    files: { "a.txt": "one\n" },
    answers: [
      toolAnswer(call("c1", "read", { filePath: "a.txt" })),
      toolAnswer(call("c2", "edit", { filePath: "a.txt", oldString: "one", newString: "two" })),
      textAnswer("Two."),
    ],
  });
  await recording.prompt("Change it.");
  return recording;
}

test("a changed outcome, a changed call and a changed answer are found where they are", async () => {
  const made = await recordEdit();
  const records = await made.records();
  const seqOf = (isMeant: (fact: Fact) => boolean) => records.find(({ fact }) => isMeant(fact))?.seq;
  const outcome = await checkSession(
    changed(records, (fact) =>
      fact.type === "tool.ended" && fact.callId === "c1"
        ? { ...fact, output: fact.output.replace("one", "0ne") }
        : fact,
    ),
    made.checkParts,
  );
  expect(outcome.divergence?.seq).toBe(seqOf((fact) => fact.type === "tool.ended" && fact.callId === "c1"));
  expect(outcome.divergence?.kind).toBe("tool");
  const input = await checkSession(
    changed(records, (fact) => {
      if (fact.type !== "step.ended" || fact.content.length === 0) return fact;
      const [block] = fact.content;
      if (block?.type !== "tool-call" || block.callId !== "c2") return fact;
      return { ...fact, content: [{ ...block, inputText: block.inputText.replace("one", "0ne") }] };
    }),
    made.checkParts,
  );
  expect(input.divergence?.seq).toBe(seqOf((fact) => fact.type === "tool.started" && fact.callId === "c2"));
  const answer = await checkSession(
    changed(records, (fact) =>
      fact.type === "step.ended" && fact.stopReason === "end"
        ? { ...fact, content: [{ type: "text", text: "Too." }] }
        : fact,
    ),
    made.checkParts,
  );
  expect(answer.divergence).toEqual({
    seq: records.length,
    kind: "run",
    what: "The run ends differently.",
    expected: '{"reason":"completed","text":"Two.","turns":3}',
    got: '{"reason":"completed","text":"Too.","turns":3}',
  });
});

test("a tool that behaves otherwise is found", async () => {
  const made = await recordEdit();
  const records = await made.records();
  const newTools: typeof made.checkParts.newTools = (place) =>
    made.checkParts.newTools(place).map((tool) =>
      tool.name === "edit"
        ? {
            ...tool,
            run: async (input, context) => ({ ...(await tool.run(input, context)), output: "Edited, I think." }),
          }
        : tool,
    );
  const { divergence } = await checkSession(records, { ...made.checkParts, newTools });
  const edited = records.find(({ fact }) => fact.type === "tool.ended" && fact.callId === "c2");
  expect({ seq: divergence?.seq, kind: divergence?.kind, got: divergence?.got }).toEqual({
    seq: edited?.seq,
    kind: "tool",
    got: "completed: Edited, I think.",
  });
});

test("without its trees a session is followed, and file tools are taken from the record", async () => {
  const made = await recordEdit();
  const { checkOut: _, ...parts } = made.checkParts;
  const report = await checkSession(await made.records(), parts);
  expect([report.outcomesRunAgain, report.outcomesFromRecord, report.divergence]).toEqual([0, 2, undefined]);
});
