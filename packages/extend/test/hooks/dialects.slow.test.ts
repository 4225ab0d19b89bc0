/** Proves that hooks of each agent see its own names for events, tools, fields and variables, and are understood. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { callOf, endOf, type HookBed, openHookBed, passAfter, passBefore, signal } from "./hook-bed.ts";

let bed: HookBed | undefined;
afterEach(async () => {
  await bed?.close();
  bed = undefined;
});

const logs = { type: "command", command: "cat >> log; echo >> log" };
const seenBy = ({ root }: HookBed) =>
  readFileSync(join(root, "log"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const need = { permission: "edit", patterns: [], always: [], access: "write", paths: ["a.ts"] } as const;
const edit = { tool: "edit", input: { filePath: "a.ts", oldString: "1", newString: "2" }, needs: [need] };

test("Claude Code", async () => {
  bed = openHookBed({ PreToolUse: [{ matcher: "Edit|Write", hooks: [logs] }] });
  await passBefore(bed, callOf(bed, { ...edit, mode: "accept-edits" }));
  expect(seenBy(bed)).toEqual([
    {
      session_id: "ses_1",
      cwd: bed.root,
      permission_mode: "acceptEdits",
      tool_name: "Edit",
      tool_input: { file_path: join(bed.root, "a.ts"), old_string: "1", new_string: "2" },
      tool_use_id: "c1",
      transcript_path: join(bed.root, "ses_1.jsonl"),
      hook_event_name: "PreToolUse",
    },
  ]);
});

test("Gemini CLI: its events, tools and milliseconds; a changed input is laid over the old one; a denial hides a result", async () => {
  const change = { hookSpecificOutput: { tool_input: { new_string: "3" } } };
  const hooks = {
    BeforeTool: [
      {
        matcher: "replace",
        hooks: [logs, { type: "command", command: `echo '${JSON.stringify(change)}'`, timeout: 5_000 }],
      },
    ],
    AfterTool: [{ matcher: "run_.*", hooks: [{ type: "command", command: "echo hidden >&2; exit 2" }] }],
    BeforeModel: [{ hooks: [logs] }],
  };
  bed = openHookBed(hooks, { dialect: "gemini" });
  const answer = await passBefore(bed, callOf(bed, edit));
  expect(seenBy(bed)).toMatchObject([
    {
      timestamp: "1970-01-01T00:00:00.000Z",
      hook_event_name: "BeforeTool",
      tool_name: "replace",
      tool_input: { file_path: join(bed.root, "a.ts") },
    },
  ]);
  expect(answer).toMatchObject({ decision: "change", input: { oldString: "1", newString: "3" } });
  expect(bed.hooks.map(({ timeoutMs }) => timeoutMs)).toEqual([60_000, 5_000, 60_000]);
  expect(await passAfter(bed, endOf(callOf(bed)))).toMatchObject([{ output: "hidden" }]);
  expect(bed.problems).toEqual([
    {
      file: "settings.json",
      sentence: "settings.json: BeforeModel is not a known event; its hooks never run.",
    },
  ]);
});

test("Copilot: flat entries, its own field names, arguments as text", async () => {
  const deny = { permissionDecision: "deny", permissionDecisionReason: "no" };
  const hooks = {
    preToolUse: [{ type: "command", bash: `cat >> log; echo >> log; echo '${JSON.stringify(deny)}'`, timeoutSec: 5 }],
    postToolUse: [{ type: "command", bash: "cat >> log; echo >> log", env: { MODE: "x" } }],
  };
  bed = openHookBed(hooks, { dialect: "copilot" });
  expect(await passBefore(bed, callOf(bed, edit))).toMatchObject({ decision: "refuse", text: "no" });
  await passAfter(bed, endOf(callOf(bed)));
  const [before, after] = seenBy(bed);
  expect(before).toMatchObject({ timestamp: 0, sessionId: "ses_1", toolName: "edit", toolCallId: "c1" });
  expect(JSON.parse(before.toolArgs)).toEqual({ path: join(bed.root, "a.ts"), old_str: "1", new_str: "2" });
  expect(after).toMatchObject({ toolName: "bash", toolResult: { resultType: "success", textResultForLlm: "done" } });
  expect(bed.hooks[0]?.timeoutMs).toBe(5_000);
});

test("Copilot: an event with the name of Claude Code has its fields too, and its matcher one of its tools", async () => {
  bed = openHookBed({ PreToolUse: [{ matcher: "Bash|Edit", command: logs.command }] }, { dialect: "copilot" });
  await passBefore(bed, callOf(bed));
  await passBefore(bed, callOf(bed, { ...edit, callId: "c2" }));
  expect(seenBy(bed)).toMatchObject([
    { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "make" } },
    { timestamp: "1970-01-01T00:00:00.000Z", tool_name: "Edit", tool_input: { file_path: join(bed.root, "a.ts") } },
  ]);
});

const progress = `echo '{"type":"progress","message":"Looking"}'`;
const masked = { modifiedResult: { resultType: "success", textResultForLlm: "masked" } };

test.each([
  ["a command that fails refuses a call", "preToolUse", { bash: "exit 1" }, "refuse"],
  [
    "progress is no part of an answer",
    "preToolUse",
    { bash: `${progress}; echo '{"permissionDecision":"deny"}'` },
    "refuse",
  ],
  ["a program runs without a shell", "preToolUse", { exec: "false", args: [] }, "refuse"],
  ["a matcher means whole names", "preToolUse", { matcher: "as", bash: "exit 2" }, undefined],
  ["what is only told cannot be blocked", "userPromptSubmitted", { bash: "exit 2" }, undefined],
  ["a result is replaced", "postToolUse", { bash: `echo '${JSON.stringify(masked)}'` }, "masked"],
])("Copilot: %s", async (_, event, hook, expected) => {
  bed = openHookBed({ [event]: [{ type: "command", ...hook }] }, { dialect: "copilot" });
  const prompt = { ...bed.place, promptId: "prm_1", runId: "run_1", text: "go" };
  const before = await passBefore(bed, callOf(bed));
  const [after] = await passAfter(bed, endOf(callOf(bed)));
  const submitted = await bed.moment.promptSubmitted?.(prompt, signal);
  expect(before?.decision ?? after?.output ?? submitted?.decision).toBe(expected);
});

test("Copilot: a prompt that a hook would submit is not asked of a model", () => {
  bed = openHookBed({ sessionStart: [{ type: "prompt", prompt: "/init" }] }, { dialect: "copilot" });
  expect([bed.hooks, bed.problems]).toMatchObject([[], [{ sentence: expect.stringContaining("not supported") }]]);
});

const edits = [
  { oldString: "1", newString: "2" },
  { oldString: "3", newString: "4" },
];

test.each([
  ["claude", "Edit|Write", "Edit"],
  ["claude", "MultiEdit", "MultiEdit"],
  ["claude", "*", "Edit"],
  ["gemini", "replace", "replace"],
  ["codex", "^apply_patch$", "apply_patch"],
  ["codex", "Edit|Write", "apply_patch"],
] as const)(
  "a guard of %s for %s sees several edits in one call, with what they write",
  async (dialect, matcher, name) => {
    const event = dialect === "gemini" ? "BeforeTool" : "PreToolUse";
    bed = openHookBed({ [event]: [{ matcher, hooks: [logs] }] }, { dialect });
    await passBefore(bed, callOf(bed, { tool: "multi_edit", input: { filePath: "a.ts", edits }, needs: [need] }));
    const text =
      dialect === "codex"
        ? { command: `*** Begin Patch\n*** Update File: ${bed.root}/a.ts\n@@\n-1\n+2\n@@\n-3\n+4\n*** End Patch` }
        : { new_string: "2\n4" };
    expect(seenBy(bed)).toMatchObject([
      { tool_name: name, tool_input: { file_path: join(bed.root, "a.ts"), ...text } },
    ]);
  },
);

test("an agent that is started has both of its names", async () => {
  bed = openHookBed({ PreToolUse: ["Task", "Agent"].map((matcher) => ({ matcher, hooks: [logs] })) });
  await passBefore(bed, callOf(bed, { tool: "agent", input: { prompt: "Look." }, needs: [] }));
  expect(
    seenBy(bed)
      .map(({ tool_name: name }) => name)
      .toSorted(),
  ).toEqual(["Agent", "Task"]);
});

test("Codex: the names of Claude Code", async () => {
  bed = openHookBed({ PreToolUse: [{ matcher: "^Bash$", hooks: [logs] }] }, { dialect: "codex" });
  await passBefore(bed, callOf(bed));
  expect(seenBy(bed)).toMatchObject([{ tool_name: "Bash", tool_input: { command: "make" } }]);
});

test("kedge: its own names", async () => {
  bed = openHookBed({ PreToolUse: [{ matcher: "edit", hooks: [logs] }] }, { dialect: "kedge" });
  await passBefore(bed, callOf(bed, edit));
  expect(seenBy(bed)).toMatchObject([
    { tool_name: "edit", tool_input: { oldString: "1" }, permission_mode: "default" },
  ]);
});

test.each([
  ["claude", "CLAUDE_PROJECT_DIR"],
  ["codex", "CODEX_PROJECT_DIR"],
  ["gemini", "GEMINI_PROJECT_DIR"],
  ["copilot", "COPILOT_PROJECT_DIR"],
  ["kedge", "KEDGE_PROJECT_DIR"],
] as const)("hooks of %s find the project in %s", async (dialect, variable) => {
  const event = { gemini: "BeforeAgent", copilot: "userPromptSubmitted" }[dialect as string] ?? "UserPromptSubmit";
  bed = openHookBed({ [event]: [{ hooks: [{ type: "command", command: `echo "at $${variable}"` }] }] }, { dialect });
  const prompt = { ...bed.place, promptId: "prm_1", runId: "run_1", text: "go" };
  expect(await bed.moment.promptSubmitted?.(prompt, signal)).toMatchObject({
    context: [expect.stringContaining(`at ${bed.root}`)],
  });
});
