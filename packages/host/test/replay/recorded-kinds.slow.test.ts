/** Every kind of session that can be recorded is written to a file, read back and run again; a change of it is found. */
import type { Fact, FactRecord, ModelEvent, RunOptions, Tool, ToolSource } from "@kedge/protocol";
import { textAnswer, toolAnswer } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { checkSession, optionsAfter } from "../../src/replay/index.ts";
import { checked, expectAsRecorded, seqOf, throughFile } from "./checked-recording.ts";
import { type Recording, type RecordingOptions, startRecording } from "./recording.ts";

let recording: Recording | undefined;
afterEach(async () => {
  await recording?.close();
  recording = undefined;
});

async function record(options: RecordingOptions): Promise<Recording> {
  recording = await startRecording(options);
  return recording;
}

const call = (callId: string, tool: string, input: object) => ({ callId, tool, input });
const usage = { input: 100, output: 20, reasoning: 0, cacheRead: 0, cacheWrite: 0 };

const schema = { type: "object", properties: { answer: { type: "integer" } }, required: ["answer"] } as const;

async function recordStructured(): Promise<Recording> {
  const made = await record({
    answers: [
      textAnswer("no call"),
      toolAnswer(call("c1", "structured_output", { answer: "forty-two" })),
      toolAnswer(call("c2", "structured_output", { answer: 42 })),
      textAnswer("Plain."),
    ],
  });
  await made.prompt("In a form.", { answerSchema: schema, turnsMax: 9 });
  await made.prompt("Without one.");
  return made;
}

test("an answer in a wanted form, with attempts that did not fit", async () => {
  const made = await recordStructured();
  await expectAsRecorded(made, [4, 2, 0]);
  const records = await made.records();
  const given = records.flatMap(({ fact }) => (fact.type === "prompt.admitted" ? [fact.options] : []));
  expect(given).toEqual([{ answerSchema: schema, turnsMax: 9 }, undefined]);
});

test("another schema is found at the first attempt that it judges otherwise", async () => {
  const made = await recordStructured();
  const texts = { ...schema, properties: { answer: { type: "string" } } } as const;
  const { divergence } = await checked(made, (fact) =>
    fact.type === "prompt.admitted" && fact.options !== undefined
      ? { ...fact, options: { ...fact.options, answerSchema: texts } }
      : fact,
  );
  expect(divergence).toEqual({
    seq: await seqOf(made, (fact) => fact.type === "tool.ended" && fact.callId === "c1"),
    kind: "tool",
    what: "The call c1 of structured_output ends differently.",
    expected: 'failed: answer: expected integer, received string "forty-two"',
    got: "completed: Accepted.",
  });
});

const withoutOptions = (fact: Fact): Fact => {
  if (fact.type !== "prompt.admitted") return fact;
  const { options: _, ...rest } = fact;
  return rest;
};

test("a record without the schema, as an earlier kedge wrote it, is followed by what was accepted", async () => {
  const made = await recordStructured();
  const report = await checked(made, withoutOptions);
  expect([report.divergence, report.notReplayable]).toEqual([undefined, undefined]);
  expect([report.requestsCompared, report.outcomesRunAgain, report.outcomesFromRecord]).toEqual([4, 0, 2]);
  const { divergence } = await checked(made, (fact) =>
    fact.type === "tool.ended" && fact.callId === "c1" ? { ...fact, outcome: "completed" } : withoutOptions(fact),
  );
  expect(divergence).toMatchObject({ kind: "run", what: "The run ends differently." });
});

test("a run that was gone on with, whose schema is in no fact", async () => {
  const failed: ModelEvent = { type: "failed", failure: { code: "unknown", message: "no", retryable: false } };
  const answer = { answer: [{ name: "a", sizes: [1, 2.5, null] }, "b", true], note: { text: "x" } };
  const made = await record({
    answers: [
      [failed],
      toolAnswer(call("c1", "structured_output", { answer: [] })),
      toolAnswer(call("c2", "structured_output", answer)),
    ],
  });
  await made.prompt("In a form.");
  const count = (await made.records()).length;
  const wanted = { type: "object", required: ["note"] } as const;
  await made.send<"run.continue">({ type: "run.continue", options: { answerSchema: wanted } });
  await made.factSeen(({ fact, seq }) => fact.type === "run.ended" && seq > count);
  const end = (await made.records()).at(-1)?.fact;
  expect(end).toMatchObject({ type: "run.ended", reason: "completed", structured: answer });
  await expectAsRecorded(made, [3, 0, 2]);
});

