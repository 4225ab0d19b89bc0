/** The judge on single calls: sources against each other, modes, bash as text, secret files, other directories. */
import type { PermissionAction, PermissionMode, RuleSource } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { judge, type Verdict } from "./judge.ts";
import { bash, call, context, edit, read, rule, ruleSet, webfetch } from "./judge-cases.ts";
import type { JudgeCall } from "./subjects.ts";

const actions: readonly PermissionAction[] = ["allow", "ask", "deny"];

/** In order of precedence; the project stands apart. */
const ranked: readonly RuleSource[] = ["policy", "session", "command-line", "flag", "local", "user"];

describe("sources", () => {
  test.each<[RuleSource, PermissionAction, Verdict["verdict"]]>([
    ...ranked.flatMap((source) => actions.map((action) => [source, action, action] as const)).map((row) => [...row]),
    ["project", "deny", "deny"],
    ["project", "ask", "ask"],
    ["project", "allow", "ask"],
    ["builtin", "allow", "allow"],
    ["builtin", "deny", "deny"],
  ] as [RuleSource, PermissionAction, Verdict["verdict"]][])("%s alone says %s: %s", (source, action, expected) => {
    const rules = [ruleSet(source, rule("edit", "*", action))];
    expect(judge(edit("a.ts"), context({ rules })).verdict).toBe(expected);
  });

  const pairs = ranked.flatMap((higher, index) =>
    ranked
      .slice(index + 1)
      .flatMap((lower) => actions.flatMap((first) => actions.map((second) => ({ higher, lower, first, second })))),
  );
  test.each(pairs)("$higher $first over $lower $second", ({ higher, lower, first, second }) => {
    const rules = [ruleSet(lower, rule("edit", "*", second)), ruleSet(higher, rule("edit", "*", first))];
    const expected = first === "deny" || second === "deny" ? "deny" : first;
    expect(judge(edit("a.ts"), context({ rules })).verdict).toBe(expected);
  });

  const withProject = ranked.flatMap((source) =>
    actions.flatMap((own) => actions.map((project) => ({ source, own, project }))),
  );
  test.each(withProject)("$source $own with project $project", ({ source, own, project }) => {
    const rules = [ruleSet("project", rule("edit", "*", project)), ruleSet(source, rule("edit", "*", own))];
    const isFinal = source === "policy" || source === "session";
    const tightened = own === "allow" && project === "ask" && !isFinal ? "ask" : own;
    expect(judge(edit("a.ts"), context({ rules })).verdict).toBe(project === "deny" ? "deny" : tightened);
  });

  test("the last matching rule of a source wins", () => {
    const rules = [ruleSet("user", rule("edit", "*", "deny"), rule("edit", "src/*", "allow"))];
    expect(judge(edit("src/a.ts"), context({ rules }))).toEqual({
      verdict: "allow",
      decision: {
        behavior: "allow",
        source: "rule",
        reason: 'the user rule edit "src/*" allows src/a.ts',
        rules: [{ ...rule("edit", "src/*", "allow"), source: "user" }],
      },
    });
    expect(judge(edit("b.ts"), context({ rules })).verdict).toBe("deny");
  });

  test("a grant of the session answers the question that created it", () => {
    const rules = [ruleSet("user", rule("edit", "*", "ask")), ruleSet("project", rule("edit", "*", "ask"))];
    const question = judge(edit("a.ts"), context({ rules }));
    if (question.verdict !== "ask") throw new Error("expected a question");
    expect(judge(edit("a.ts"), context({ rules, grants: question.grants })).verdict).toBe("allow");
  });

  test("allows of the project count nowhere, not even against its own ask", () => {
    const rules = [ruleSet("project", rule("read", "*", "ask"), rule("read", "docs/*", "allow"))];
    expect(judge(read("docs/a.md"), context({ rules })).verdict).toBe("ask");
  });

  test("a question of policy offers no always", () => {
    const rules = [ruleSet("policy", rule("webfetch", "*", "ask"))];
    expect(judge(webfetch("https://example.com/a"), context({ rules }))).toEqual({
      verdict: "ask",
      permission: "webfetch",
      patterns: ["https://example.com/a"],
      always: [],
      grants: [],
      unanswered: [{ permission: "webfetch", pattern: "https://example.com/a" }],
      reason: 'the policy rule webfetch "*" asks about https://example.com/a',
      rules: [{ ...rule("webfetch", "*", "ask"), source: "policy" }],
    });
  });
});

