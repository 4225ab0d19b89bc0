/** The judge on paths and names: spellings of a file, other directories, secret files, aliases, the web. */
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { bash, call, context, edit, read, rule, ruleSet, webfetch } from "../../test/judge-cases.ts";
import { judge, type Verdict } from "./judge.ts";
import type { JudgeCall } from "./subject.ts";

describe("spellings of a file", () => {
  test.each<[string, string, Verdict["verdict"]]>([
    ["src/*", "src/a.ts", "deny"],
    ["/w/src/*", "src/a.ts", "deny"],
    ["src/*", "/w/src/a.ts", "deny"],
    ["src/*", "./lib/../src/a.ts", "deny"],
    ["~/x/*", "/home/dev/x/a", "deny"],
    ["src/*", "lib/src/a.ts", "ask"],
  ])("a deny of %s and the file %s: %s", (pattern, path, expected) => {
    const rules = [ruleSet("user", rule("edit", pattern, "deny"))];
    expect(judge(edit(path), context({ rules })).verdict).toBe(expected);
  });

  test("rules are relative to the root, not to where kedge was started", () => {
    const started = { ...edit(), cwd: "/w/vendor" };
    const needs = [
      {
        permission: "edit",
        patterns: ["src/a.ts"],
        always: ["src/a.ts"],
        access: "write" as const,
        paths: ["/w/vendor/src/a.ts"],
      },
    ];
    const one: JudgeCall = { ...started, needs };
    const allows = (pattern: string) =>
      judge(one, context({ root: "/w", rules: [ruleSet("user", rule("edit", pattern, "allow"))] })).verdict;
    expect([allows("src/*"), allows("vendor/src/*")]).toEqual(["ask", "allow"]);
    const question = judge(one, context({ root: "/w" }));
    if (question.verdict !== "ask") throw new Error("expected a question");
    expect(question.unanswered).toEqual([{ permission: "edit", pattern: "vendor/src/a.ts" }]);
    expect(judge(one, context({ root: "/w", grants: question.grants })).verdict).toBe("allow");
  });

  test("a grant given below the root is no grant for the file of the same name in the root", () => {
    const editOf = (path: string): JudgeCall => {
      const need = { permission: "edit", patterns: [path], always: [path], access: "write", paths: [path] } as const;
      return { ...edit(), cwd: "/w/vendor", needs: [{ ...need, paths: [resolve("/w/vendor", path)] }] };
    };
    const granted = context({ root: "/w", grants: [rule("edit", "a.ts", "allow")] });
    const verdicts = ["a.ts", "./a.ts", "/w/vendor/a.ts", "/w/a.ts", "../a.ts"].map((path) =>
      judge(editOf(path), granted),
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["allow", "allow", "allow", "ask", "ask"]);
  });

  test("a file stated by both names is one question", () => {
    const needs = [
      {
        permission: "edit",
        patterns: ["a.ts", "/w/a.ts"],
        always: ["a.ts"],
        access: "write" as const,
        paths: ["/w/a.ts"],
      },
    ];
    const verdict = judge(call("edit", needs, { readOnly: false }), context());
    expect(verdict.verdict === "ask" && verdict.patterns).toEqual(["a.ts"]);
    const rules = [ruleSet("user", rule("edit", "a.ts", "allow"))];
    expect(judge(call("edit", needs, { readOnly: false }), context({ rules })).verdict).toBe("allow");
  });

  test("case matters for paths unless the file system ignores it", () => {
    const rules = [ruleSet("user", rule("edit", "Secrets/*", "deny"))];
    expect(judge(edit("secrets/a"), context({ rules })).verdict).toBe("ask");
    expect(judge(edit("secrets/a"), context({ rules, ignorePathCase: true })).verdict).toBe("deny");
  });
});

describe("directories outside the workspace", () => {
  test("ask for the containing directory, also when only reading", () => {
    expect(judge(read("/etc/hosts"), context())).toEqual({
      verdict: "ask",
      permission: "external_directory",
      patterns: ["/etc"],
      always: ["/etc/*"],
      grants: [rule("external_directory", "/etc/*", "allow")],
      unanswered: [{ permission: "external_directory", pattern: "/etc" }],
      reason: "/etc is outside the workspace",
      rules: [],
      isGuarded: false,
      isOrdinary: false,
      outward: [],
      canClassify: false,
    });
  });

  test("are asked about together with what happens there", () => {
    const verdict = judge(edit("/other/a.ts", "/other/b.ts"), context());
    expect(verdict).toEqual({
      verdict: "ask",
      permission: "edit",
      patterns: ["/other/a.ts", "/other/b.ts", "/other"],
      always: ["*", "/other/*"],
      grants: [rule("edit", "*", "allow"), rule("external_directory", "/other/*", "allow")],
      unanswered: [
        { permission: "edit", pattern: "/other/a.ts" },
        { permission: "edit", pattern: "/other/b.ts" },
        { permission: "external_directory", pattern: "/other" },
      ],
      reason: "no rule covers editing /other/a.ts; no rule covers editing /other/b.ts; /other is outside the workspace",
      rules: [],
      isGuarded: false,
      isOrdinary: false,
      outward: [],
      canClassify: false,
    });
  });

  test("are the searched directory itself for tools that look through one", () => {
    const needs = [
      { permission: "grep", patterns: ["needle"], always: ["*"], access: "read" as const, paths: ["/etc"] },
    ];
    const verdict = judge(call("grep", needs, { readOnly: true }), context());
    expect(verdict.verdict === "ask" && verdict.patterns).toEqual(["/etc"]);
  });

  test.each<[string, Verdict["verdict"]]>([
    ["/etc", "allow"],
    ["/etc/*", "allow"],
    ["/etc*", "allow"],
    ["/etcetera/*", "ask"],
    ["*", "allow"],
  ])("a rule for %s: %s", (pattern, expected) => {
    const rules = [ruleSet("user", rule("external_directory", pattern, "allow"))];
    expect(judge(read("/etc/hosts"), context({ rules })).verdict).toBe(expected);
  });

  test("the whole home and the root are granted only by themselves", () => {
    const always = ["/home/dev/notes.txt", "/notes.txt"].map((path) => {
      const verdict = judge(read(path), context());
      return verdict.verdict === "ask" ? verdict.always : [];
    });
    expect(always).toEqual([["/home/dev"], ["/"]]);
  });
});

