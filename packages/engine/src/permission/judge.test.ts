/** The judge on single calls: sources against each other, modes, secret files, other directories. */
import type { PermissionAction, PermissionMode, RuleSource } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { bash, call, context, edit, read, rule, ruleSet, webfetch } from "../../test/judge-cases.ts";
import { judge, type Verdict } from "./judge.ts";
import type { JudgeCall } from "./subject.ts";

const actions: readonly PermissionAction[] = ["allow", "ask", "deny"];

/** In order of precedence; the project stands apart. */
const ranked: readonly RuleSource[] = ["policy", "session", "command-line", "flag", "local", "user"];

describe("sources", () => {
  test.each<[RuleSource, PermissionAction, Verdict["verdict"]]>([
    ...ranked.flatMap((source) => actions.map((action) => [source, action, action] as const)).map((row) => [...row]),
    ["project", "deny", "deny"],
    ["project", "ask", "ask"],
    ["project", "allow", "allow"],
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

  test("what a project allows counts only where nobody else speaks", () => {
    const project = ruleSet("project", rule("edit", "*", "allow"));
    expect(judge(edit("a.ts"), context({ rules: [project] })).verdict).toBe("allow");
    expect(judge(edit("a.ts"), context({ rules: [project, ruleSet("user", rule("edit", "*", "ask"))] })).verdict).toBe(
      "ask",
    );
    expect(judge(edit(".env"), context({ rules: [project] })).verdict).toBe("ask");
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
      isGuarded: false,
      isOrdinary: true,
      outward: [],
      canClassify: false,
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
      decision: { behavior: "allow", source: "mode", reason: "bypass mode allows bash", rules: [] },
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
        reason: "plan mode does not allow edit, which makes changes",
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
      reason: "no rule covers editing b.ts; no rule covers editing c.ts",
      rules: [],
      isGuarded: false,
      isOrdinary: true,
      outward: [],
      canClassify: true,
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

test("an answer to what acts outside of the machine never lasts", () => {
  const postWith = (access: "outward" | "execute") =>
    judge(
      call("mcp__chat__post", [{ permission: "mcp__chat__post", patterns: ["post@1"], always: ["post@1"], access }], {
        readOnly: false,
      }),
      context({}),
    );
  expect(postWith("outward")).toMatchObject({ verdict: "ask", always: [], grants: [], outward: ["post@1"] });
  expect(postWith("execute")).toMatchObject({ verdict: "ask", always: ["post@1"], outward: [] });
});
