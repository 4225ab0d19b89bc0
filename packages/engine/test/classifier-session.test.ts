/** Auto mode in whole sessions: what the classifier allows, and who decides when a person is there as well. */
import type { Fact, ModelEvent, PermissionDecision, Store, Usage } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { no, openAuto, running, yes } from "./classifier/auto-session.ts";
import { call, calls, say } from "./harness.ts";

const usage: Usage = { input: 100, output: 10, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
const inputText = '{"command":"npm test"}';
const firstCall = { type: "tool-call", callId: "c1", tool: "run", inputText } as const;

const approval = {
  behavior: "allow",
  source: "classifier",
  reason: "the classifier found: testing the project",
  rules: [],
  classifier: { model: "mock/judge", latencyMs: 1, usd: 0.0002 },
} as const;

const question: Fact = {
  type: "permission.asked",
  stepId: "stp_1",
  requestId: "per_1",
  callId: "c1",
  tool: "run",
  permission: "bash",
  patterns: ["npm test"],
  always: ["npm test"],
  reason: "no rule covers npm test",
  inputText: '{"command":"npm test"}',
};

const answered = { type: "permission.answered", requestId: "per_1", callId: "c1", boot: "boot-1", grants: [] } as const;

function started(decision: PermissionDecision): Fact {
  return { type: "tool.started", callId: "c1", stepId: "stp_1", tool: "run", inputText, readOnly: false, decision };
}

const completed: Fact = {
  type: "tool.ended",
  callId: "c1",
  stepId: "stp_1",
  tool: "run",
  outcome: "completed",
  output: "OUTPUT OF THE TOOL",
  title: "run",
  phases: expect.any(Object),
};

/** A run of two steps with these facts about the call between them. */
function runOf(
  aboutCall: readonly Fact[],
  end: { readonly side: Usage; readonly usd: number; denials?: string; allow?: string },
): readonly Fact[] {
  const step = (turn: number, content: Extract<Fact, { type: "step.ended" }>["content"]): readonly Fact[] => [
    {
      type: "step.started",
      stepId: `stp_${turn}`,
      runId: "run_1",
      turn,
      source: "main",
      model: "mock/model",
      requestId: expect.any(String),
      prompts: turn === 1 ? [{ promptId: "prm_1", form: "prompt" }] : [],
      reminders: [],
    },
    {
      type: "step.ended",
      stepId: `stp_${turn}`,
      content,
      usage,
      cost: { usd: 0.00015, estimated: false },
      outcome: "answered",
      stopReason: turn === 1 ? "tool-calls" : "end",
      durationMs: expect.any(Number),
    },
  ];
  return [
    { type: "prompt.admitted", promptId: "prm_1", runId: "run_1", delivery: "steer", text: "Run the tests." },
    ...step(1, [firstCall]),
    ...aboutCall,
    ...step(2, [{ type: "text", text: "Done." }]),
    {
      type: "run.ended",
      runId: "run_1",
      reason: "completed",
      text: "Done.",
      usage: { ...usage, input: 200 + end.side.input, output: 20 + end.side.output },
      usageByModel: expect.objectContaining({ "mock/model": { ...usage, input: 200, output: 20 } }),
      cost: { usd: expect.closeTo(end.usd), estimated: false },
      turns: 2,
      durationMs: expect.any(Number),
      transitions: ["tool_results"],
      denials:
        end.denials === undefined
          ? []
          : [{ callId: "c1", tool: "run", reason: end.denials, ...(end.allow !== undefined && { allow: end.allow }) }],
      stopReason: "end",
    },
  ];
}

/** One answer of the classifier, as the scripts give it. */
const side: Usage = { ...usage, input: 100, output: 20 };

test("headless, a sure yes of the classifier lets the call run, and is paid by the run", async () => {
  const { harness, ran, asked } = openAuto({ turns: running("npm test"), classifier: [yes] });
  await harness.prompt(await harness.open("auto"), "Run the tests.");
  expect(harness.facts()).toEqual(runOf([started(approval), completed], { side, usd: 0.0005 }));
  expect(ran).toEqual(["npm test"]);
  expect(asked).toHaveLength(1);
});

test("headless, anything else is a denial", async () => {
  const { harness, ran } = openAuto({ turns: running("npm test"), classifier: [no] });
  await harness.prompt(await harness.open("auto"), "Run the tests.");
  const reason = "no rule covers npm test";
  const refused: Fact = {
    type: "tool.ended",
    callId: "c1",
    stepId: "stp_1",
    tool: "run",
    outcome: "refused",
    output: expect.stringContaining("npm test"),
    decision: expect.objectContaining({ behavior: "deny", source: "headless", reason, rules: [] }),
    phases: { permission: expect.any(Number) },
  };
  const allow = "--allow 'Bash(npm test)'";
  expect(harness.facts()).toEqual(runOf([refused], { side, usd: 0.0005, denials: reason, allow }));
  expect(ran).toEqual([]);
});

test("with a person there the question appears and the classifier answers it", async () => {
  const { harness, ran } = openAuto({ turns: running("npm test"), classifier: [yes], interactive: true });
  await harness.prompt(await harness.open("auto"), "Run the tests.");
  const resolved: Fact = { ...answered, reply: "once", source: "classifier" };
  expect(harness.facts()).toEqual(runOf([question, resolved, started(approval), completed], { side, usd: 0.0005 }));
  expect(ran).toEqual(["npm test"]);
});

test("an unsure classifier leaves the question to the person", async () => {
  const { harness, ran } = openAuto({ turns: running("npm test"), classifier: [no], interactive: true });
  const sessionId = await harness.open("auto");
  const done = harness.prompt(sessionId, "Run the tests.");
  const { requestId } = await harness.waitForFact("permission.asked");
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once" });
  await done;
  const byUser = { behavior: "allow", source: "user", reason: "allowed once", rules: [] } as const;
  const resolved: Fact = { ...answered, reply: "once", source: "user" };
  expect(harness.facts()).toEqual(runOf([question, resolved, started(byUser), completed], { side, usd: 0.0005 }));
  expect(ran).toEqual(["npm test"]);
});

test("a person who is faster decides, and the approval that comes later changes nothing", async () => {
  const held = Promise.withResolvers<void>();
  const { harness, ran, asked } = openAuto({
    turns: running("npm test"),
    classifier: [[held.promise, ...yes]],
    interactive: true,
  });
  const sessionId = await harness.open("auto");
  const done = harness.prompt(sessionId, "Run the tests.");
  const { requestId } = await harness.waitForFact("permission.asked");
  const message = "not now";
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "reject", message });
  held.resolve();
  await done;
  const refused: Fact = {
    type: "tool.ended",
    callId: "c1",
    stepId: "stp_1",
    tool: "run",
    outcome: "refused",
    output: expect.stringContaining("not now"),
    decision: { behavior: "deny", source: "user", reason: "no rule covers npm test", rules: [] },
    phases: { permission: expect.any(Number) },
  };
  const rejected: Fact = { ...answered, reply: "reject", source: "user", message };
  const facts = harness.facts();
  const counted = facts.findLast((fact) => fact.type === "run.ended")?.usage ?? usage;
  // The late answer is paid with the step in which it came, if there still is one.
  expect([0, side.input]).toContain(counted.input - 200);
  const late = { ...usage, input: counted.input - 200, output: counted.output - 20 };
  const usd = 0.0003 + (late.input + 5 * late.output) / 1_000_000;
  expect(facts).toEqual(runOf([question, rejected, refused], { side: late, usd, denials: "no rule covers npm test" }));
  expect(asked).toHaveLength(1);
  expect(ran).toEqual([]);
});

