/** Proves what phases from outside may do with a call before it is permitted, and what they may not. */
import type { BeforeCall, CallPhase, PhasedCall } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, say } from "./harness.ts";
import { before, endsOf, notices, type PhasedSite, rule, work } from "./phased-worksite.ts";
import { answerAll, bash, edit, openWorksite, story, working } from "./worksite.ts";

const changeTo = (command: string) => before("rewriter", () => ({ decision: "change", input: { command } }));

test("a phase sees the call as the model wrote it, with what it needs", async () => {
  const seen: PhasedCall[] = [];
  await work({ phases: [before("look", (found) => void seen.push(found))], mode: "bypass" });
  expect(seen).toEqual([
    {
      sessionId: expect.stringMatching(/^ses_/),
      callId: "c1",
      tool: "bash",
      input: { command: "make a" },
      needs: [{ permission: "bash", patterns: ["make a"], always: ["make a"], access: "execute" }],
      readOnly: false,
      cwd: "/project",
      mode: "bypass",
    },
  ]);
});

test("a phase that names tools sees no call of another one", async () => {
  const seen: string[] = [];
  const look = (tools: readonly string[]): CallPhase => ({
    ...before(`look at ${tools.join()}`, ({ tool }) => void seen.push(`before ${tool}`)),
    after: ({ tool }) => void seen.push(`after ${tool}`),
    tools,
  });
  const { ran } = await work({ phases: [look(["edit", "write"]), look(["bash"])], mode: "bypass" });
  expect([ran, seen]).toEqual([["make a"], ["before bash", "after bash"]]);
});

test("a changed input runs, and the record keeps what the model asked, what ran and who changed it", async () => {
  const { harness, ran, ends } = await work({ phases: [changeTo("make b")], rules: [rule("make *", "allow")] });
  const asked = harness.requests[1]?.messages.find((message) => message.role === "assistant")?.content;
  expect(ran).toEqual(["make b"]);
  expect(asked).toMatchObject([{ callId: "c1", inputText: '{"command":"make a"}' }]);
  expect(harness.facts().find((fact) => fact.type === "tool.started")).toMatchObject({
    inputText: '{"command":"make b"}',
  });
  expect(ends).toMatchObject([
    {
      outcome: "completed",
      output: 'rewriter changed the input of this call. The input used was: {"command":"make b"}\n\ndone',
      metadata: { exitCode: 0, inputChangedBy: ["rewriter"] },
    },
  ]);
});

test("the changed input is what is judged: a deny rule for it refuses the call although the original was allowed", async () => {
  const rules = [rule("make *", "allow"), rule("make b", "deny", "policy")];
  const { ran, ends, run } = await work({ phases: [changeTo("make b")], rules, mode: "bypass" });
  expect(ran).toEqual([]);
  expect(ends).toMatchObject([{ outcome: "refused", decision: { behavior: "deny", source: "rule" } }]);
  expect(ends[0]?.output).toContain("rewriter changed the input of this call.");
  expect(run).toMatchObject({ denials: [{ callId: "c1", tool: "bash" }] });
});

test("the original is judged as well: what is denied is shown to no phase, whatever it would change", async () => {
  const seen: string[] = [];
  const harmless = before("look", ({ callId }) => {
    seen.push(callId);
    return { decision: "change", input: { command: "make b" } };
  });
  const { ran, ends } = await work({ phases: [harmless], rules: [rule("make a", "deny")], mode: "bypass" });
  expect([seen, ran, ends[0]?.decision?.source]).toEqual([[], [], "rule"]);
});

test("what changed while a phase was waited for counts: the mode, for one", async () => {
  const planning: CallPhase = {
    name: "slow",
    onError: "refuse",
    async before({ sessionId }) {
      await harness.engine.send({ type: "mode.change", sessionId, mode: "plan" });
      return undefined;
    },
  };
  const { harness, ran } = openWorksite({ turns: working(bash("make a")), parts: { callPhases: [planning] } });
  await harness.prompt(await harness.open("bypass"), "go");
  expect([ran, endsOf(harness)[0]?.decision?.source]).toEqual([[], "mode"]);
});

test("a changed input is parsed and validated like that of the model", async () => {
  const tool = createTool({
    name: "look",
    required: ["path"],
    validate: async (input) => ((input as { path: string }).path === "gone" ? "gone not found." : undefined),
  });
  const change = before("rewriter", ({ input }) => ({ decision: "change", input: input["to"] as { path: string } }));
  const turns = [
    calls(call("a", "look", { path: "x", to: {} }), call("b", "look", { path: "x", to: { path: "gone" } })),
    say("Done."),
  ];
  const harness = createHarness({ tools: [tool], turns, parts: { callPhases: [change] } });
  await harness.prompt(await harness.open("bypass"), "go");
  const outputs = new Map(endsOf(harness).map(({ callId, outcome, output }) => [callId, [outcome, output]]));
  const note = "rewriter changed the input of this call. The input used was:";
  expect(outputs).toEqual(
    new Map([
      ["a", ["failed", `${note} {}\n\npath: required`]],
      ["b", ["failed", `${note} {"path":"gone"}\n\ngone not found.`]],
    ]),
  );
});

