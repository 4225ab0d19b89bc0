/** Answers that last, for commands that write to files by redirection: they cover what was asked, and nothing else. */
import { type AskVerdict, type JudgeCall, type JudgeContext, judge } from "@kedge/engine";
import type { PermissionRule, RuleSet } from "@kedge/protocol";
import { isProtectedPath } from "@kedge/sandbox";
import { analyseShell } from "@kedge/sandbox/shell";
import { expect, test } from "vitest";

const root = "/w";
const home = "/home/dev";

function contextOf(settings: Pick<Partial<JudgeContext>, "rules" | "grants" | "mode">): JudgeContext {
  return {
    rules: [],
    grants: [],
    mode: "default",
    lookAtPath: (path) => ({
      place: path === root || path.startsWith(`${root}/`) ? "inside" : "outside",
      otherNames: [],
    }),
    isProtected: (path) => isProtectedPath(path, { home, root }),
    kedgeHome: `${home}/.kedge`,
    ...{ root, home, analyseShell },
    ...settings,
  };
}

function bash(command: string): JudgeCall {
  const need = {
    permission: "bash",
    patterns: [command],
    always: [command],
    access: "execute",
    paths: [root],
  } as const;
  return { tool: "bash", needs: [need], readOnly: false, cwd: root };
}

function edit(path: string): JudgeCall {
  const need = { permission: "edit", patterns: [path], always: ["*"], access: "write", paths: [path] } as const;
  return { tool: "edit", needs: [need], readOnly: false, cwd: root };
}

function questionOn(command: string, rules: readonly RuleSet[] = []): AskVerdict {
  const verdict = judge(bash(command), contextOf({ rules }));
  if (verdict.verdict !== "ask") throw new Error(`${command} is not asked about`);
  return verdict;
}

const textOf = ({ permission, pattern }: PermissionRule) => `${permission} ${pattern}`;
const user = (...rules: readonly PermissionRule[]): RuleSet => ({ source: "user", rules });
const ruleOf = (permission: string, pattern: string, action: PermissionRule["action"]) => ({
  permission,
  pattern,
  action,
});

type Case = readonly [command: string, granted: readonly string[], stillAsked: readonly string[]];

const cases: readonly Case[] = [
  [
    "echo x > out.txt",
    ["edit /w/out.txt"],
    [
      "echo x > other.txt",
      "echo x > out.txt.orig",
      "echo x > /tmp/out.txt",
      "cd sub && echo x > out.txt",
      "npm test > out.txt",
      "echo x > out.txt; rm out.txt",
      'echo x > "$F"',
      "echo x > .git/hooks/pre-commit",
    ],
  ],
  [
    "npm test > log.txt",
    ["bash npm test *", "edit /w/log.txt"],
    ["npm run build > log.txt", "npm test > other.txt", "npm test && echo x > a.txt"],
  ],
  ["cd sub && echo x >> out.txt", ["edit /w/sub/out.txt"], ["echo x > out.txt"]],
  ["cat <<END > a.txt\nhi\nEND", ["edit /w/a.txt"], ["cat <<END > b.txt\nhi\nEND"]],
  [
    "npm test > /tmp/log.txt",
    ["bash npm test *", "edit /tmp/log.txt", "external_directory /tmp/*"],
    ["npm test > /tmp/other.txt", "npm test > /var/log.txt"],
  ],
  ["printf x > .env", ["edit /w/.env", "secret_file /w/.env"], ["printf x > sub/.env"]],
  // Where all of the text is what is granted, it holds the files.
  ["rm a.txt > log.txt", ["bash rm a.txt > log.txt"], ["rm a.txt", "echo x > log.txt", "rm b.txt > log.txt"]],
  ['echo x > "$F"', ['bash echo x > "$F"'], ['echo x > "$G"', "echo x > F"]],
];

test.each(cases)("%j, allowed in this session, is not asked again; other commands and files are", (...given) => {
  const [command, granted, stillAsked] = given;
  const { grants } = questionOn(command);
  expect(grants.map(textOf)).toEqual(granted);
  const saved: RuleSet = { source: "local", rules: grants };
  for (const settings of [{ grants }, { rules: [saved] }]) {
    expect(judge(bash(command), contextOf(settings)).verdict).toBe("allow");
    for (const other of stillAsked)
      expect([other, judge(bash(other), contextOf(settings)).verdict]).toEqual([other, "ask"]);
  }
});

test.each(["echo x > docs/a.txt", "cd docs && echo x > a.txt", "cp b docs/a.txt", "echo x | tee docs/a.txt"])(
  "a rule for a path of the project holds for %s",
  (command) => {
    const given = (action: PermissionRule["action"]) => [
      user(ruleOf("bash", "*", "allow"), ruleOf("edit", "docs/*", action)),
    ];
    for (const action of ["deny", "ask", "allow"] as const) {
      for (const mode of ["default", "accept-edits"] as const) {
        expect([mode, judge(bash(command), contextOf({ rules: given(action), mode })).verdict]).toEqual([mode, action]);
      }
    }
  },
);

test("what was granted for a file is not granted for one of the same name in another directory", () => {
  const grants = [ruleOf("edit", "out.txt", "allow")];
  expect(judge(edit("out.txt"), contextOf({ grants })).verdict).toBe("allow");
  expect(judge(bash("cd sub && echo x > out.txt"), contextOf({ grants })).verdict).toBe("ask");
});

test("a file whose name is a pattern is never granted", () => {
  for (const command of ["echo x > 'a*'", "echo x > 'what?'", "npm test > 'logs *'"]) {
    expect([command, questionOn(command).grants]).toEqual([command, []]);
  }
});

test("a file that affects what runs later is never granted", () => {
  expect(questionOn("echo x > .git/hooks/pre-commit").grants).toEqual([]);
});

test("a file that a rule asks about is granted by its name, whoever would write it", () => {
  const rules = [user(ruleOf("bash", "*", "allow"), ruleOf("edit", "*", "ask"))];
  const { grants } = questionOn("cp a b", rules);
  expect(grants.map(textOf)).toEqual(["edit /w/b"]);
  expect(judge(bash("cp a b"), contextOf({ rules, grants })).verdict).toBe("allow");
  expect(judge(bash("cp a c"), contextOf({ rules, grants })).verdict).toBe("ask");
  expect(judge(edit("/w/c"), contextOf({ rules, grants })).verdict).toBe("ask");
});
