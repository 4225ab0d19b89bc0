/** Worked examples of the judge with real sources, modes and the real analysis of commands: verdict, reason and source. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  headlessText,
  type JudgeCall,
  type JudgeContext,
  judge,
  parsePermissionRules,
  type Verdict,
} from "@kedge/engine";
import type { Need, PermissionMode, PermissionRule, RuleSet, RuleSource } from "@kedge/protocol";
import { createLookAtPath, isProtectedPath } from "@kedge/sandbox";
import { analyseShell } from "@kedge/sandbox/shell";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfiguration } from "../src/index.ts";

let place = "";
let root = "";

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-fixtures-")));
  root = join(place, "w");
  mkdirSync(root);
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

/** The setting `permission` of each source, as a file of it would hold it. */
type Settings = { readonly [Source in RuleSource]?: unknown };

type Situation = { readonly mode?: PermissionMode; readonly grants?: readonly PermissionRule[] };

function contextOf(rules: readonly RuleSet[], { mode = "default", grants = [] }: Situation = {}): JudgeContext {
  const home = join(place, "home");
  return {
    rules,
    grants,
    mode,
    lookAtPath: createLookAtPath({ root, added: [] }),
    root,
    home,
    kedgeHome: join(home, ".kedge"),
    analyseShell,
    isProtected: (path) => isProtectedPath(path, { home }),
  };
}

function setsOf(settings: Settings): readonly RuleSet[] {
  return Object.entries(settings).map(([source, permission]) => {
    // The keys of the type are the sources.
    const parsed = parsePermissionRules({ permission }, { source: source as RuleSource });
    if (!parsed.ok) throw new Error(`${parsed.path} must be ${parsed.expected}`);
    return parsed.rules;
  });
}

function callOf(
  tool: string,
  need: Omit<Need, "permission" | "always">,
  options: { readonly readOnly: boolean },
): JudgeCall {
  const always = tool === "edit" || tool === "read" ? ["*"] : need.patterns;
  return { tool, needs: [{ permission: tool, always, ...need }], readOnly: options.readOnly, cwd: root };
}

const bash = (command: string) =>
  callOf("bash", { patterns: [command], access: "execute", paths: [root] }, { readOnly: false });
const edit = (path: string) =>
  callOf("edit", { patterns: [path], access: "write", paths: [resolve(root, path)] }, { readOnly: false });
const read = (path: string) =>
  callOf("read", { patterns: [path], access: "read", paths: [resolve(root, path)] }, { readOnly: true });
const webfetch = (url: string) =>
  callOf("webfetch", { patterns: [url, `domain:${new URL(url).host}`], access: "network" }, { readOnly: true });

/** What is recorded of a verdict, or shown with a question; rules as `source permission pattern action`. */
function outline(verdict: Verdict) {
  const rules = verdict.verdict === "ask" ? verdict.rules : verdict.decision.rules;
  const texts = rules.map(({ source, permission, pattern, action }) => `${source} ${permission} ${pattern} ${action}`);
  if (verdict.verdict === "ask") {
    const { patterns, reason, always } = verdict;
    return { verdict: "ask", asks: patterns, reason, always, rules: texts };
  }
  const { source, reason } = verdict.decision;
  return { verdict: verdict.verdict, source, reason, rules: texts };
}

function judged(settings: Settings, call: JudgeCall, situation?: Situation) {
  return outline(judge(call, contextOf(setsOf(settings), situation)));
}

const status = { bash: { "*": "ask", "git status*": "allow" } };

test("each part of a chain is allowed by its rule", () => {
  expect(judged({ user: status }, bash("git status && git status -s"))).toEqual({
    verdict: "allow",
    source: "rule",
    reason: 'the user rule bash "git status*" allows git status; the user rule bash "git status*" allows git status -s',
    rules: ["user bash git status* allow"],
  });
});

test("only the part that no rule allows is asked about", () => {
  expect(judged({ user: status }, bash("git status; rm -rf build"))).toEqual({
    verdict: "ask",
    asks: ["rm -rf build"],
    reason: 'the user rule bash "*" asks about rm -rf build',
    always: ["git status; rm -rf build"],
    rules: ["user bash * ask"],
  });
});

test("a redirection is an edit of its file", () => {
  expect(judged({ user: status }, bash("git status > out.txt"))).toEqual({
    verdict: "ask",
    asks: ["out.txt"],
    reason: "no rule covers editing out.txt",
    always: [join(root, "out.txt")],
    rules: [],
  });
});

test("a program from a variable is unknown", () => {
  const command = "X=git; $X status";
  expect(judged({ user: status }, bash(command))).toMatchObject({
    verdict: "ask",
    asks: expect.arrayContaining([command]),
    reason: expect.stringContaining(`the user rule bash "*" asks about ${command}`),
    rules: ["user bash * ask"],
  });
  expect(judged({ user: { bash: { "git status*": "allow" } } }, bash(command))).toMatchObject({
    verdict: "ask",
    reason: expect.stringContaining(`${command}: The program $X is only known at run time.`),
    rules: [],
  });
});

const clean = { bash: { "git clean*": "deny" } };
const cleanDenied = {
  verdict: "deny",
  source: "rule",
  reason: 'the user rule bash "git clean*" denies git clean -fd',
  rules: ["user bash git clean* deny"],
};

test.each(["sudo git clean -fd", 'echo "$(git clean -fd)"', "bash -c 'git clean -fd'"])(
  "a denied command within %s is denied",
  (command) => {
    expect(judged({ user: clean }, bash(command))).toEqual(cleanDenied);
  },
);