describe("secret files", () => {
  test("ask although reading is allowed, and can be granted one by one", () => {
    const rules = [ruleSet("user", rule("read", "*", "allow"))];
    const verdict = judge(read("src/a.ts", ".env"), context({ rules }));
    expect(verdict).toEqual({
      verdict: "ask",
      permission: "secret_file",
      patterns: ["/w/.env"],
      always: ["/w/.env"],
      grants: [rule("secret_file", "/w/.env", "allow")],
      unanswered: [{ permission: "secret_file", pattern: "/w/.env" }],
      reason: "/w/.env may contain secrets",
      rules: [],
      isGuarded: false,
      isOrdinary: false,
      outward: [],
      canClassify: false,
    });
    const grants = verdict.verdict === "ask" ? verdict.grants : [];
    expect(judge(read(".env"), context({ rules, grants })).verdict).toBe("allow");
  });

  test("a rule for them opens them", () => {
    const rules = [ruleSet("user", rule("secret_file", "*", "allow"))];
    expect(judge(read(".env"), context({ rules })).verdict).toBe("allow");
  });

  test.each<[string, JudgeCall, string]>([
    ["by path", read("/home/dev/.kedge/credentials.json"), "/home/dev/.kedge/credentials.json"],
    ["by a detour", read("../home/dev/.kedge/x/../data/kedge.db"), "/home/dev/.kedge/data/kedge.db"],
    ["by a write", edit("/home/dev/.kedge/run/server.json"), "/home/dev/.kedge/run/server.json"],
    ["by a command", bash("cat ~/.kedge/credentials.json"), "/home/dev/.kedge/credentials.json"],
    ["by a command with quotes", bash(`cat "$HOME/.kedge/data/kedge.db"`), "/home/dev/.kedge/data/kedge.db"],
    ["on another machine", read("//host/share/x"), "//host/share/x"],
    ["on another machine, as Windows writes it", read("\\\\host\\share\\x"), "\\\\host\\share\\x"],
    ["on another machine, by an address", edit("file://host/share/x"), "file://host/share/x"],
    ["of a process", bash("tr '\\0' '\\n' </proc/self/environ"), "/proc/self/environ"],
  ])("what nobody may open is refused %s in every mode", (_, one, path) => {
    const rules = [ruleSet("policy", rule("*", "*", "allow"))];
    expect(judge(one, context({ rules, mode: "bypass" }))).toEqual({
      verdict: "deny",
      permission: "secret_file",
      related: [],
      decision: { behavior: "deny", source: "guard", reason: `${path} is off limits to every tool`, rules: [] },
    });
  });
});

describe("names", () => {
  test.each([
    ["edit", "Write"],
    ["edit", "MultiEdit"],
    ["edit", "apply_patch"],
    ["edit", "notebook_edit"],
    ["agent", "Task"],
    ["glob", "find"],
    ["todo", "TodoWrite"],
    ["mcp__github__search", "mcp__github__*"],
    ["mcp__github__search", "MCP__GitHub__search"],
  ])("a deny reaches %s when written for %s", (permission, written) => {
    const rules = [ruleSet("user", rule(written, "*", "deny"))];
    const needs = [{ permission, patterns: ["x"], always: [], access: "write" as const }];
    expect(judge(call(permission, needs, { readOnly: false }), context({ rules })).verdict).toBe("deny");
    expect(judge(call(permission, [], { readOnly: false }), context({ rules })).verdict).toBe("deny");
  });

  test("a rule for a tool reaches it although it states other needs, and only tightens", () => {
    const deploy = call("deploy", read("a.ts").needs, { readOnly: true });
    const verdict = (action: "allow" | "ask" | "deny") =>
      judge(deploy, context({ rules: [ruleSet("user", rule("Deploy", "*", action))] })).verdict;
    expect([verdict("allow"), verdict("ask"), verdict("deny")]).toEqual(["allow", "ask", "deny"]);
    const writing = call("deploy", edit("a.ts").needs, { readOnly: false });
    const rules = [ruleSet("user", rule("deploy", "*", "allow"))];
    expect(judge(writing, context({ rules })).verdict).toBe("ask");
  });
});

test.each<[string, Verdict["verdict"]]>([
  ["domain:example.com", "allow"],
  ["https://example.com/*", "allow"],
  ["domain:example.org", "ask"],
])("an allow of %s and a page of example.com: %s", (pattern, expected) => {
  const rules = [ruleSet("user", rule("webfetch", pattern, "allow"))];
  expect(judge(webfetch("https://example.com/a"), context({ rules })).verdict).toBe(expected);
});
