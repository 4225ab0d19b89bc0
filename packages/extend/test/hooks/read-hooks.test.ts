/** Proves what is read of configurations: matchers, mistakes that cost only themselves, and commands that cannot start. */
import { expect, test } from "vitest";
import { missingOf, readHooks } from "../../src/hooks/index.ts";
import { readMatcher } from "../../src/hooks/matcher.ts";

const read = (hooks: unknown, scope: "project" | "managed" = "project") =>
  readHooks([{ dialect: "claude", scope, file: "f.json", hooks }]);

test.each([
  ["Bash", "Bash", true],
  ["Bash", "BashOutput", false],
  ["Edit|Write", "Write", true],
  ["Edit, Write", "Edit", true],
  ["Edit|Write", "MultiEdit", false],
  ["mcp__.*", "mcp__server__tool", true],
  ["^Notebook", "NotebookEdit", true],
  ["Edit.*", "MultiEdit", true],
  ["*", "anything", true],
  ["", "anything", true],
])("the matcher %j on %s is %s", (matcher, value, expected) => {
  expect(readMatcher(matcher)?.(value)).toBe(expected);
});

const fine = { type: "command", command: "true" };

test.each([
  [{ PreToolUse: {} }, "hooks.PreToolUse must be a list."],
  [{ Nonsense: [] }, "f.json: Nonsense is not a known event; its hooks never run."],
  [
    { PreToolUse: [{ hooks: [{ type: "dance" }] }] },
    'f.json: PreToolUse[0].hooks[0] is not used: "dance" is not a known hook type.',
  ],
  [{ PreToolUse: [{ hooks: [{ type: "command" }] }] }, "command must be a string"],
  [{ PreToolUse: [{ hooks: [{ ...fine, timeout: "soon" }] }] }, "timeout must be a positive number"],
  [{ PreToolUse: [{ matcher: "(", hooks: [fine] }] }, 'its matcher "(" is neither a name nor a regular expression'],
  [
    { PreToolUse: [{ hooks: [{ type: "http", url: "file:///etc/passwd" }] }] },
    "f.json: PreToolUse[0].hooks[0] is not used: url must be an http or https URL.",
  ],
  [{ PreToolUse: [{ hooks: [{ type: "mcp_tool", tool: "b" }] }] }, "server must be the name of an MCP server"],
  [{ PreToolUse: ["x"] }, "it must be an object with a type"],
  [{ PreToolUse: [{ matcher: ["Bash", 1.5], hooks: [fine] }] }, "is neither a name nor a regular expression"],
  [
    { preToolUse: [{ hooks: [fine] }] },
    "preToolUse is not a known event; its hooks never run. Did you mean PreToolUse?",
  ],
  [{ PostTool: [{ hooks: [fine] }] }, "its hooks never run. Did you mean PostToolUse?"],
  [
    { PreToolUse: [{ matcher: "Bash(git push:*)", hooks: [fine] }] },
    'PreToolUse[0].hooks[0] never runs: its matcher is a permission rule. Use matcher "Bash" and put the rule in if.',
  ],
  [[], "hooks must be an object"],
])("%j is reported and costs only itself", (hooks, sentence) => {
  const { problems } = read(hooks);
  expect(problems.map((problem) => problem.sentence).join()).toContain(sentence);
  expect(read({ ...hooks, Stop: [{ hooks: [fine] }] }).hooks.some(({ event }) => event === "Stop")).toBe(true);
});

test.each([
  ["no matcher written as null", { matcher: null, hooks: [fine] }, {}],
  ["names in a list", { matcher: ["Edit", "Write"], hooks: [fine] }, { matcher: "Edit|Write" }],
  ["one hook without the list around it", { matcher: "Bash", hooks: fine }, { matcher: "Bash" }],
  ["a condition beside the matcher", { if: "Bash(git *)", hooks: [fine] }, { condition: "Bash(git *)" }],
  ["a time limit in quotes", { hooks: [{ ...fine, timeout: "5" }] }, { timeoutMs: 5_000 }],
  ["a time limit of null", { hooks: [{ ...fine, timeout: null }] }, { timeoutMs: 600_000 }],
])("a slip that leaves no doubt is read as meant: %s", (_, group, expected) => {
  const { hooks, problems } = read({ PreToolUse: [group] });
  expect(problems).toEqual([]);
  expect(hooks).toMatchObject([expected]);
  expect(hooks[0]?.matcher).toBe("matcher" in expected ? expected.matcher : undefined);
});