describe("modes where no rule decided", () => {
  const kinds: { readonly [kind: string]: JudgeCall } = {
    "read-only": read("a.ts"),
    "edit inside": edit("a.ts"),
    "edit outside": edit("/other/a.ts"),
    "plan file": edit(".kedge/plans/a.md"),
    bash: bash("npm install"),
    "unknown tool": call("mcp__x__do", [], { readOnly: false }),
    "unknown read-only tool": call("mcp__x__get", [], { readOnly: true }),
    webfetch: webfetch("https://example.com"),
    todo: call("todo_write", [], { readOnly: false }),
    "secret file": read(".env"),
  };
  const expected: { readonly [Mode in PermissionMode]: { readonly [kind: string]: Verdict["verdict"] } } = {
    default: {
      "read-only": "allow",
      "edit inside": "ask",
      "edit outside": "ask",
      "plan file": "ask",
      bash: "ask",
      "unknown tool": "ask",
      "unknown read-only tool": "ask",
      webfetch: "ask",
      todo: "allow",
      "secret file": "ask",
    },
    "accept-edits": {
      "read-only": "allow",
      "edit inside": "allow",
      "edit outside": "ask",
      "plan file": "allow",
      bash: "ask",
      "unknown tool": "ask",
      "unknown read-only tool": "ask",
      webfetch: "ask",
      todo: "allow",
      "secret file": "ask",
    },
    plan: {
      "read-only": "allow",
      "edit inside": "deny",
      "edit outside": "deny",
      "plan file": "allow",
      bash: "deny",
      "unknown tool": "deny",
      "unknown read-only tool": "ask",
      webfetch: "ask",
      todo: "allow",
      "secret file": "ask",
    },
    auto: {
      "read-only": "allow",
      "edit inside": "ask",
      "edit outside": "ask",
      "plan file": "ask",
      bash: "ask",
      "unknown tool": "ask",
      "unknown read-only tool": "ask",
      webfetch: "ask",
      todo: "allow",
      "secret file": "ask",
    },
    bypass: {
      "read-only": "allow",
      "edit inside": "allow",
      "edit outside": "allow",
      "plan file": "allow",
      bash: "allow",
      "unknown tool": "allow",
      "unknown read-only tool": "allow",
      webfetch: "allow",
      todo: "allow",
      "secret file": "ask",
    },
  };
  test.each(Object.keys(expected) as PermissionMode[])("%s", (mode) => {
    const verdicts = Object.entries(kinds).map(([kind, one]) => [kind, judge(one, context({ mode })).verdict]);
    expect(Object.fromEntries(verdicts)).toEqual(expected[mode]);
  });

  test("the mode and the default are named in the decision", () => {
    expect(judge(bash("npm install"), context({ mode: "bypass" }))).toEqual({
      verdict: "allow",
      decision: { behavior: "allow", source: "mode", reason: "the mode bypass allows bash", rules: [] },
    });
    expect(judge(read("a.ts"), context())).toEqual({
      verdict: "allow",
      decision: { behavior: "allow", source: "default", reason: "read is allowed by default", rules: [] },
    });
  });
});

describe("plan mode is a ceiling", () => {
  test.each<RuleSource>(["policy", "session", "command-line", "user"])("against an allow of %s", (source) => {
    const rules = [ruleSet(source, rule("*", "*", "allow"))];
    expect(judge(edit("src/a.ts"), context({ rules, mode: "plan" }))).toEqual({
      verdict: "deny",
      permission: "edit",
      related: [],
      decision: {
        behavior: "deny",
        source: "mode",
        reason: "plan mode forbids edit, which changes something",
        rules: [],
      },
    });
  });

  test("and holds for a call that says it only reads but needs to write", () => {
    const needs = edit("src/a.ts").needs;
    expect(judge(call("edit", needs, { readOnly: true }), context({ mode: "plan" })).verdict).toBe("deny");
  });

  test("and for one that says it only reads but acts outward", () => {
    const needs = [{ permission: "send_message", patterns: ["team"], always: [], access: "outward" as const }];
    expect(judge(call("send_message", needs, { readOnly: true }), context({ mode: "plan" })).verdict).toBe("deny");
  });

  test("one other file beside a plan file is enough", () => {
    expect(judge(edit(".kedge/plans/a.md", "src/a.ts"), context({ mode: "plan" })).verdict).toBe("deny");
    expect(judge(edit(".kedge/plans/../../src/a.ts"), context({ mode: "plan" })).verdict).toBe("deny");
  });
});

describe("bypass lifts only questions that no rule asks", () => {
  test.each<[string, JudgeCall, Parameters<typeof ruleSet>, Verdict["verdict"]]>([
    ["explicit ask", bash("git push"), ["user", rule("bash", "git push*", "ask")], "ask"],
    ["explicit ask of the project", edit("a.ts"), ["project", rule("edit", "*", "ask")], "ask"],
    ["policy ask", webfetch("https://example.com"), ["policy", rule("webfetch", "*", "ask")], "ask"],
    ["deny", bash("ls; rm -rf x"), ["user", rule("bash", "rm *", "deny")], "deny"],
    ["project deny", edit("a.ts"), ["project", rule("edit", "*", "deny")], "deny"],
  ])("%s", (_, one, set, expected) => {
    expect(judge(one, context({ mode: "bypass", rules: [ruleSet(...set)] })).verdict).toBe(expected);
  });
});

