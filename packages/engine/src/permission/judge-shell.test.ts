/** The judge on shell commands: what their analysis says, and the commands that lose what cannot be had back. */
import type { PermissionAction, PermissionRule, RuleSource, ShellAnalysis } from "@kedge/protocol";
import { describe, expect, test } from "vitest";
import { bash, call, context, edit, rule, ruleSet } from "../../test/judge-cases.ts";
import { judge, type Verdict } from "./judge.ts";
import type { JudgeContext } from "./subject.ts";

describe("bash that is understood", () => {
  const status = ruleSet("user", rule("bash", "*", "ask"), rule("bash", "git status*", "allow"));
  test.each<[string, string, ReturnType<typeof ruleSet>, Verdict["verdict"]]>([
    ["exact allow", "npm test", ruleSet("user", rule("bash", "npm test", "allow")), "allow"],
    ["exact allow and more", "npm test; ls", ruleSet("user", rule("bash", "npm test", "allow")), "ask"],
    ["all of it spelled out", "npm test; ls", ruleSet("user", rule("bash", "npm test; ls", "allow")), "allow"],
    ["wildcard allow", "git status", status, "allow"],
    ["each command by itself", "git status; git status -s", status, "allow"],
    ["one of them not allowed", "git status; rm -rf build", status, "ask"],
    ["catch-all allow", "ls", ruleSet("user", rule("bash", "*", "allow")), "allow"],
    ["allow by alias", "npm test", ruleSet("user", rule("Bash", "npm test", "allow")), "allow"],
    ["allow of the project", "npm test", ruleSet("project", rule("bash", "npm test", "allow")), "allow"],
    [
      "deny among others",
      "ls; rm x",
      ruleSet("user", rule("bash", "*", "allow"), rule("bash", "rm *", "deny")),
      "deny",
    ],
  ])("%s: %s", (_, command, rules, expected) => {
    expect(judge(bash(command), context({ rules: [rules] })).verdict).toBe(expected);
  });

  test("a question lists only what needs an answer", () => {
    const verdict = judge(bash("git status; rm -rf build"), context({ rules: [status] }));
    expect(verdict).toMatchObject({ verdict: "ask", patterns: ["rm -rf build"] });
  });

  test("a deny holds against a grant", () => {
    const clean = ruleSet("user", rule("bash", "git clean*", "deny"));
    const grants = [rule("bash", "git clean -n", "allow")];
    expect(judge(bash("git clean -n"), context({ rules: [clean], grants })).verdict).toBe("deny");
  });

  test("without a safe prefix, always means exactly this text", () => {
    const needs = bash("npm run lint").needs.map((need) => ({ ...need, always: ["npm run *"] }));
    const verdict = judge(call("bash", needs, { readOnly: false }), context());
    expect(verdict).toEqual({
      verdict: "ask",
      permission: "bash",
      patterns: ["npm run lint"],
      always: ["npm run lint"],
      grants: [rule("bash", "npm run lint", "allow")],
      unanswered: [{ permission: "bash", pattern: "npm run lint" }],
      reason: "no rule covers npm run lint",
      rules: [],
      isGuarded: false,
      isOrdinary: true,
      outward: [],
      canClassify: true,
    });
  });

  test("a tool that says it only reads is not believed", () => {
    expect(judge(call("bash", bash("ls").needs, { readOnly: true }), context()).verdict).toBe("ask");
  });
});

const plain = { text: "tool x", otherTexts: [], isTransparent: false, riskyOptions: [], readOnly: false };
const nothing = { commands: [plain], files: [], concerns: [], readOnly: false, looksAt: "files" } as const;
const judged = (analysis: Partial<ShellAnalysis>, settings: Partial<JudgeContext> = {}) =>
  judge(bash("tool x"), context({ analyseShell: () => ({ ...nothing, ...analysis }), ...settings }));
const allowAll = [ruleSet("user", rule("*", "*", "allow"))];
const bypass = { mode: "bypass" } as const;
const file = {
  path: "/w/out.txt",
  text: "out.txt",
  access: "write",
  by: "redirection",
  isProtected: false,
  place: "inside",
} as const;