test("options are recorded with the prompt that begins their run, and with no other", async () => {
  const answering = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  const made = await record({
    answers: [
      (): readonly (ModelEvent | Promise<unknown>)[] => {
        answering.resolve();
        return [{ type: "text-delta", text: "One" }, heard.promise, { type: "end", stopReason: "end", usage }];
      },
      textAnswer("Two."),
      textAnswer("Three."),
      toolAnswer(call("c1", "todo_read", {})),
    ],
  });
  const first: RunOptions = { stepsMax: 4, reasoning: { effort: "low" } };
  const last: RunOptions = { turnsMax: 1, fallbackModel: "mock/other", tokensMax: 1_000_000, budgetUsdMax: 2 };
  const runId = await made.submit("First.", "steer", first);
  await answering.promise;
  await made.submit("Meanwhile.", "steer", { stepsMax: 1 });
  await made.submit("After.", "follow-up", { turnsMax: 3 });
  heard.resolve();
  await made.runEnded(runId);
  await made.factSeen(({ fact }) => fact.type === "run.ended" && fact.text === "Three.");
  await made.prompt("Last.", last);
  const records = await made.records();
  expect(records.flatMap(({ fact }) => (fact.type === "prompt.admitted" ? [[fact.text, fact.options]] : []))).toEqual([
    ["First.", first],
    ["Meanwhile.", undefined],
    ["After.", { turnsMax: 3 }],
    ["Last.", last],
  ]);
  expect(optionsAfter(records)).toEqual(last);
  expect(optionsAfter(records.slice(0, 3))).toEqual(first);
  await expectAsRecorded(made, [4, 1, 0]);
});

test("a limit that the record went beyond is found", async () => {
  const look = (callId: string) => toolAnswer(call(callId, "todo_read", {}));
  const made = await record({ answers: [look("c1"), look("c2"), textAnswer("Done.")] });
  await made.prompt("Look.", { turnsMax: 5 });
  await expectAsRecorded(made, [3, 2, 0]);
  const { divergence } = await checked(made, (fact) =>
    fact.type === "prompt.admitted" ? { ...fact, options: { turnsMax: 2 } } : fact,
  );
  expect(divergence).toMatchObject({ kind: "run", what: "The run ends differently." });
});

async function recordUndo(): Promise<Recording> {
  const made = await record({
    files: { "a.txt": "one\n" },
    answers: [
      toolAnswer(call("c1", "read", { filePath: "a.txt" })),
      toolAnswer(call("c2", "edit", { filePath: "a.txt", oldString: "one", newString: "two" })),
      textAnswer("Two."),
      toolAnswer(call("c3", "read", { filePath: "a.txt" })),
      toolAnswer(call("c4", "edit", { filePath: "a.txt", oldString: "one", newString: "three" })),
      textAnswer("It said one."),
    ],
  });
  await made.prompt("Change it.");
  await made.send<"session.undo">({ type: "session.undo" });
  await made.prompt("What does it say?");
  return made;
}

test("an undo in the middle, and what a tool then finds", async () => {
  const made = await recordUndo();
  await expectAsRecorded(made, [6, 4, 0]);
  const { divergence } = await checked(made, (fact) =>
    fact.type === "tool.ended" && fact.callId === "c3" ? { ...fact, output: fact.output.replace("one", "two") } : fact,
  );
  expect([divergence?.seq, divergence?.kind]).toEqual([
    await seqOf(made, (fact) => fact.type === "tool.ended" && fact.callId === "c3"),
    "tool",
  ]);
});

