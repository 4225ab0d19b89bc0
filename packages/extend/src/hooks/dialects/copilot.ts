/** Hooks as GitHub Copilot runs them, from `.github/hooks`; those that name events like Claude Code see its names. */
import { claude } from "./claude.ts";
import type { Dialect } from "./dialect.ts";

/** What holds for both ways of naming. */
const common = {
  timestamp: "date",
  projectVariables: ["COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  timeout: { field: "timeoutSec", otherField: "timeout", unitMs: 1_000, defaultMs: 30_000 },
  matcherIsWhole: true,
  blockedByExit: ["PreToolUse", "PermissionRequest", "PostToolUseFailure"],
  refusedByFailure: ["PreToolUse"],
  unblockable: ["PreCompact"],
  printsProgress: true,
  submitsPrompts: true,
  errorAsObject: true,
} as const satisfies Partial<Dialect>;

export const copilot: Dialect = {
  ...common,
  id: "copilot",
  ofOurEvents: "copilot-claude",
  unblockable: ["PreCompact", "UserPromptSubmit"],
  events: {
    sessionStart: "SessionStart",
    sessionEnd: "SessionEnd",
    userPromptSubmitted: "UserPromptSubmit",
    preToolUse: "PreToolUse",
    postToolUse: "PostToolUse",
    postToolUseFailure: "PostToolUseFailure",
    permissionRequest: "PermissionRequest",
    agentStop: "Stop",
    subagentStart: "SubagentStart",
    subagentStop: "SubagentStop",
    errorOccurred: "StopFailure",
    preCompact: "PreCompact",
    notification: "Notification",
  },
  tools: {
    read: "view",
    write: "create",
    list: "view",
    webfetch: "web_fetch",
    websearch: "web_search",
    todo_write: "update_todo",
    question: "ask_user",
    agent: "task",
  },
  fields: {
    read: { filePath: "path" },
    write: { filePath: "path", content: "file_text" },
    edit: { filePath: "path", oldString: "old_str", newString: "new_str" },
  },
  otherNames: { edit: ["str_replace_editor", "apply_patch"] },
  editing: { tool: "edit", path: "path", text: "new_str" },
  eventFields: {
    session_id: "sessionId",
    transcript_path: "transcriptPath",
    hook_event_name: "hookEventName",
    permission_mode: "permissionMode",
    prompt_id: "promptId",
    tool_name: "toolName",
    tool_input: "toolArgs",
    tool_use_id: "toolCallId",
    tool_response: "toolResult",
    last_assistant_message: "response",
    custom_instructions: "customInstructions",
    agent_id: "agentId",
    agent_type: "agentName",
    notification_type: "notificationType",
  },
  inputAsText: true,
  timestamp: "milliseconds",
  result: { text: "textResultForLlm", kind: "resultType" },
  modes: {},
  matcherIsPattern: true,
};

export const copilotAsClaude: Dialect = {
  ...claude,
  ...common,
  id: "copilot-claude",
  // What an exit code does to prompts and stops is as in Claude Code: editors that share these files have it so.
  blockedByExit: [...common.blockedByExit, "UserPromptSubmit", "Stop", "SubagentStop", "PostToolUse"],
  secondResult: { field: "tool_result", text: "text_result_for_llm", kind: "result_type" },
};