describe("bash is judged as text", () => {
  const clean = ruleSet("user", rule("bash", "git clean*", "deny"));
  const status = ruleSet("user", rule("bash", "*", "ask"), rule("bash", "git status*", "allow"));
  const wide = ruleSet("user", rule("bash", "*", "allow"), rule("*", "*", "allow"));
  test.each<[string, string, ReturnType<typeof ruleSet>, Verdict["verdict"]]>([
    ["exact allow", "npm test", ruleSet("user", rule("bash", "npm test", "allow")), "allow"],
    ["exact allow and more", "npm test; ls", ruleSet("user", rule("bash", "npm test", "allow")), "ask"],
    ["exact allow with stars", "ls *.ts", ruleSet("user", rule("bash", "ls *.ts", "allow")), "allow"],
    ["wildcard allow", "git status", status, "ask"],
    ["catch-all allow", "ls", wide, "ask"],
    ["the text *", "*", wide, "ask"],
    ["allow by alias", "npm test", ruleSet("user", rule("Bash", "npm test", "allow")), "allow"],
    ["wildcard allow of policy", "ls -l", ruleSet("policy", rule("bash", "ls*", "allow")), "ask"],
    ["deny in front", "git clean -fd", clean, "deny"],
    ["deny behind sudo", "sudo git clean -fd", clean, "deny"],
    ["deny in a substitution", 'echo "$(git clean -fd)"', clean, "deny"],
    ["deny in a nested shell", "bash -c 'git clean -fd'", clean, "deny"],
    ["deny over two lines", "git status\ngit clean -fd", clean, "deny"],
    ["deny with a continuation", "git \\\n  clean -fd", clean, "deny"],
    ["deny with quotes", `g'i't "clean" -fd`, clean, "deny"],
    ["deny with more spaces", "git   clean -fd", clean, "deny"],
    ["deny with IFS", `git\${IFS}clean -fd`, clean, "deny"],
    ["deny by path", "ls; /usr/bin/git clean -fd", clean, "deny"],
    ["exact deny before an operator", "git clean; ls", ruleSet("user", rule("bash", "git clean", "deny")), "deny"],
    ["deny by home", "sudo ~/bin/tool x", ruleSet("user", rule("bash", "/home/dev/bin/tool *", "deny")), "deny"],
    ["another word", "digit clean", clean, "ask"],
    [
      "exact allow after a deny",
      "git clean -n",
      ruleSet("user", ...clean.rules, rule("bash", "git clean -n", "allow")),
      "allow",
    ],
  ])("%s: %s", (_, command, rules, expected) => {
    expect(judge(bash(command), context({ rules: [rules] })).verdict).toBe(expected);
  });

  test("a deny holds against a grant", () => {
    const grants = [rule("bash", "git clean -n", "allow")];
    expect(judge(bash("git clean -n"), context({ rules: [clean], grants })).verdict).toBe("deny");
  });

  test("always proposes the exact text, whatever the tool proposed", () => {
    const needs = bash("npm run lint").needs.map((need) => ({ ...need, always: ["npm run *"] }));
    const verdict = judge(call("bash", needs, { readOnly: false }), context());
    expect(verdict).toEqual({
      verdict: "ask",
      permission: "bash",
      patterns: ["npm run lint"],
      always: ["npm run lint"],
      grants: [rule("bash", "npm run lint", "allow")],
      unanswered: [{ permission: "bash", pattern: "npm run lint" }],
      reason: "no rule allows bash of npm run lint",
      rules: [],
    });
  });

  test("a command that says it only reads still asks", () => {
    expect(judge(call("bash", bash("ls").needs, { readOnly: true }), context()).verdict).toBe("ask");
  });
});

describe("several strings", () => {
  test("one question lists exactly those that need an answer", () => {
    const rules = [ruleSet("user", rule("edit", "src/*", "allow"))];
    const verdict = judge(edit("src/a.ts", "b.ts", "c.ts"), context({ rules }));
    expect(verdict).toEqual({
      verdict: "ask",
      permission: "edit",
      patterns: ["b.ts", "c.ts"],
      always: ["*"],
      grants: [rule("edit", "*", "allow")],
      unanswered: [
        { permission: "edit", pattern: "b.ts" },
        { permission: "edit", pattern: "c.ts" },
      ],
      reason: "no rule allows edit of b.ts; no rule allows edit of c.ts",
      rules: [],
    });
  });

  test("one deny denies all", () => {
    const rules = [ruleSet("user", rule("edit", "*", "allow"), rule("edit", "c.ts", "deny"))];
    expect(judge(edit("a.ts", "c.ts"), context({ rules })).verdict).toBe("deny");
  });

  test("all allowed is allowed", () => {
    const rules = [ruleSet("user", rule("edit", "a.ts", "allow"), rule("edit", "c.ts", "allow"))];
    expect(judge(edit("a.ts", "c.ts"), context({ rules })).verdict).toBe("allow");
  });

  test("a need without strings is reached by catch-all rules only", () => {
    const needs = [{ permission: "deploy", patterns: [], always: [], access: "outward" as const }];
    const deploy = call("deploy", needs, { readOnly: false });
    expect(judge(deploy, context()).verdict).toBe("ask");
    expect(judge(deploy, context({ rules: [ruleSet("user", rule("deploy", "*", "allow"))] })).verdict).toBe("allow");
    expect(judge(deploy, context({ rules: [ruleSet("user", rule("deploy", "x", "allow"))] })).verdict).toBe("ask");
  });
});
