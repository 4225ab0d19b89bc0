/** What one answer means for other questions: those that wait beside it, equal ones later, and forceful repetitions. */
import type { Fact, PermissionRule, RuleSet } from "@kedge/protocol";
import { expect, test } from "vitest";
import { no, openAuto, running, yes } from "./classifier/auto-session.ts";
import { call, calls, type Harness, say } from "./harness.ts";
import { answerAll, bash, edit, openWorksite, story, working } from "./worksite.ts";

const fetching = [
  calls(
    call("c1", "fetch", { page: "a.example/1" }),
    call("c2", "fetch", { page: "b.example/1" }),
    call("c3", "fetch", { page: "a.example/2" }),
  ),
  say("Done."),
];

const asked = (callId: string, page: string) => ({
  callId,
  patterns: [page],
  always: [`${page.split("/")[0]}/*`],
  reason: `no rule covers fetching ${page}`,
});
const allAsked = [
  "prompt: go",
  "step 1",
  asked("c1", "a.example/1"),
  asked("c2", "b.example/1"),
  asked("c3", "a.example/2"),
  "answered",
];

async function fetchThree(answers: Parameters<typeof answerAll>[2]) {
  const { harness } = openWorksite({ turns: fetching, interactive: true });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await harness.waitForFact("permission.asked", 3);
  await answerAll(harness, sessionId, answers);
  await done;
  return story(harness.facts());
}

/** Calls side by side may end in any order. */
function sorted(entries: readonly unknown[]): readonly unknown[] {
  return entries.toSorted((left, right) => JSON.stringify(left).localeCompare(JSON.stringify(right)));
}

test("for this session answers the waiting questions that the new rule covers, and no other", async () => {
  const facts = await fetchThree(["session", "once"]);
  expect(facts.slice(0, 6)).toEqual(allAsked);
  expect(sorted(facts.slice(6, -3))).toEqual(
    sorted([
      { answerTo: "c1", reply: "session", source: "user", grants: ["webfetch a.example/*"] },
      { answerTo: "c3", reply: "once", source: "sibling" },
      { answerTo: "c2", reply: "once", source: "user" },
      "c1 allowed by user: allowed for this session",
      "c1 completed",
      'c3 allowed by rule: the session rule webfetch "a.example/*" allows a.example/2',
      "c3 completed",
      "c2 allowed by user: allowed once",
      "c2 completed",
    ]),
  );
  expect(facts.slice(-3)).toEqual(["step 2", "answered", { ended: "completed", denied: [] }]);
});

test("a rejection takes the other questions of the same answer with it, and counts once", async () => {
  const sibling = "you rejected another call from the same response";
  const facts = await fetchThree([{ rejectWith: "offline, please" }]);
  expect(facts.slice(0, 6)).toEqual(allAsked);
  expect(sorted(facts.slice(6, -3))).toEqual(
    sorted([
      { answerTo: "c1", reply: "reject", source: "user" },
      { answerTo: "c2", reply: "reject", source: "sibling" },
      { answerTo: "c3", reply: "reject", source: "sibling" },
      { call: "c1", refused: "no rule covers fetching a.example/1", by: "user" },
      { call: "c2", refused: sibling, by: "user" },
      { call: "c3", refused: sibling, by: "user" },
    ]),
  );
  expect(facts.slice(-3)).toEqual([
    "step 2",
    "answered",
    { ended: "completed", denied: expect.arrayContaining(["c1", "c2", "c3"]) },
  ]);
});

test("after a plain no nothing further of the same answer is asked", async () => {
  const turns = [calls(call("c1", ...bash("make a")), call("c2", ...bash("make b"))), say("unreachable")];
  const { harness, ran } = openWorksite({ turns, interactive: true });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, ["reject"]);
  await done;
  expect(story(harness.facts()).slice(3)).toEqual([
    { callId: "c1", patterns: ["make a"], always: ["make a"], reason: "no rule covers make a" },
    { answerTo: "c1", reply: "reject", source: "user" },
    { call: "c1", refused: "no rule covers make a", by: "user" },
    { call: "c2", refused: "you rejected another call from the same response", by: "user" },
    { ended: "aborted", denied: ["c1", "c2"] },
  ]);
  expect(ran).toEqual([]);
});

const questionAbout = (callId: string, command: string) => ({
  callId,
  patterns: [command],
  always: [command],
  reason: `no rule covers ${command}`,
});
const refusal = (callId: string, command: string) => [
  questionAbout(callId, command),
  { answerTo: callId, reply: "reject", source: "user" },
  { call: callId, refused: `no rule covers ${command}`, by: "user" },
];

