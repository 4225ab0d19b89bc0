/** Proves what calls are given or asked beside their run: what is still shown, upkeep, caution, and the end of the run. */
import type { FileUpkeep, RuleSet, Tool } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";
import { mapSnapshots } from "./map-snapshots.ts";

const big = `${"y".repeat(99)}\n`.repeat(900);

/** Says of earlier calls whether they are still shown; or prints a lot. */
const ask: Tool = {
  ...createTool({ name: "ask" }),
  resultCharactersMax: 100_000,
  run: async (input, { isShown, checkpoints }) => {
    const { about, prints, goal, report } = input as {
      about?: readonly string[];
      prints?: true;
      goal?: string;
      report?: string;
    };
    if (goal !== undefined) await checkpoints.open(goal);
    if (report !== undefined) await checkpoints.rewind(report);
    if (prints) return { output: big, title: "" };
    return { output: JSON.stringify((about ?? []).map(isShown)), title: "" };
  },
};

test("a result is shown until it is shortened, rewound or undone, and not before the next step", async () => {
  const about = (...callIds: readonly string[]) => ({ about: callIds });
  const harness = createHarness({
    tools: [ask],
    snapshots: mapSnapshots(new Map()),
    turns: [
      calls(call("a1", "ask", { goal: "g" }), call("a2", "ask", about("a1"))),
      calls(
        call("b1", "ask", { prints: true }),
        call("b2", "ask", { prints: true }),
        call("b3", "ask", { prints: true }),
        call("b4", "ask", about("a1", "a2", "nobody")),
      ),
      calls(call("c", "ask", { ...about("a1", "b1", "b2", "b3", "b4"), report: "r" })),
      calls(call("d", "ask", about("a1", "a2", "b4", "c"))),
      say("One."),
      calls(call("e", "ask", about("a1", "d"))),
      say("Two."),
      calls(call("f", "ask", about("a1", "d", "e"))),
      say("Three."),
    ],
  });
  const sessionId = await harness.open("bypass");
  await harness.prompt(sessionId, "one");
  await harness.prompt(sessionId, "two");
  await harness.engine.send({ type: "session.undo", sessionId });
  await harness.prompt(sessionId, "three");
  const outputs = new Map(
    harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [[fact.callId, fact.output]] : [])),
  );
  const said = ["a2", "b4", "c", "d", "e", "f"].map((callId) => JSON.parse(outputs.get(callId) ?? "null"));
  expect(said).toEqual([
    [false],
    [true, true, false],
    [true, false, false, false, true],
    [true, true, false, false],
    [true, true],
    [true, true, false],
  ]);
});

test("upkeep is what the engine was built with, and nothing without it", async () => {
  const tidy: Tool = {
    ...createTool({ name: "tidy" }),
    run: async (_, { upkeep, signal }) => ({
      output: JSON.stringify([(await upkeep.format("a", signal)) ?? null, await upkeep.diagnose(["a", "b"], signal)]),
      title: "",
    }),
  };
  const upkeep: FileUpkeep = { format: async (path) => `formatted ${path}`, diagnose: async (paths) => [...paths] };
  const outputs: string[] = [];
  for (const parts of [{}, { upkeep }]) {
    const harness = createHarness({ tools: [tidy], turns: [calls(call("a", "tidy", {})), say("Done.")], parts });
    await harness.prompt(await harness.open("bypass"), "go");
    outputs.push((await harness.waitForFact("tool.ended")).output);
  }
  expect(outputs).toEqual(["[null,[]]", '["formatted a",["a","b"]]']);
});

function cautious(options: { readonly interactive?: boolean; readonly rules?: readonly RuleSet[] }) {
  const asked: unknown[] = [];
  const change: Tool = {
    ...createTool({ name: "change", readOnly: false, permission: "edit" }),
    caution: async (input) => {
      asked.push(input);
      const { doubt } = input as { doubt: string };
      if (doubt === "throws") throw new Error("hunter2 broke");
      return doubt === "" ? undefined : doubt;
    },
  };
  const turns = ["", "this is generated", "throws"].map((doubt, index) =>
    calls(call(`c${index}`, "change", { doubt })),
  );
  return { asked, harness: createHarness({ tools: [change], turns: [...turns, say("Done.")], ...options }) };
}