test("an approval that comes while the rejection is being stored is too late as well", async () => {
  const memory = createMemoryStore({
    now: () => 1000,
    randomBytes: (size) => new Uint8Array(size),
    isAlive: () => false,
  });
  const storing = Promise.withResolvers<void>();
  const disk = Promise.withResolvers<void>();
  const store: Store = {
    ...memory,
    append: async (sessionId, facts, options) => {
      if (facts.some((fact) => fact.type === "permission.answered")) {
        storing.resolve();
        await disk.promise;
      }
      return memory.append(sessionId, facts, options);
    },
  };
  const held = Promise.withResolvers<void>();
  const { harness, ran } = openAuto({
    turns: running("npm test"),
    classifier: [[held.promise, ...yes]],
    interactive: true,
    store,
  });
  const sessionId = await harness.open("auto");
  const done = harness.prompt(sessionId, "Run the tests.");
  const { requestId } = await harness.waitForFact("permission.asked");
  const rejecting = harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "reject" });
  await storing.promise;
  held.resolve();
  // Nothing in the way of the approval waits for more than promises.
  await new Promise((resolve) => setImmediate(resolve));
  disk.resolve();
  await rejecting;
  expect((await done).fact).toMatchObject({ reason: "aborted" });
  expect(harness.facts().filter((fact) => fact.type === "permission.answered" || fact.type === "tool.started")).toEqual(
    [{ ...answered, reply: "reject", source: "user" }],
  );
  expect(ran).toEqual([]);
});