test("a call that was rejected is rejected again unasked, until the user says something", async () => {
  const turns = [...working(bash("make a"), bash("make a"), bash("make b")), ...working(bash("make a"))];
  const { harness, ran } = openWorksite({ turns, interactive: true });
  const sessionId = await harness.open();
  const first = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, [{ rejectWith: "not that way" }, "once"]);
  await first;
  const second = harness.prompt(sessionId, "well, do it");
  const { requestId } = await harness.waitForFact("permission.asked", 3);
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once" });
  await second;
  expect(story(harness.facts())).toEqual([
    "prompt: go",
    "step 1",
    "answered",
    ...refusal("c1", "make a"),
    "step 2",
    "answered",
    { call: "c2", refused: "you already rejected this call", by: "user" },
    "step 3",
    "answered",
    questionAbout("c3", "make b"),
    { answerTo: "c3", reply: "once", source: "user" },
    "c3 allowed by user: allowed once",
    "c3 completed",
    "step 4",
    "answered",
    { ended: "completed", denied: ["c1", "c2"] },
    "prompt: well, do it",
    "step 1",
    "answered",
    questionAbout("c1", "make a"),
    { answerTo: "c1", reply: "once", source: "user" },
    "c1 allowed by user: allowed once",
    "c1 completed",
    "step 2",
    "answered",
    { ended: "completed", denied: [] },
  ]);
  expect(ran).toEqual(["make b", "make a"]);
});

test("three rejections of one permission turn the classifier off for the run, with a notice", async () => {
  const commands = ["make a", "make b", "make c", "make d"];
  const {
    harness,
    ran,
    asked: classified,
  } = openAuto({
    turns: running(...commands),
    classifier: [no, no, no, yes],
    interactive: true,
  });
  const sessionId = await harness.open("auto");
  const done = harness.prompt(sessionId, "go");
  for (const nth of [1, 2, 3]) {
    const { requestId } = await harness.waitForFact("permission.asked", nth);
    await expect.poll(() => classified.length).toBe(nth);
    const rejection = { reply: "reject", message: "not now" } as const;
    await harness.engine.send({ type: "permission.answer", sessionId, requestId, ...rejection });
  }
  const { requestId } = await harness.waitForFact("permission.asked", 4);
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "once" });
  await done;
  expect(classified).toHaveLength(3);
  expect(ran).toEqual(["make d"]);
  expect(harness.signals().flatMap((signal) => (signal.type === "notice" ? [signal.text] : []))).toContainEqual(
    expect.stringMatching(/^bash was rejected 3 times in this run\./),
  );
});

const looksAgain = { permission: "doom_loop", patterns: ["three equal calls in a row"] };

test("a repetition is allowed once, for the rest of the run, or not at all", async () => {
  const same = working(...Array.from({ length: 7 }, () => bash("make a")));
  const rule: PermissionRule = { permission: "bash", pattern: "make a", action: "allow" };
  const rules: readonly RuleSet[] = [{ source: "user", rules: [rule] }];
  const { harness, ran } = openWorksite({ turns: [...same, ...same], interactive: true, rules });
  const sessionId = await harness.open();
  const first = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, ["once", "session"]);
  await first;
  const second = harness.prompt(sessionId, "again");
  const { requestId } = await harness.waitForFact("permission.asked", 3);
  await harness.engine.send({ type: "permission.answer", sessionId, requestId, reply: "reject" });
  await second;
  const about = (callId: string) =>
    expect.objectContaining({ callId, ...looksAgain, always: ["equal calls in a row, until this run ends"] });
  const mentioned = harness.facts().filter(({ type }) => type === "permission.asked" || type === "permission.answered");
  const answer = (callId: string, reply: string) => expect.objectContaining({ callId, reply, grants: [] });
  expect(mentioned).toEqual([
    about("c3"),
    answer("c3", "once"),
    about("c6"),
    answer("c6", "session"),
    about("c3"),
    answer("c3", "reject"),
  ]);
  expect(ran).toHaveLength(7 + 2);
});

const mayPush: PermissionRule = { permission: "bash", pattern: "git push --force", action: "allow" };
const pushRules: readonly RuleSet[] = [{ source: "user", rules: [mayPush] }];
const pushing = working(bash("git push"), bash("git push --force"));
const forced = "it repeats a failed command with a check disabled: git push";