describe("what only looks", () => {
  const looking = { commands: [{ ...plain, readOnly: true }], readOnly: true };
  const decision = { behavior: "allow", source: "default", reason: "tool x is read-only", rules: [] };
  const listed = { ...plain, text: "ls src", readOnly: true };

  test("runs unasked where it can be confined, and only there", () => {
    expect(judged(looking, { confinesLooks: true })).toEqual({ verdict: "allow", decision, look: { shown: [] } });
    expect(judged(looking)).toMatchObject({
      verdict: "ask",
      reason: "tool x is read-only but cannot be confined here, and no rule covers it",
    });
  });

  test("is not confined in bypass, nor by whom a rule allowed it", () => {
    expect(judged(looking, { confinesLooks: true, ...bypass })).toEqual({ verdict: "allow", decision });
    const byRule = judged(looking, {
      confinesLooks: true,
      rules: [ruleSet("user", rule("bash", "tool *", "allow"))],
    });
    expect(byRule).toMatchObject({ verdict: "allow", decision: { source: "rule" } });
    expect(byRule).not.toHaveProperty("look");
  });

  test("is confined although a rule of the project allows it, and asks where it cannot be unless one does", () => {
    const rules = [ruleSet("project", rule("bash", "tool *", "allow"))];
    expect(judged(looking, { confinesLooks: true, rules })).toEqual({
      verdict: "allow",
      decision,
      look: { shown: [] },
    });
    expect(judged(looking, { rules })).toMatchObject({ verdict: "allow", decision: { source: "rule" } });
    const acting = { commands: [plain], readOnly: false };
    expect(judged(acting, { confinesLooks: true, rules })).not.toHaveProperty("look");
  });

  test("is confined as a whole when a rule allows a part of it", () => {
    const commands = [
      { ...plain, readOnly: true },
      { ...plain, text: "other", readOnly: true },
    ];
    const rules = [ruleSet("user", rule("bash", "other", "allow"))];
    expect(judged({ ...looking, commands }, { confinesLooks: true, rules })).toMatchObject({ look: { shown: [] } });
  });

  test("sees the files that it names and may read", () => {
    const rules = [ruleSet("user", rule("secret_file", "/w/.env", "allow"))];
    const secret = { ...file, path: "/w/.env", text: ".env", access: "read", by: "tool" } as const;
    expect(judged({ ...looking, files: [secret] }, { confinesLooks: true, rules })).toMatchObject({
      verdict: "allow",
      look: { shown: ["/w/.env"] },
    });
  });

  test("asks about the machine, or beside what acts, unless all of it is on the short list", () => {
    const machine = { ...looking, commands: [{ ...plain, readOnly: true, looksAt: "machine" as const }] };
    expect(judged(machine, { confinesLooks: true }).verdict).toBe("ask");
    const onList = judged({ ...looking, commands: [{ ...listed, looksAt: "machine" }] }, { confinesLooks: true });
    expect(onList).toMatchObject({ verdict: "allow" });
    expect(onList).not.toHaveProperty("look");
    const rules = [ruleSet("user", rule("bash", "act", "allow"))];
    const beside = (look: typeof listed) => ({ commands: [{ ...plain, text: "act" }, look], readOnly: false });
    expect(judged(beside({ ...plain, readOnly: true }), { confinesLooks: true, rules }).verdict).toBe("ask");
    expect(judged(beside(listed), { confinesLooks: true, rules }).verdict).toBe("allow");
  });

  test("is free without being confined only if it is on the short list and nothing in it expands", () => {
    expect(judged({ ...looking, commands: [listed] }).verdict).toBe("allow");
    for (const odd of [
      { text: "ls *.ts" },
      { text: "ls $X" },
      { text: "./ls src" },
      { text: "lsx" },
      { certain: "ls " },
      { riskyOptions: [{ spellings: ["--x"], why: "it writes" }] },
    ]) {
      expect([odd, judged({ ...looking, commands: [{ ...listed, ...odd }] }).verdict]).toEqual([odd, "ask"]);
    }
  });
});