test("a grant does not lift a deny", () => {
  const grants: PermissionRule[] = [{ permission: "bash", pattern: "git *", action: "allow" }];
  expect(judged({ user: clean }, bash("git clean -n"), { grants })).toEqual({
    ...cleanDenied,
    reason: 'the user rule bash "git clean*" denies git clean -n',
  });
});

test.each<[string, Settings, string]>([
  ["the user asks, the project allows", { user: { edit: "ask" }, project: { edit: "allow" } }, "user"],
  ["the user allows, the project asks", { user: { edit: "allow" }, project: { edit: "ask" } }, "project"],
])("the stricter of two holds: %s", (_, settings, source) => {
  expect(judged(settings, edit("src/a.ts"))).toEqual({
    verdict: "ask",
    asks: ["src/a.ts"],
    reason: `the ${source} rule edit "*" asks about src/a.ts`,
    always: ["*"],
    rules: [`${source} edit * ask`],
  });
});

test("a project allows only when the workspace is trusted", async () => {
  writeFileSync(join(root, "kedge.json"), JSON.stringify({ permission: { edit: "allow" } }));
  const verdictWhen = async (isTrusted: boolean) => {
    const directories = { home: join(place, "home/.kedge"), userDirectory: join(place, "home"), cwd: root };
    const loaded = await loadConfiguration({
      ...directories,
      projectRoot: root,
      environment: {},
      files: [],
      isTrusted,
    });
    if (!loaded.ok) throw new Error(loaded.failure.message);
    return outline(judge(edit("src/a.ts"), contextOf(loaded.configuration.rules)));
  };
  expect(await verdictWhen(true)).toEqual({
    verdict: "allow",
    source: "rule",
    reason: 'the project rule edit "*" allows src/a.ts',
    rules: ["project edit * allow"],
  });
  expect(await verdictWhen(false)).toEqual({
    verdict: "ask",
    asks: ["src/a.ts"],
    reason: "no rule covers editing src/a.ts",
    always: ["*"],
    rules: [],
  });
});

test("a later rule for one tool takes it out of a deny of all", () => {
  const user = { "*": "deny", read: "allow" };
  expect(judged({ user }, read("src/a.ts"))).toEqual({
    verdict: "allow",
    source: "rule",
    reason: 'the user rule read "*" allows src/a.ts',
    rules: ["user read * allow"],
  });
  expect(judged({ user }, bash("ls"))).toEqual({
    verdict: "deny",
    source: "rule",
    reason: 'the user rule * "*" denies ls',
    rules: ["user * * deny"],
  });
});

test("a written ask holds in bypass", () => {
  expect(judged({ user: { bash: { "git push*": "ask" } } }, bash("git push"), { mode: "bypass" })).toEqual({
    verdict: "ask",
    asks: ["git push"],
    reason: 'the user rule bash "git push*" asks about git push',
    always: expect.any(Array),
    rules: ["user bash git push* ask"],
  });
});

test("an answer for always holds for the next call of the session", () => {
  const settings: Settings = { user: { bash: { "git commit*": "ask" } } };
  const first = judge(bash("git commit -m a"), contextOf(setsOf(settings)));
  if (first.verdict !== "ask") throw new Error(first.verdict);
  expect(outline(first)).toEqual({
    verdict: "ask",
    asks: ["git commit -m a"],
    reason: 'the user rule bash "git commit*" asks about git commit -m a',
    always: ["git commit *"],
    rules: ["user bash git commit* ask"],
  });
  expect(judged(settings, bash("git commit -m b"), { grants: first.grants })).toEqual({
    verdict: "allow",
    source: "rule",
    reason: 'the session rule bash "git commit *" allows git commit -m b',
    rules: ["session bash git commit * allow"],
  });
  expect(judged(settings, bash("git commit -m b"))).toMatchObject({ verdict: "ask" });
});

test("a question of the policy has no answer for always", () => {
  expect(judged({ policy: { webfetch: "ask" } }, webfetch("https://e.example/a"))).toEqual({
    verdict: "ask",
    asks: ["https://e.example/a"],
    reason: 'the policy rule webfetch "*" asks about https://e.example/a',
    always: [],
    rules: ["policy webfetch * ask"],
  });
});

test("while planning only plans are written", () => {
  expect(judged({}, edit(".kedge/plans/a.md"), { mode: "plan" })).toEqual({
    verdict: "allow",
    source: "mode",
    reason: "plan mode allows edit",
    rules: [],
  });
  const refused = {
    verdict: "deny",
    source: "mode",
    reason: "plan mode does not allow edit, which makes changes",
    rules: [],
  };
  expect(judged({}, edit("src/a.ts"), { mode: "plan" })).toEqual(refused);
  expect(judged({ user: { edit: "allow" } }, edit("src/a.ts"), { mode: "plan" })).toEqual(refused);
});

test("where nobody can answer the text names the missing rule", () => {
  const verdict = judge(bash("npm install"), contextOf([]));
  if (verdict.verdict !== "ask") throw new Error(verdict.verdict);
  expect(headlessText(verdict).split("\n").slice(0, 2)).toEqual([
    "This call needs the permission of a person, and nobody can answer in this run, so it did not run: no rule covers npm install.",
    `What would permit it: kedge started with --allow 'Bash(npm install)', or the setting "permission": {"bash":{"npm install":"allow"}} in the user's configuration.`,
  ]);
  const named = { user: { bash: { "npm install": "allow" } } };
  expect(judged(named, bash("npm install"))).toMatchObject({ verdict: "allow", source: "rule" });
});