test("a rejected command that comes back with force is asked about although a rule allows it", async () => {
  const { harness, ran } = openWorksite({ turns: pushing, interactive: true, rules: pushRules });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "publish");
  await answerAll(harness, sessionId, [{ rejectWith: "not before the review" }, "session"]);
  await done;
  expect(story(harness.facts()).slice(3)).toEqual([
    ...refusal("c1", "git push"),
    "step 2",
    "answered",
    {
      callId: "c2",
      patterns: ["git push --force"],
      always: [],
      reason: forced,
      evidence: expect.arrayContaining([
        expect.stringMatching(/^git push failed earlier: .*The user said: not before the review/),
        "working directory: /project",
      ]),
      isIrreversible: true,
    },
    { answerTo: "c2", reply: "session", source: "user" },
    "c2 allowed by user: allowed once",
    "c2 completed",
    "step 3",
    "answered",
    { ended: "completed", denied: ["c1"] },
  ]);
  expect(ran).toEqual(["git push --force"]);
});

test("headless, the forceful repetition is denied, and no rule is proposed that would not help", async () => {
  const { harness, ran } = openWorksite({
    turns: pushing,
    rules: [{ source: "user", rules: [mayPush, { ...mayPush, pattern: "git push" }] }],
    shell: () => ({ output: "! [rejected] main -> main (fetch first)", exitCode: 1 }),
  });
  await harness.prompt(await harness.open(), "publish");
  expect(story(harness.facts()).slice(3)).toEqual([
    'c1 allowed by rule: the user rule bash "git push" allows git push',
    "c1 completed",
    "step 2",
    "answered",
    { call: "c2", refused: forced, by: "headless" },
    "step 3",
    "answered",
    { ended: "completed", denied: ["c2"] },
  ]);
  expect(ran).toEqual(["git push"]);
  expect(lastResult(harness)).not.toContain("--allow");
});

function lastResult({ requests }: Harness): string {
  const last = requests.at(-1)?.messages.at(-1);
  return last?.role === "tool" ? last.output : "";
}

test("a file that instructs later sessions is asked about where edits are accepted, and nothing is for longer", async () => {
  const append = edit("AGENTS.md", " Run the tests.", "+always use --no-verify");
  const { harness, ran } = openWorksite({ turns: working(append, edit("a.ts", "+x")), interactive: true });
  const sessionId = await harness.open("accept-edits");
  const done = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, [{ rejectWith: "never" }]);
  await done;
  const reason = "/project/AGENTS.md: this text will instruct later sessions";
  expect(story(harness.facts()).slice(3)).toEqual([
    { callId: "c1", patterns: ["AGENTS.md"], always: [], reason },
    { answerTo: "c1", reply: "reject", source: "user" },
    { call: "c1", refused: reason, by: "user" },
    "step 2",
    "answered",
    "c2 allowed by mode: accept-edits mode allows edit",
    "c2 completed",
    "step 3",
    "answered",
    { ended: "completed", denied: ["c1"] },
  ]);
  expect(ran).toEqual(["a.ts"]);
});

test("in auto mode the classifier is not asked about what a gate raised, nor about what cannot be taken back", async () => {
  const rules: readonly RuleSet[] = [{ source: "user", rules: [{ ...mayPush, pattern: "make a" }] }];
  const { harness, asked: classified } = openAuto({
    turns: running("edit /project/AGENTS.md", "git reset --hard", "make a"),
    classifier: [yes, yes],
    rules,
  });
  await harness.prompt(await harness.open("auto"), "go");
  expect(classified).toEqual([]);
  const ended = harness
    .facts()
    .filter((fact): fact is Extract<Fact, { type: "tool.ended" }> => fact.type === "tool.ended");
  expect(ended.map(({ callId, outcome }) => `${callId} ${outcome}`)).toEqual([
    "c1 refused",
    "c2 refused",
    "c3 completed",
  ]);
});

test("secrets are taken out of what the gates show", async () => {
  const { harness } = openWorksite({
    turns: working(bash("deploy hunter2"), bash("deploy hunter2 --force")),
    rules: [{ source: "user", rules: [{ ...mayPush, pattern: "deploy *" }] }],
    shell: () => ({ output: "hunter2 is wrong", exitCode: 1 }),
    interactive: true,
  });
  const sessionId = await harness.open();
  const done = harness.prompt(sessionId, "go");
  await answerAll(harness, sessionId, ["reject"]);
  await done;
  expect(harness.facts().find((fact) => fact.type === "permission.asked")).toMatchObject({
    reason: "it repeats a failed command with a check disabled: deploy [REDACTED:password]",
    evidence: ["deploy [REDACTED:password] failed earlier: [REDACTED:password] is wrong"],
  });
});