describe("what the analysis of a command says", () => {
  test("a concern asks whatever is allowed, but not in bypass", () => {
    const concerns = [{ text: "PATH=/tmp", why: "it changes which programs run" }];
    expect(judged({ concerns }, { rules: allowAll })).toMatchObject({
      verdict: "ask",
      patterns: ["PATH=/tmp"],
      reason: "PATH=/tmp: it changes which programs run",
    });
    expect(judged({ concerns }, bypass).verdict).toBe("allow");
  });

  test("a concern gives way to a rule that spells out the command, a guard does not", () => {
    const rules = [ruleSet("user", rule("bash", "tool x", "allow"))];
    const concerns = [{ text: "PATH=/tmp", why: "it changes which programs run" }];
    expect(judged({ concerns }, { rules }).verdict).toBe("allow");
    expect(judged({ concerns }, { rules: [ruleSet("project", rule("bash", "tool x", "allow"))] }).verdict).toBe("ask");
    expect(judged({ guard: "it removes the workspace" }, { rules }).verdict).toBe("ask");
    expect(judged({ guard: "it removes the workspace" }, bypass).verdict).toBe("ask");
  });

  test("what is not understood asks in bypass too, unless a sandbox holds it", () => {
    const unknown = "the program is a variable";
    expect(judged({ unknown, commands: [] }, { rules: allowAll }).verdict).toBe("ask");
    expect(judged({ unknown, commands: [] }, bypass).verdict).toBe("ask");
    expect(judged({ unknown, commands: [] }, { ...bypass, isSandboxed: true }).verdict).toBe("allow");
  });

  test("a deny is found at any word of what is not understood", () => {
    const rules = [ruleSet("user", rule("bash", "rm *", "deny"))];
    const unread = context({ rules, analyseShell: () => ({ ...nothing, commands: [], unknown: "no" }) });
    for (const command of ["ls; rm x", `r'm' x`, "sudo rm x", "$(rm x)", "a\nrm x"]) {
      expect(judge(bash(command), unread).verdict, command).toBe("deny");
    }
    expect(judge(bash("farm x"), unread).verdict).toBe("ask");
  });

  test("deny and ask rules also hold for the other spellings, allow rules do not", () => {
    const commands = [{ ...plain, text: "git -C x push", otherTexts: ["git push"] }];
    const about = (action: PermissionAction) => [
      ruleSet("user", rule("bash", "*", "ask"), rule("bash", "git push*", action)),
    ];
    expect(judged({ commands }, { rules: about("deny") }).verdict).toBe("deny");
    expect(judged({ commands }, { rules: about("allow") }).verdict).toBe("ask");
  });

  test("an allow must name a risky option", () => {
    const riskyOptions = [{ spellings: ["--output", "-o"], why: "writes a file" }];
    const commands = [{ ...plain, text: "git log --output=x", riskyOptions }];
    const allow = (pattern: string) => [ruleSet("user", rule("bash", pattern, "allow"))];
    expect(judged({ commands }, { rules: allow("git log*") })).toMatchObject({
      verdict: "ask",
      reason: "no rule that names --output covers git log --output=x",
    });
    expect(judged({ commands }, { rules: allow("git log --output=*") }).verdict).toBe("allow");
    expect(judged({ commands }, { rules: allow("git log --outputs*") }).verdict).toBe("ask");
  });

  test("an unknown rest that a stricter rule may mean asks", () => {
    const commands = [{ ...plain, text: "npm run $X", certain: "npm run " }];
    const order = (...rules: readonly PermissionRule[]) => ({ rules: [ruleSet("user", ...rules)] });
    const allow = rule("bash", "npm *", "allow");
    const deny = rule("bash", "npm run deploy*", "deny");
    expect(judged({ commands }, order(allow, deny)).verdict).toBe("ask");
    expect(judged({ commands }, order(deny, allow)).verdict).toBe("allow");
    expect(judged({ commands }, order(allow, rule("bash", "npm test*", "deny"))).verdict).toBe("allow");
    const project = [ruleSet("user", allow), ruleSet("project", deny)];
    expect(judged({ commands }, { rules: project }).verdict).toBe("ask");
  });

  test("a text in which nothing runs is judged as it is written", () => {
    expect(judged({ commands: [] })).toMatchObject({ verdict: "ask", patterns: ["tool x"] });
    expect(judged({ commands: [] }, { rules: [ruleSet("user", rule("bash", "tool *", "allow"))] }).verdict).toBe(
      "allow",
    );
  });

  test("a transparent wrapper is judged by the command it starts, and by rules that mean it", () => {
    const commands = [
      { ...plain, text: "timeout 5 git status", isTransparent: true },
      { ...plain, text: "git status" },
    ];
    const status = [rule("bash", "*", "ask"), rule("bash", "git status*", "allow")];
    expect(judged({ commands }, { rules: [ruleSet("user", ...status)] }).verdict).toBe("allow");
    const mine = (action: PermissionAction) => [ruleSet("user", ...status, rule("bash", "timeout *", action))];
    expect(judged({ commands }, { rules: mine("deny") }).verdict).toBe("deny");
    expect(judged({ commands }, { rules: mine("ask") }).verdict).toBe("ask");
  });

  test("a redirection is an edit of its file", () => {
    const rules = [ruleSet("user", rule("bash", "*", "allow"))];
    expect(judged({ files: [file] }, { rules })).toMatchObject({
      verdict: "ask",
      permission: "edit",
      patterns: ["out.txt"],
    });
    expect(judged({ files: [file] }, { rules, mode: "accept-edits" }).verdict).toBe("allow");
    expect(judged({ files: [{ ...file, by: "cp" }] }, { rules }).verdict).toBe("allow");
    const noEdits = [...rules, ruleSet("project", rule("edit", "*.txt", "deny"))];
    expect(judged({ files: [{ ...file, by: "cp" }] }, { rules: noEdits }).verdict).toBe("deny");
  });
});