test("a managed hook whose matcher is broken concerns everything", () => {
  const { hooks, problems } = read({ PreToolUse: [{ matcher: "(", hooks: [fine] }] }, "managed");
  expect([hooks.length, hooks[0]?.matcher, problems]).toEqual([1, undefined, []]);
});

test("a group of kedge's own settings may name the agent that its hooks were written for", () => {
  const own = (hooks: unknown) => readHooks([{ dialect: "kedge", scope: "user", file: "f.json", hooks }]);
  const { hooks, problems } = own({
    PreToolUse: [{ dialect: "claude", matcher: "Bash", hooks: [fine] }, { hooks: [fine] }],
    BeforeTool: [{ dialect: "gemini", hooks: [{ ...fine, timeout: 5000 }] }, { hooks: [fine] }],
    Stop: [{ dialect: "martian", hooks: [fine] }],
  });
  expect(hooks.map(({ event, eventName, dialect, timeoutMs }) => [event, eventName, dialect, timeoutMs])).toEqual([
    ["PreToolUse", "PreToolUse", "claude", 600_000],
    ["PreToolUse", "PreToolUse", "kedge", 600_000],
    ["PreToolUse", "BeforeTool", "gemini", 5_000],
  ]);
  expect(problems.map(({ sentence }) => sentence)).toEqual([
    "f.json: BeforeTool is not a known event; its hooks never run.",
    "f.json: Stop[0] is not used: dialect must be one of kedge, claude, codex, copilot, gemini.",
  ]);
  // Files of other agents are read in their own dialect, whatever they say.
  expect(read({ Stop: [{ dialect: "gemini", hooks: [fine] }] }).hooks[0]?.dialect).toBe("claude");
});

test("a hook that would wake the model runs without anybody waiting, which is said", () => {
  const { hooks, problems } = read({ PostToolUse: [{ hooks: [{ ...fine, asyncRewake: true }] }] });
  expect(hooks).toMatchObject([{ isAsync: true }]);
  expect(problems.map(({ sentence }) => sentence)).toEqual([expect.stringContaining("does not wake the model")]);
});

test.each(["TeammateIdle", "WorktreeCreate", "WorktreeRemove"])("hooks of %s load", (event) => {
  const { hooks, problems } = read({ [event]: [{ hooks: [fine] }] });
  expect([hooks.map((hook) => hook.event), problems]).toEqual([[event], []]);
});

test.each([
  ["/no/such/file", "file not found: /no/such/file"],
  ['"$CLAUDE_PROJECT_DIR"/no.sh --x', "file not found: /project/no.sh"],
  ["~/no.sh", "file not found: /home/me/no.sh"],
  ["no-such-program-here a", "program not found: no-such-program-here"],
  ["python3 missing.py", "file not found: /project/missing.py"],
  ["/etc/passwd", "/etc/passwd is not executable"],
  ["true && /no/such/file", undefined],
  ["X=1 /no/such/file", undefined],
  ["$(which tool)", undefined],
  ["osascript-of-a-mac -e 'display notification' 2>/dev/null || true", undefined],
  ["command -v no-such-tool >/dev/null && no-such-tool", undefined],
  ["for i in 1; do true; done", undefined],
  [`${"a".repeat(50_000)}(`, undefined],
])("the command %j: %s", (command, expected) => {
  const [hook] = read({ Stop: [{ hooks: [{ type: "command", command }] }] }).hooks;
  if (hook === undefined) throw new Error("it is a hook");
  const environment = { PATH: "/usr/bin:/bin" };
  expect(missingOf(hook, { cwd: "/project", root: "/project", home: "/home/me", environment })).toBe(expected);
});
