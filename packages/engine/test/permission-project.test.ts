/** The answer "project": which questions offer it, what is saved, and what happens when nothing can be saved. */
import type { Failure, PermissionRule, RuleSet } from "@kedge/protocol";
import { expect, test } from "vitest";
import type { EngineParts } from "../src/index.ts";
import { call, calls, say } from "./harness.ts";
import { readPlainCommands } from "./judge-cases.ts";
import { answerAll, bash, edit, openWorksite, story, type WorksiteOptions, working } from "./worksite.ts";

const unsaved: Failure = { code: "configuration", message: "The disk is full.", retryable: false };

function openSaving(options: Partial<WorksiteOptions>, outcomes: readonly (Failure | undefined)[] = [undefined]) {
  const saved: (readonly PermissionRule[])[] = [];
  const saveRules: EngineParts["saveRules"] = async (rules) => {
    const failure = outcomes[saved.length];
    saved.push(rules);
    return failure === undefined ? { ok: true, notice: "Saved." } : { ok: false, failure };
  };
  const site = openWorksite({ turns: [], interactive: true, ...options, parts: { saveRules, ...options.parts } });
  return { ...site, saved };
}

const question = (callId: string, command: string) => ({
  callId,
  patterns: [command],
  always: [command],
  reason: `no rule covers ${command}`,
  isSavable: true,
  saves: [{ permission: "bash", pattern: command, action: "allow" }],
});

test("the rules are saved once and allow the call for the session too", async () => {
  const { harness, saved, ran } = openSaving({ turns: working(bash("make a"), bash("make a")) });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, ["project"]);
  await done;
  expect(story(harness.facts())).toEqual([
    "prompt: go",
    "step 1",
    "answered",
    question("c1", "make a"),
    { answerTo: "c1", reply: "project", source: "user", grants: ["bash make a"] },
    "c1 allowed by user: allowed for this project",
    "c1 completed",
    "step 2",
    "answered",
    'c2 allowed by rule: the session rule bash "make a" allows make a',
    "c2 completed",
    "step 3",
    "answered",
    { ended: "completed", denied: [] },
  ]);
  expect(saved).toEqual([[{ permission: "bash", pattern: "make a", action: "allow" }]]);
  expect(ran).toEqual(["make a", "make a"]);
  const notices = harness.signals().flatMap((signal) => (signal.type === "notice" ? [signal.text] : []));
  expect(notices).toEqual(["Saved.", "Undo is unavailable in this session: there are none in this test"]);
});

test("when nothing can be saved the user is told, and the question goes on to wait", async () => {
  const { harness, saved, ran } = openSaving({ turns: working(bash("make a")) }, [unsaved]);
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  const command = { type: "permission.answer", sessionId, requestId } as const;
  expect(await harness.engine.send({ ...command, reply: "project" })).toEqual({ ok: false, failure: unsaved });
  expect(ran).toEqual([]);
  expect(await harness.engine.send({ ...command, reply: "once" })).toEqual({ ok: true, value: {} });
  await done;
  expect(story(harness.facts()).slice(3, 7)).toEqual([
    question("c1", "make a"),
    { answerTo: "c1", reply: "once", source: "user" },
    "c1 allowed by user: allowed once",
    "c1 completed",
  ]);
  expect(saved.length).toBe(1);
});

test("an interruption while rules are being saved ends the question", async () => {
  const saving = Promise.withResolvers<void>();
  const parts: Partial<EngineParts> = {
    saveRules: async () => {
      await saving.promise;
      return { ok: false, failure: unsaved };
    },
  };
  const { harness, ran } = openSaving({ turns: working(bash("make a")), parts });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { requestId } = await harness.waitForFact("permission.asked");
  const answer = harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "project" });
  await harness.engine.send({ type: "turn.interrupt", sessionId });
  saving.resolve();
  expect(await answer).toEqual({ ok: false, failure: unsaved });
  await done;
  expect(story(harness.facts()).slice(4)).toEqual([
    { answerTo: "c1", reply: "reject", source: "interrupt" },
    "c1 interrupted",
    { ended: "aborted", denied: [] },
  ]);
  expect(ran).toEqual([]);
});

test("what it covers is answered with it", async () => {
  const fetch = (callId: string, page: string) => call(callId, "fetch", { page });
  const turns = [calls(fetch("c1", "a.example/1"), fetch("c2", "a.example/2")), say("Done.")];
  const { harness } = openSaving({ turns });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await harness.waitForFact("permission.asked", 2);
  await answerAll(harness, sessionId, ["project"]);
  await done;
  const answers = harness.facts().filter((fact) => fact.type === "permission.answered");
  expect(answers.map(({ callId, reply, source }) => ({ callId, reply, source }))).toEqual([
    { callId: "c1", reply: "project", source: "user" },
    { callId: "c2", reply: "once", source: "sibling" },
  ]);
});

const pushing: Partial<EngineParts> = {
  workspace: {
    cwd: "/project",
    root: "/project",
    projectId: "project-1",
    lookAtPath: (path) => ({ place: path.startsWith("/project") ? "inside" : "outside", otherNames: [] }),
    analyseShell: (command, place) => {
      const { commands, ...rest } = readPlainCommands(command, place);
      return { ...rest, commands: commands.map((one) => ({ ...one, outward: "it is sent elsewhere" })) };
    },
    isProtected: () => false,
    home: "/home/dev",
    kedgeHome: "/home/dev/.kedge",
  },
};
const rules = (source: RuleSet["source"], action: "ask" | "allow", pattern = "*"): readonly RuleSet[] => [
  { source, rules: [{ permission: "bash", pattern, action }] },
];

type Offer = readonly [name: string, options: Partial<WorksiteOptions>, offered: boolean];

const offers: readonly Offer[] = [
  ["nothing speaks of it", {}, true],
  ["a rule of the user asks", { rules: rules("user", "ask") }, true],
  ["a rule of the project asks, which a saved one would not beat", { rules: rules("project", "ask") }, false],
  ["a policy asks", { rules: rules("policy", "ask") }, false],
  ["only managed rules count", { parts: { policy: { managedRulesOnly: true, disabledModes: [] } } }, false],
  ["it is sent elsewhere", { parts: pushing }, false],
];

test.each(offers)("whether it is offered when %s", async (_, options, offered) => {
  const { harness, saved } = openSaving({ turns: working(bash("make a")), ...options });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  const { isSavable = false, requestId } = await harness.waitForFact("permission.asked");
  expect(isSavable).toBe(offered);
  const answer = await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "project" });
  expect({ isTaken: answer.ok, saved: saved.length }).toEqual({ isTaken: offered, saved: offered ? 1 : 0 });
  if (!offered) await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once" });
  await done;
});

test("it is not offered for a repetition, nor where nobody can save", async () => {
  const repeated = openSaving({ turns: working(edit("a", "+x"), edit("a", "+x"), edit("a", "+x")) });
  const sessionId = await repeated.harness.open("accept-edits");
  const done = repeated.harness.prompt(sessionId, "go");
  const { isSavable, permission } = await repeated.harness.waitForFact("permission.asked");
  expect({ isSavable, permission }).toEqual({ isSavable: undefined, permission: "doom_loop" });
  await answerAll(repeated.harness, sessionId, ["once"]);
  await done;
  const plain = openWorksite({ turns: working(bash("make a")), interactive: true });
  const plainId = await plain.harness.open();
  const plainDone = plain.harness.prompt(plainId, "go");
  expect((await plain.harness.waitForFact("permission.asked")).isSavable).toBe(undefined);
  await answerAll(plain.harness, plainId, ["once"]);
  await plainDone;
});