test("a request that differs by one word is found at its step", async () => {
  const made = await record({
    answers: [
      toolAnswer(call("c1", "checkpoint", { goal: "look around" })),
      toolAnswer(call("c2", "todo_read", {})),
      toolAnswer(call("c3", "rewind", { report: "There is nothing to be seen here, whatever one does about it." })),
      textAnswer("Nothing."),
    ],
  });
  await made.prompt("Look.");
  await expectAsRecorded(made, [4, 3, 0]);
  const { divergence } = await checked(made, (fact) =>
    fact.type === "conversation.rewound" ? { ...fact, report: fact.report.replace("nothing", "something") } : fact,
  );
  const steps = (await made.records()).filter(({ fact }) => fact.type === "step.started");
  expect([divergence?.seq, divergence?.kind]).toEqual([steps.at(-1)?.seq, "request"]);
});

test("a fork, with what was said in it", async () => {
  const made = await record({ answers: [textAnswer("One."), textAnswer("Other."), textAnswer("More.")] });
  await made.prompt("First.", { turnsMax: 7 });
  const { engine, sessionId, store } = made;
  const forked = await engine.send<"session.fork">({ type: "session.fork", sessionId });
  if (!forked.ok) throw new Error(forked.failure.message);
  const fork = forked.value.sessionId;
  await engine.send<"session.resume">({ type: "session.resume", sessionId: fork, mode: "default" });
  for (const text of ["Another way.", "And on."]) {
    const ended = Promise.withResolvers<void>();
    const unsubscribe = engine.subscribe(fork, (event) => {
      if (event.kind === "fact" && event.record.fact.type === "run.ended") ended.resolve();
    });
    const prompt = { type: "prompt.submit", sessionId: fork, delivery: "steer", text } as const;
    await engine.send<"prompt.submit">({ ...prompt, options: { turnsMax: 3 } });
    await ended.promise;
    unsubscribe();
  }
  const records: FactRecord[] = [];
  for await (const each of store.read(fork, 0)) records.push(each);
  expect(await checkSession(throughFile(records), made.checkParts)).toEqual({
    ...{ sessionId: fork, records: records.length },
    ...{ requestsCompared: 2, outcomesRunAgain: 0, outcomesFromRecord: 0 },
  });
});

test("a person who refuses with a word, and a rule that refuses", async () => {
  const made = await record({
    answers: [
      toolAnswer(call("c1", "bash", { command: "touch a", description: "touch" })),
      toolAnswer(call("c2", "bash", { command: "rm a", description: "remove" })),
      textAnswer("Then not."),
    ],
    parts: {
      interactive: true,
      rules: [
        {
          source: "user",
          rules: [
            { permission: "bash", pattern: "*", action: "ask" },
            { permission: "bash", pattern: "rm *", action: "deny" },
          ],
        },
      ],
    },
  });
  const runId = await made.submit("Touch it.");
  await made.factSeen(({ fact }) => fact.type === "permission.asked");
  const asked = (await made.records()).flatMap(({ fact }) =>
    fact.type === "permission.asked" ? [fact.requestId] : [],
  );
  const [requestId = ""] = asked;
  await made.send<"permission.answer">({
    type: "permission.answer",
    requestId,
    reply: "reject",
    message: "Not there.",
  });
  await made.runEnded(runId);
  const outcomes = (await made.records()).flatMap(({ fact }) => (fact.type === "tool.ended" ? [fact.outcome] : []));
  expect(outcomes).toEqual(["refused", "refused"]);
  await expectAsRecorded(made, [3, 0, 2]);
});

/** Announces work twice, does it, announces again and then ends; the model that is asked aside says so each time. */
async function recordAnnouncements(): Promise<Recording> {
  const made = await record({
    answers: [
      textAnswer("I will look."),
      textAnswer("yes"),
      textAnswer("Now I will."),
      textAnswer("Yes."),
      toolAnswer(call("c1", "checkpoint", { goal: "look around" })),
      textAnswer("I looked."),
      textAnswer("no"),
      textAnswer("And I will look again."),
      textAnswer("yes"),
      toolAnswer(call("c2", "rewind", { report: "There is nothing to be seen here, whatever one does about it." })),
      textAnswer("Nothing."),
      textAnswer("no"),
      textAnswer("Fine."),
      textAnswer("no"),
    ],
    parts: { conversation: { unexpectedStop: { detection: "smart", questions: false } } },
  });
  await made.prompt("Look.");
  await made.prompt("Is that so?");
  return made;
}

