/** A command that runs unasked because it only looks: where it runs, and what happens when that holds it back. */
import type { AnalyseShell, PermissionMode, RuleSet, Snapshots, Tool } from "@kedge/protocol";
import { expect, test } from "vitest";
import { call, calls, createHarness, say } from "./harness.ts";
import { answerAll, story } from "./worksite.ts";

/** Everything only looks. */
const analyseShell: AnalyseShell = (command) => ({
  commands: command
    .split(";")
    .map((text) => ({ text, otherTexts: [], isTransparent: false, riskyOptions: [], readOnly: true })),
  files: [],
  concerns: [],
  readOnly: true,
  looksAt: "files",
});

type Site = {
  /** One or more of each answer of the model. */
  readonly commands: readonly (string | readonly string[])[];
  readonly interactive?: boolean;
  readonly rules?: readonly RuleSet[];
  readonly snapshots?: Snapshots;
};

function openSite({ commands, interactive = true, rules = [], snapshots }: Site) {
  const ran: string[] = [];
  let directory = "/project";
  const shell: Tool<unknown> = {
    name: "bash",
    description: "bash",
    inputSchema: { type: "object" },
    resultCharactersMax: 5_000,
    parse: (input) => ({ ok: true, input }),
    needs: (input) => {
      const { command } = input as { readonly command: string };
      return [{ permission: "bash", patterns: [command], always: [command], access: "execute", paths: [directory] }];
    },
    readOnly: () => true,
    concurrencySafe: () => true,
    run: async (input, context) => {
      const { command } = input as { readonly command: string };
      const { look, sink } = context;
      ran.push(`${command} ${look === undefined ? "freely" : "confined"}`);
      sink.write(look === undefined ? "done" : "held back", "stdout");
      const blocked = look !== undefined && command.startsWith("act") ? { blocked: "it tried to write" } : {};
      return { output: sink.dump().output, title: command, ...blocked };
    },
  };
  const place = createHarness({}).parts.workspace;
  const harness = createHarness({
    tools: [shell],
    interactive,
    rules,
    turns: [
      ...commands.map((command, turn) => {
        const texts = typeof command === "string" ? [command] : command;
        return calls(...texts.map((text, index) => call(`c${turn + 1 + index}`, "bash", { command: text })));
      }),
      say("Done."),
    ],
    ...(snapshots && { snapshots }),
    parts: { workspace: { ...place, analyseShell, confinesLooks: () => true } },
  });
  const moveTo = (path: string) => {
    directory = path;
  };
  return { harness, ran, moveTo };
}

async function runSite(site: Site, replies: Parameters<typeof answerAll>[2] = [], mode: PermissionMode = "default") {
  const { harness, ran } = openSite(site);
  const sessionId = await harness.open(mode);
  const done = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, replies);
  await done;
  return { ran, facts: harness.facts(), harness };
}

test("a look runs confined and unasked", async () => {
  const { ran, facts } = await runSite({ commands: ["look"] });
  expect(ran).toEqual(["look confined"]);
  expect(facts.some(({ type }) => type === "permission.asked")).toBe(false);
});

test("in bypass and by a rule it runs as it is", async () => {
  expect((await runSite({ commands: ["look"] }, [], "bypass")).ran).toEqual(["look freely"]);
  const rules: readonly RuleSet[] = [
    { source: "user", rules: [{ permission: "bash", pattern: "look", action: "allow" }] },
  ];
  expect((await runSite({ commands: ["look"], rules })).ran).toEqual(["look freely"]);
});

test("one that was held back is asked about, and runs normally only when a person says so", async () => {
  const trees = ["tree-1", "tree-2"];
  const snapshots: Snapshots = {
    track: async () => ({ ok: true, tree: trees.shift() ?? "tree-3", uncovered: [] }),
    changes: async () => [],
    restore: async () => undefined,
    diff: async () => "",
  };
  const { ran, facts } = await runSite({ commands: ["act"], snapshots }, ["once"]);
  expect(ran).toEqual(["act confined", "act freely"]);
  expect(story(facts.filter(({ type }) => /^(?:tool|permission)\./.test(type)))).toEqual([
    "c1 allowed by default: act is read-only",
    {
      callId: "c1",
      patterns: ["act"],
      always: ["act"],
      reason: "it could not run in the read-only sandbox: it tried to write. Run it normally?",
    },
    { answerTo: "c1", reply: "once", source: "user" },
    "c1 allowed by user: allowed once",
    "c1 completed",
  ]);
  // Looking needs no tree of the workspace; what may act has one, so that it can be undone.
  const started = facts.filter((fact) => fact.type === "tool.started");
  expect(started.map(({ readOnly, snapshot }) => ({ readOnly, snapshot }))).toEqual([
    { readOnly: true, snapshot: undefined },
    { readOnly: false, snapshot: "tree-1" },
  ]);
  // What the look printed is not part of the result.
  expect(facts.find((fact) => fact.type === "tool.ended")).toMatchObject({ output: "done" });
});