test("an interruption ends the question and the classifier's answer with it", async () => {
  const { harness, ran } = openAuto({
    turns: running("npm test"),
    classifier: [[new Promise(() => undefined), ...yes]],
    interactive: true,
  });
  const sessionId = await harness.open("auto");
  const done = harness.prompt(sessionId, "Run the tests.");
  await harness.waitForFact("permission.asked");
  await harness.engine.send({ type: "turn.interrupt", sessionId });
  expect((await done).fact).toMatchObject({ reason: "aborted" });
  expect(harness.facts().filter((fact) => fact.type === "permission.answered" || fact.type === "tool.started")).toEqual(
    [{ ...answered, reply: "reject", source: "interrupt" }],
  );
  expect(ran).toEqual([]);
});

test("neither words of the model nor results of tools reach the classifier, only what the user said", async () => {
  const prose: ModelEvent = { type: "text-delta", text: "PROSE OF THE MODEL" };
  const { harness, asked, ran } = openAuto({
    turns: [
      calls(prose, call("c1", "run", { command: "npm test" })),
      calls({ type: "reasoning-delta", text: "THOUGHT OF THE MODEL" }, call("c2", "run", { command: "npm run lint" })),
      say("ANSWER OF THE MODEL"),
      calls(call("c3", "run", { command: "npm run build" })),
      say("Done."),
    ],
    classifier: [yes, yes, yes],
  });
  const sessionId = await harness.open("auto");
  await harness.prompt(sessionId, "Test and lint.");
  await harness.prompt(sessionId, "Now build with hunter2.");
  expect(ran).toEqual(["npm test", "npm run lint", "npm run build"]);
  const lines = (said: readonly string[], need: string) => [
    "BEGIN what the user said",
    ...said,
    "END what the user said",
    "BEGIN the call",
    'tool: "run"',
    'directory: "/project"',
    `need: "bash: ${need}"`,
    "END the call",
  ];
  const texts = asked.map(({ messages: [message] }) => (message?.role === "user" ? message.text.split("\n") : []));
  expect(texts.slice(0, 2)).toEqual([
    lines(['"Test and lint."'], "npm test"),
    lines(['"Test and lint."'], "npm run lint"),
  ]);
  expect(texts[2]?.slice(-7)).toEqual(lines(['"Now build with [REDACTED:password]."'], "npm run build").slice(1));
  expect(JSON.stringify(asked)).not.toMatch(/OF THE MODEL|OF THE TOOL|hunter2/);
});