test("a refusal tells the model why, is a denial of the run, and ends the call before anybody is asked", async () => {
  const refuse = before("checker", () => ({ decision: "refuse", text: "Not with hunter2." }));
  const { harness, ran, ends, run } = await work({ phases: [refuse], mode: "bypass" });
  const reason = "checker: Not with [REDACTED:password].";
  expect(ran).toEqual([]);
  expect(ends).toMatchObject([
    { outcome: "refused", output: "Not with [REDACTED:password].", decision: { source: "phase", reason } },
  ]);
  expect(run).toMatchObject({ reason: "completed", denials: [{ callId: "c1", tool: "bash", reason }] });
  expect(harness.facts().filter(({ type }) => type === "tool.started" || type === "permission.asked")).toEqual([]);
});

const askFirst = before("checker", () => ({ decision: "ask", reason: "it touches the release" }));

test("a phase that asks has a person answer, although the mode would let the call run", async () => {
  const { harness, ran } = openWorksite({
    turns: working(bash("make a"), bash("make b")),
    interactive: true,
    parts: { callPhases: [askFirst] },
  });
  const sessionId = await harness.open("bypass");
  const done = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, ["once", { rejectWith: "Not b." }]);
  await done;
  expect(ran).toEqual(["make a"]);
  expect(story(harness.facts()).slice(2, 6)).toEqual([
    "answered",
    { callId: "c1", patterns: ["make a"], always: [], reason: "checker: it touches the release" },
    { answerTo: "c1", reply: "once", source: "user" },
    "c1 allowed by user: allowed once",
  ]);
});

test("where nobody can answer, a phase that asks is a denial, and another one that allows does not help", async () => {
  const allow = before("hook", () => ({ decision: "allow", reason: "always fine" }));
  for (const phases of [[askFirst], [allow, askFirst], [askFirst, allow]]) {
    const { ran, ends } = await work({ phases, mode: "bypass" });
    const reason = "checker: it touches the release";
    expect([ran, ends[0]?.decision]).toEqual([[], { behavior: "deny", source: "headless", reason, rules: [] }]);
  }
});

const allowAll = before("hook", () => ({ decision: "allow", reason: "the build may run" }));

test("a phase that allows answers the question nobody else could", async () => {
  const { harness, ran } = await work({ phases: [allowAll] });
  expect(ran).toEqual(["make a"]);
  expect(story(harness.facts())[3]).toBe("c1 allowed by phase: hook: the build may run");
});

test("what a phase allows is still refused by a deny rule, plan mode, a guard and a managed policy that asks", async () => {
  const cases: readonly (Partial<PhasedSite> & { readonly by: string })[] = [
    { by: "rule", rules: [rule("make a", "deny")] },
    { by: "mode", mode: "plan" },
    { by: "headless", commands: ["wipe ."] },
    { by: "headless", commands: ["git reset --hard"] },
    { by: "headless", rules: [rule("make a", "ask", "policy")] },
  ];
  for (const { by, ...site } of cases) {
    const { ran, ends } = await work({ phases: [allowAll], ...site });
    expect([by, ran, ends[0]?.outcome, ends[0]?.decision?.source]).toEqual([by, [], "refused", by]);
  }
  const asked = await work({ phases: [allowAll], rules: [rule("make a", "ask")] });
  expect(asked.ran).toEqual(["make a"]);
});

test("the third equal call needs a person although a phase allows each", async () => {
  const { ran, ends } = await work({ phases: [allowAll], commands: ["make a", "make a", "make a"] });
  expect([ran, ends.map(({ outcome }) => outcome)]).toEqual([
    ["make a", "make a"],
    ["completed", "completed", "refused"],
  ]);
});

test("what was allowed holds for that input only: a later phase that changes it has to allow it itself", async () => {
  const { ran, ends } = await work({ phases: [allowAll, changeTo("make b")] });
  expect([ran, ends[0]?.decision?.source]).toEqual([[], "headless"]);
  const both = before("hook", () => ({ decision: "allow", reason: "mine", input: { command: "make b" } }));
  expect((await work({ phases: [both] })).ran).toEqual(["make b"]);
});

test("phases run in their order, each on what the one before left, and the first refusal ends it", async () => {
  const seen: string[] = [];
  const step = (name: string, answer?: BeforeCall): CallPhase =>
    before(name, ({ input, needs }) => {
      seen.push(`${name}: ${String(input["command"])}, ${needs[0]?.patterns.join()}`);
      return answer;
    });
  const { ends } = await work({
    phases: [
      step("one", { decision: "change", input: { command: "make b" } }),
      step("two", { decision: "change", input: { command: "make c" } }),
      step("three", { decision: "refuse", text: "No." }),
      step("four"),
    ],
    mode: "bypass",
  });
  expect(seen).toEqual(["one: make a, make a", "two: make b, make b", "three: make c, make c"]);
  expect(ends[0]?.output).toBe(
    'one and two changed the input of this call. The input used was: {"command":"make c"}\n\nNo.',
  );
  expect(Object.keys(ends[0]?.phases ?? {})).toEqual(["one", "two", "three"]);
});