test("a doubt of the tool becomes a question without always, although the mode allows the call", async () => {
  const { harness } = cautious({ interactive: true });
  const sessionId = await harness.open("bypass");
  const done = harness.prompt(sessionId, "go");
  for (const nth of [1, 2]) {
    const { requestId } = await harness.waitForFact("permission.asked", nth);
    const reply = nth === 1 ? "once" : "reject";
    await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply, message: "not this one" });
  }
  await done;
  const questions = harness.facts().filter((fact) => fact.type === "permission.asked");
  const question = { type: "permission.asked", tool: "change", permission: "edit", always: [] };
  expect(questions).toEqual([
    {
      ...question,
      requestId: "per_1",
      stepId: "stp_2",
      callId: "c1",
      patterns: ['{"doubt":"this is generated"}'],
      inputText: '{"doubt":"this is generated"}',
      reason: "this is generated",
    },
    {
      ...question,
      requestId: "per_2",
      stepId: "stp_3",
      callId: "c2",
      patterns: ['{"doubt":"throws"}'],
      inputText: '{"doubt":"throws"}',
      reason: "a check before the call failed: [REDACTED:password] broke",
    },
  ]);
  const outcomes = harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact.outcome] : []));
  expect(outcomes).toEqual(["completed", "completed", "refused"]);
  const sources = harness.facts().flatMap((fact) => (fact.type === "tool.started" ? [fact.decision?.source] : []));
  expect(sources).toEqual(["mode", "user"]);
});

test("headless, a doubt is a denial that says what would permit the call; a rule is asked for no doubt", async () => {
  const { harness } = cautious({});
  await harness.prompt(await harness.open("bypass"), "go");
  const ends = harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact] : []));
  expect(ends.map(({ outcome, decision }) => [outcome, decision?.source])).toEqual([
    ["completed", undefined],
    ["refused", "headless"],
    ["refused", "headless"],
  ]);
  expect(ends[1]?.output).toMatch(/this is generated[\s\S]*--allow/);

  const ruled = cautious({
    rules: [{ source: "user", rules: [{ permission: "edit", pattern: "*", action: "allow" }] }],
  });
  const ended = await ruled.harness.prompt(await ruled.harness.open("bypass"), "go");
  expect(ruled.asked).toEqual([]);
  expect(ended.fact).toMatchObject({ denials: [] });
});

test("every tool is told once when a run ends, called or not, and also when the run failed", async () => {
  const ended: string[] = [];
  const telling = (name: string): Tool => ({ ...createTool({ name }), runEnded: () => void ended.push(name) });
  const failure = { code: "unknown", message: "no", retryable: false } as const;
  const harness = createHarness({
    tools: [telling("one"), telling("two"), createTool({ name: "three" })],
    turns: [calls(call("a", "one", {})), say("Done."), [{ type: "failed", failure }]],
  });
  const sessionId = await harness.open("bypass");
  await harness.prompt(sessionId, "go");
  // Any command waits for the run to be put away.
  await harness.engine.send({ type: "session.undo", sessionId });
  expect(ended).toEqual(["one", "two"]);
  const second = await harness.prompt(sessionId, "again");
  expect(second.fact).toMatchObject({ reason: "error_during_execution" });
  await harness.engine.send({ type: "session.undo", sessionId });
  expect(ended).toEqual(["one", "two", "one", "two"]);
});

test("strings of a result that are longer than any use are cut when they are stored", async () => {
  const long = "é".repeat(500_001);
  const print: Tool = {
    ...createTool({ name: "print" }),
    resultCharactersMax: 2_000_000,
    run: async () => ({
      output: "line\n".repeat(100_001),
      title: "",
      metadata: { useless: true, diff: long, parts: [{ text: long, signature: long }, 1, null], short: "kept" },
    }),
  };
  const harness = createHarness({ tools: [print], turns: [calls(call("a", "print", {})), say("Done.")] });
  await harness.prompt(await harness.open("bypass"), "go");
  const { output, metadata } = await harness.waitForFact("tool.ended");
  const cut = `${"é".repeat(500_000)}\n[… 1 characters were not stored …]`;
  expect(output).toBe(`${"line\n".repeat(100_000)}\n[… 5 characters were not stored …]`);
  expect(metadata).toEqual({
    useless: true,
    diff: cut,
    parts: [{ text: cut, signature: "" }, 1, null],
    short: "kept",
  });
});