test("answers that announced work and were no end, by the word of a model beside the conversation", async () => {
  const made = await recordAnnouncements();
  const [end] = (await made.records()).flatMap(({ fact }) => (fact.type === "run.ended" ? [fact] : []));
  expect(end?.transitions).toEqual([
    "unexpected_stop",
    "unexpected_stop",
    "tool_results",
    "checkpoint_open",
    "unexpected_stop",
    "tool_results",
  ]);
  await expectAsRecorded(made, [8, 2, 0]);
  const { divergence } = await checked(made, (fact) =>
    fact.type === "step.started" && fact.turn === 3 ? { ...fact, reminders: [] } : fact,
  );
  expect([divergence?.kind, divergence?.seq]).toEqual([
    "step",
    await seqOf(made, (fact) => fact.type === "step.started" && fact.turn === 3),
  ]);
});

test.each([
  { detection: "none", asked: 2 },
  { detection: "mechanical", asked: 3 },
] as const)("an empty answer where stops are looked at: $detection", async ({ detection, asked }) => {
  const nothing: readonly ModelEvent[] = [{ type: "end", stopReason: "end", usage }];
  const made = await record({
    answers: [...Array.from({ length: asked - 1 }, () => nothing), textAnswer("Here.")],
    parts: { conversation: { unexpectedStop: { detection, questions: false } } },
  });
  await made.prompt("Say nothing.");
  await made.prompt("Say something.");
  await expectAsRecorded(made, [asked, 0, 0]);
});

test("what sources of context said is taken from the record, also where an earlier kedge said nothing", async () => {
  const contextSources = [
    { name: "branch", kind: "data", place: "turn", read: () => [{ text: "main", origin: "HEAD", hash: "main" }] },
  ] as const;
  const made = await record({ answers: [textAnswer("One."), textAnswer("Two.")], parts: { contextSources } });
  await made.send<"mode.change">({ type: "mode.change", mode: "plan" });
  await made.prompt("One");
  await made.prompt("Two");
  const said = (await made.records()).flatMap(({ fact }) => (fact.type === "step.started" ? [fact.reminders] : []));
  expect(said.map(({ length }) => length)).toEqual([2, 0]);
  await expectAsRecorded(made, [2, 0, 0]);
  const silent = await checked(made, (fact) => {
    if (fact.type !== "step.started") return fact;
    const { sent: _, ...step } = fact;
    return { ...step, reminders: [] };
  });
  expect(silent).toMatchObject({ requestsCompared: 2 });
  expect(silent.divergence).toBeUndefined();
});

test("tools of a server that the model was told of, and one that left while it was called", async () => {
  const listeners = new Set<() => void>();
  let tools = [serverTool("near"), { ...serverTool("far"), searchHint: "distant" }];
  const server: ToolSource = {
    name: "server",
    kind: "mcp",
    open: () => ({
      tools: () => tools,
      subscribe(changed) {
        listeners.add(changed);
        return () => listeners.delete(changed);
      },
    }),
  };
  const made = await record({
    answers: [
      toolAnswer(call("c1", "tool_search", { query: "distant" })),
      toolAnswer(call("c2", "far", {})),
      textAnswer("Found."),
      toolAnswer(call("c3", "near", {})),
      textAnswer("It left."),
    ],
    parts: { toolSources: [server] },
  });
  await made.prompt("Look far.");
  tools = [];
  for (const changed of listeners) changed();
  await made.prompt("Look near.");
  const records = await made.records();
  const started = records.flatMap(({ fact }) =>
    fact.type === "step.started" ? [fact.sent?.map(({ source }) => source)] : [],
  );
  expect(started).toEqual([undefined, undefined, undefined, ["deferred tools"], undefined]);
  await expectAsRecorded(made, [5, 0, 3]);
});

function serverTool(name: string): Tool {
  return {
    name,
    description: name,
    inputSchema: { type: "object" },
    resultCharactersMax: 100,
    parse: (input) => ({ ok: true, input }),
    needs: () => [],
    readOnly: () => true,
    concurrencySafe: () => true,
    run: async () => ({ output: name, title: name }),
  };
}