test("a phase that throws before a call refuses it or lets it pass, as it declares; the user is told one sentence", async () => {
  const broken = (onError: CallPhase["onError"]): CallPhase => ({
    name: "checker",
    onError,
    before: () => {
      throw new Error("no such program hunter2.");
    },
  });
  const sentence = "The phase checker failed: no such program [REDACTED:password].";
  const closed = await work({ phases: [broken("refuse")], mode: "bypass" });
  expect([closed.ran, closed.ends[0]?.outcome, closed.ends[0]?.output]).toEqual([[], "refused", sentence]);
  const open = await work({ phases: [broken("continue")], mode: "bypass" });
  expect([open.ran, open.ends[0]?.outcome, open.ends[0]?.output]).toEqual([["make a"], "completed", "done"]);
  for (const { harness } of [closed, open])
    expect(notices(harness).filter((text) => text === sentence)).toHaveLength(1);
});

test("an interruption ends a call whose phase waits, even if the phase does not listen", async () => {
  for (const place of ["before", "after"] as const) {
    const waits = Promise.withResolvers<AbortSignal>();
    const wait = (_: PhasedCall, signal: AbortSignal): Promise<undefined> => {
      waits.resolve(signal);
      return new Promise(() => undefined);
    };
    const phase: CallPhase = { name: "slow", onError: "refuse", [place]: wait };
    const { harness, ran } = openWorksite({ turns: working(bash("make a")), parts: { callPhases: [phase] } });
    const sessionId = await harness.open("bypass");
    const done = harness.prompt(sessionId, "go");
    const signal = await waits.promise;
    await harness.engine.send({ type: "turn.interrupt", sessionId });
    expect((await done).fact).toMatchObject({ reason: "aborted" });
    expect(signal.aborted).toBe(true);
    const [ended, ...more] = endsOf(harness).map(({ outcome, output }) => [outcome, output]);
    expect([more, ran, ended]).toEqual(
      place === "before"
        ? [[], [], ["interrupted", "Tool execution aborted"]]
        : [
            [],
            ["make a"],
            ["completed", "The result of this call (completed) is withheld. The phase slow was interrupted."],
          ],
    );
  }
});

test("a person's input passes the phases again", async () => {
  const seen: unknown[] = [];
  const { harness, ran } = openWorksite({
    turns: working(bash("make a")),
    interactive: true,
    parts: {
      callPhases: [
        before("checker", ({ input }) => {
          seen.push(input["command"]);
          return input["command"] === "make b" ? { decision: "refuse", text: "Never b." } : undefined;
        }),
      ],
    },
  });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  const updatedInput = { command: "make b" };
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once", updatedInput });
  await done;
  expect([seen, ran]).toEqual([["make a", "make b"], []]);
  expect(endsOf(harness)[0]?.output).toBe(
    'The user changed the input of this call. The input used was: {"command":"make b"}\n\nNever b.',
  );
});

test("a call that a phase makes unsafe waits until it is alone, and none starts beside it", async () => {
  const log: string[] = [];
  const gates = new Map(["a", "b", "c", "d"].map((name) => [name, Promise.withResolvers<void>()] as const));
  const tool = {
    ...createTool({ name: "look" }),
    readOnly: (input: unknown) => !("writes" in (input as object)),
    concurrencySafe: (input: unknown) => !("writes" in (input as object)),
    run: async (input: unknown) => {
      const { name } = input as { name: string };
      log.push(`start ${name}`);
      await gates.get(name)?.promise;
      log.push(`end ${name}`);
      return { output: name, title: "" };
    },
  };
  const makeUnsafe = before("rewriter", ({ input }) =>
    input["name"] === "a" || input["name"] === "d"
      ? undefined
      : { decision: "change", input: { ...input, writes: true } },
  );
  const turns = [calls(...["a", "b", "c", "d"].map((name) => call(name, "look", { name }))), say("Done.")];
  const harness = createHarness({ tools: [tool], turns, parts: { callPhases: [makeUnsafe], concurrentCallsMax: 3 } });
  const done = harness.prompt(await harness.open("bypass"), "go");
  for (const [index, gate] of [...gates.values()].entries()) {
    await harness.waitForFact("tool.started", index + 1);
    gate.resolve();
  }
  await done;
  expect(log).toEqual(["start a", "end a", "start b", "end b", "start c", "end c", "start d", "end d"]);
});

test("no phases, an empty list and a phase that does nothing leave the same facts, timings included", async () => {
  const stories = await Promise.all(
    [undefined, [], [{ name: "idle", onError: "refuse" } as const]].map(async (callPhases) => {
      const parts = callPhases === undefined ? {} : { callPhases };
      const { harness } = openWorksite({ turns: working(bash("make a"), edit("a.ts", "+x")), parts });
      await harness.prompt(await harness.open("bypass"), "go");
      return harness.facts();
    }),
  );
  expect(stories[1]).toEqual(stories[0]);
  expect(stories[2]).toEqual(stories[0]);
});