describe("where a command acts", () => {
  test("files that decide what runs later ask in every mode, for every tool", () => {
    const hook = { ...file, path: "/w/.git/hooks/pre-commit", isProtected: true };
    expect(judged({ files: [hook] }, bypass).verdict).toBe("ask");
    const isProtected = (path: string) => path.includes("/.git/");
    for (const mode of ["bypass", "accept-edits", "default", "auto"] as const) {
      const verdict = judge(edit(".git/hooks/pre-commit"), context({ mode, isProtected, rules: allowAll })).verdict;
      expect(verdict, mode).toBe("ask");
      expect(judge(edit(".git/hooks/pre-commit"), context({ mode, isProtected })).verdict, mode).toBe("ask");
    }
  });

  test("files outside of the workspace need their directory, secret files their own answer", () => {
    const rules = [ruleSet("user", rule("bash", "*", "allow"))];
    const passwords = { ...file, path: "/etc/passwd", access: "read", by: "cat", place: "outside" } as const;
    expect(judged({ files: [passwords] }, { rules })).toMatchObject({ verdict: "ask", patterns: ["/etc"] });
    const secret = { ...file, path: "/w/.env", access: "read", by: "cat" } as const;
    expect(judged({ files: [secret] }, { rules })).toMatchObject({ verdict: "ask", permission: "secret_file" });
  });

  test("in a sandbox what no rule speaks of runs unasked, unless it acts outward", () => {
    expect(judged({}, { isSandboxed: true })).toEqual({
      verdict: "allow",
      decision: { behavior: "allow", source: "sandbox", reason: "tool x runs in the sandbox", rules: [] },
    });
    const commands = [{ ...plain, outward: "pushes" }];
    expect(judged({ commands }, { isSandboxed: true }).verdict).toBe("ask");
    expect(judged({}, { isSandboxed: true, rules: [ruleSet("user", rule("bash", "tool *", "ask"))] }).verdict).toBe(
      "ask",
    );
  });

  test("always proposes one prefix for each command, or exactly the text", () => {
    const first = { ...plain, text: "git commit -m x", suggestion: "git commit *" };
    const second = { ...plain, text: "npm run lint", suggestion: "npm run lint *" };
    expect(judged({ commands: [first, second] })).toMatchObject({ always: ["git commit *", "npm run lint *"] });
    expect(judged({ commands: [first, plain] })).toMatchObject({ always: ["tool x"] });
  });
});

describe("commands that lose what cannot be had back", () => {
  test.each<[string, Verdict["verdict"]]>([
    ["git clean -fd", "deny"],
    ["git clean -n", "allow"],
    ["git push origin main", "allow"],
    ["git push --force origin main", "ask"],
    ["git reset --hard", "ask"],
    ["terraform destroy", "ask"],
    ["terraform state rm x", "deny"],
    ["cat notes", "allow"],
  ])("%s in bypass: %s", (command, expected) => {
    expect(judge(bash(command), context({ mode: "bypass" })).verdict).toBe(expected);
  });

  test("a rule of the user that spells it out lifts the guard; a wildcard, the project and a grant do not", () => {
    const verdict = (source: RuleSource, pattern: string) =>
      judge(bash("git clean -fd"), context({ rules: [ruleSet(source, rule("bash", pattern, "allow"))] })).verdict;
    expect(verdict("user", "git clean -fd")).toBe("allow");
    expect(verdict("user", "git clean*")).toBe("deny");
    expect(verdict("project", "git clean -fd")).toBe("deny");
    const grants = [rule("bash", "git clean -fd", "allow")];
    expect(judge(bash("git clean -fd"), context({ grants })).verdict).toBe("deny");
  });
});