test("a rejection ends the call without an effect", async () => {
  const { ran, facts } = await runSite({ commands: ["act"] }, [{ rejectWith: "no need" }]);
  expect(ran).toEqual(["act confined"]);
  expect(facts.find((fact) => fact.type === "tool.ended")).toMatchObject({
    outcome: "refused",
    output: expect.stringContaining("no need"),
  });
});

test("an answer for the session is for this very command", async () => {
  const { ran } = await runSite({ commands: ["act", "act", "act more"] }, ["session", { rejectWith: "not this" }]);
  expect(ran).toEqual(["act confined", "act freely", "act freely", "act more confined"]);
});

test("what is granted to another call answers no question about a look that was held back", async () => {
  const { harness: both, ran } = openSite({ commands: [["act one", "act two"]] });
  const sessionId = await both.open();
  const done = both.prompt(sessionId, "go");
  const first = await both.waitForFact("permission.asked", 1);
  const second = await both.waitForFact("permission.asked", 2);
  await both.engine.send({ type: "permission.answer", sessionId, requestId: first.requestId, reply: "session" });
  expect(ran.filter((text) => text.endsWith("freely")).length).toBeLessThan(2);
  await both.engine.send({
    type: "permission.answer",
    sessionId,
    requestId: second.requestId,
    reply: "reject",
    message: "no",
  });
  await done;
  expect(ran.filter((text) => text.endsWith("freely"))).toEqual([`${first.patterns[0]} freely`]);
});

test("a rule or a mode that came while the person was asked still counts", async () => {
  const { harness, ran } = openSite({ commands: ["act"] });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  await harness.engine.send({ type: "mode.change", sessionId, mode: "plan" });
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once" });
  await done;
  expect(ran).toEqual(["act confined"]);
  expect(harness.facts().find((fact) => fact.type === "tool.ended")).toMatchObject({
    outcome: "refused",
    decision: { source: "mode" },
  });
});

test("an answer is for the directory that was shown", async () => {
  const { harness, ran, moveTo } = openSite({ commands: ["act"] });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  moveTo("/project/elsewhere");
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once" });
  await done;
  expect(ran).toEqual(["act confined"]);
  expect(harness.facts().find((fact) => fact.type === "tool.ended")).toMatchObject({
    outcome: "failed",
    output: expect.stringContaining("The working directory changed"),
  });
});

test.each(["headless", "plan"])("%s, the result says why and which rule would permit it", async (kind) => {
  const mode = kind === "plan" ? "plan" : "default";
  const { ran, facts } = await runSite({ commands: ["act"], interactive: kind === "plan" }, [], mode);
  expect(ran).toEqual(["act confined"]);
  const ended = facts.find((fact) => fact.type === "tool.ended");
  expect(ended).toMatchObject({ outcome: "completed" });
  expect(ended?.output).toMatch(/^held back\n.*held back there: it tried to write\./);
  expect(ended?.output).toContain("--allow 'Bash(act)'");
});

test("a tool that says it was held back although it did not look is not asked about", async () => {
  const tool: Tool<unknown> = {
    name: "odd",
    description: "odd",
    inputSchema: { type: "object" },
    resultCharactersMax: 100,
    parse: (input) => ({ ok: true, input }),
    needs: () => [{ permission: "read", patterns: ["a"], always: [], access: "read" }],
    readOnly: () => true,
    concurrencySafe: () => true,
    run: async () => ({ output: "read", title: "odd", blocked: "it wants more" }),
  };
  const harness = createHarness({
    tools: [tool],
    interactive: true,
    turns: [calls(call("c1", "odd", {})), say("Done.")],
  });
  await harness.prompt(await harness.open(), "go");
  expect(harness.facts().some(({ type }) => type === "permission.asked")).toBe(false);
});
