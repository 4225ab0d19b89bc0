/** What the model reads when a call may not run, word for word. */
import { expect, test } from "vitest";
import { bash, call, context, edit, read, rule, ruleSet } from "../../test/judge-cases.ts";
import { judge } from "./judge.ts";
import type { JudgeCall, JudgeContext } from "./subject.ts";
import { denialText, headlessText, rejectionText } from "./texts.ts";

function denialOf(one: JudgeCall, settings: JudgeContext): string {
  const verdict = judge(one, settings);
  if (verdict.verdict !== "deny") throw new Error(`expected a denial, got ${verdict.verdict}`);
  return denialText(verdict);
}

function headlessOf(one: JudgeCall, settings: JudgeContext): string {
  const verdict = judge(one, settings);
  if (verdict.verdict !== "ask") throw new Error(`expected a question, got ${verdict.verdict}`);
  return headlessText(verdict);
}

test("a denial lists the rules of its permission and no others", () => {
  const rules = [
    ruleSet("project", rule("edit", "*", "ask")),
    ruleSet("user", rule("bash", "*", "ask"), rule("edit", "*", "allow"), rule("bash", "rm *", "deny")),
  ];
  const grants = [rule("bash", "ls", "allow"), rule("read", "*", "allow")];
  expect(denialOf(bash("rm -rf $(pwd)"), context({ rules, grants }))).toBe(
    [
      'A rule of the user forbids this call, so it did not run: the user rule bash "rm *" denies rm -rf $(pwd).',
      "Rules for bash that matched or could match, in order:",
      '[{"permission":"bash","pattern":"*","action":"ask","source":"user"},',
      '{"permission":"bash","pattern":"rm *","action":"deny","source":"user"},',
      '{"permission":"bash","pattern":"ls","action":"allow","source":"session"}]',
      "Do not try to reach the same effect another way. If the task cannot be done without this call, say so and leave the decision to the user.",
    ].join("\n"),
  );
});

test("a denial lists at most twenty rules, the deciding one among them", () => {
  const many = Array.from({ length: 50 }, (_, index) => rule("edit", `src/${index}.ts`, "ask"));
  const rules = [ruleSet("user", rule("edit", "a.ts", "deny"), ...many)];
  const text = denialOf(edit("a.ts"), context({ rules }));
  const listed = JSON.parse(text.slice(text.indexOf("["), text.lastIndexOf("]") + 1));
  expect(listed).toEqual([
    { permission: "edit", pattern: "a.ts", action: "deny", source: "user" },
    ...many.slice(31).map((one) => ({ ...one, source: "user" })),
  ]);
});

test("a denial while planning says what is possible", () => {
  expect(denialOf(edit("a.ts"), context({ mode: "plan" }))).toBe(
    "This call did not run, because plan mode does not allow edit, which makes changes. While planning only reading is possible, and writing files in .kedge/plans/. Finish the plan and present it; the user decides when work on it begins. Do not try to reach the same effect another way.",
  );
});

test("a denial by a guard says that nothing opens the file", () => {
  expect(denialOf(read("/proc/1/environ"), context())).toBe(
    "This call did not run, because /proc/1/environ is off limits to every tool. No rule and no answer of the user opens it: it holds credentials, the text of other sessions or the memory of a process, or it lies on another machine. Do not try to reach its content another way. If the task seems to need it, say what for.",
  );
});

test("a rejection differs from a denial and carries the user's words as they are", () => {
  expect(rejectionText()).toBe(
    "The user was asked about this call and declined it this time, so it did not run. This is an answer to this one call, not a rule.",
  );
  expect(rejectionText("  ")).toBe(rejectionText());
  expect(rejectionText(`use \${feedback} and $& instead`)).toBe(
    `The user was asked about this call and declined it this time, so it did not run. The user said:\nuse \${feedback} and $& instead\nGo on from there.`,
  );
});

test("without a person the text names the flag and the setting that would permit the call", () => {
  expect(headlessOf(bash("npm test"), context())).toBe(
    [
      "This call needs the permission of a person, and nobody can answer in this run, so it did not run: no rule covers npm test.",
      `What would permit it: kedge started with --allow 'Bash(npm test)', or the setting "permission": {"bash":{"npm test":"allow"}} in the user's configuration.`,
      "Do not try to reach the same effect another way. Do what can be done without this call, and name it at the end as what is still missing.",
    ].join("\n"),
  );
});

function remedyOf(one: JudgeCall, settings: JudgeContext): string | undefined {
  return headlessOf(one, settings).split("\n").at(-2);
}

test("without a person every string gets its own rule, quoted for a shell", () => {
  expect(remedyOf(bash("echo 'a'"), context())).toBe(
    `What would permit it: kedge started with --allow 'Bash(echo '\\''a'\\'')', or the setting "permission": {"bash":{"echo 'a'":"allow"}} in the user's configuration.`,
  );
  expect(remedyOf(edit("/other/a.ts"), context())).toBe(
    `What would permit it: kedge started with --allow 'Edit(/other/a.ts)' --allow 'external_directory(/other)', or the setting "permission": {"edit":{"/other/a.ts":"allow"},"external_directory":{"/other":"allow"}} in the user's configuration.`,
  );
  expect(remedyOf(call("deploy", [], { readOnly: false }), context())).toBe(
    `What would permit it: kedge started with --allow 'Deploy', or the setting "permission": {"deploy":{"*":"allow"}} in the user's configuration.`,
  );
});

test("a command that a flag would read as a prefix is only named as a setting", () => {
  expect(remedyOf(bash("echo a:*"), context())).toBe(
    `What would permit it: the setting "permission": {"bash":{"echo a:*":"allow"}} in the user's configuration.`,
  );
});

test("a written ask of the user is outranked by the flag alone", () => {
  const rules = [ruleSet("user", rule("bash", "git push*", "ask"))];
  expect(remedyOf(bash("git push"), context({ rules }))).toBe(
    "What would permit it: kedge started with --allow 'Bash(git push)'.",
  );
  const allowed = [...rules, ruleSet("command-line", rule("bash", "git push", "allow"))];
  expect(judge(bash("git push"), context({ rules: allowed })).verdict).toBe("allow");
});

test("an ask of the project or of policy cannot be outranked", () => {
  const rules = [ruleSet("project", rule("edit", "*", "ask"))];
  expect(remedyOf(edit("a.ts"), context({ rules }))).toBe(
    'The project rule {"permission":"edit","pattern":"*","action":"ask","source":"project"} demands an answer each time; only changing that rule permits it.',
  );
});
