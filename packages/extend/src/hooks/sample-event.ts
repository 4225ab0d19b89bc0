/** A sample of each event, for whoever tries a hook without a session. */
import type { JsonObject } from "@kedge/protocol";
import type { HookEvent } from "./hook-events.ts";

const call = { tool_name: "Bash", tool_input: { command: "true", description: "sample" }, tool_use_id: "call_sample" };
const task = { task_id: "1", task_subject: "Sample", task_description: "A sample task." };
const file = { file_path: "/sample/file.txt" };

const samples: { readonly [Event in HookEvent]: JsonObject } = {
  SessionStart: { source: "startup", model: "sample/model" },
  Setup: { trigger: "init" },
  UserPromptSubmit: { prompt: "sample prompt" },
  UserPromptExpansion: {
    expansion_type: "slash_command",
    command_name: "sample",
    command_args: "",
    command_source: "project",
    prompt: "/sample",
  },
  PreToolUse: call,
  PermissionRequest: { ...call, permission_suggestions: [] },
  PermissionDenied: { ...call, reason: "sample" },
  PostToolUse: { ...call, tool_response: { content: "", stdout: "", success: true, is_error: false }, duration_ms: 1 },
  PostToolUseFailure: { ...call, error: "sample", is_interrupt: false, duration_ms: 1 },
  PostToolBatch: { tool_calls: [call] },
  Notification: { message: "sample", title: "kedge", notification_type: "permission_prompt" },
  MessageDisplay: { turn_id: "sample", message_id: "sample", index: 0, final: true, delta: "sample" },
  SubagentStart: { agent_id: "sample", agent_type: "general-purpose" },
  SubagentStop: {
    agent_id: "sample",
    agent_type: "general-purpose",
    stop_hook_active: false,
    last_assistant_message: "sample",
  },
  TaskCreated: task,
  TaskCompleted: task,
  Stop: { stop_hook_active: false, last_assistant_message: "sample", background_tasks: [], session_crons: [] },
  StopFailure: { error: "server_error", error_details: "sample" },
  TeammateIdle: { teammate_name: "sample", team_name: "sample" },
  InstructionsLoaded: { ...file, memory_type: "Project", load_reason: "session_start" },
  ConfigChange: { ...file, source: "project_settings" },
  CwdChanged: { old_cwd: "/sample", new_cwd: "/sample/deeper" },
  DirectoryAdded: { directory: "/sample", source: "flag" },
  FileChanged: { ...file, event: "change" },
  WorktreeCreate: { name: "sample" },
  WorktreeRemove: { worktree_path: "/sample" },
  PreCompact: { trigger: "manual", custom_instructions: "" },
  PostCompact: { trigger: "manual", compact_summary: "sample" },
  Elicitation: { mcp_server_name: "sample", message: "sample", mode: "form", requested_schema: {} },
  ElicitationResult: { mcp_server_name: "sample", action: "accept", content: {} },
  SessionEnd: { reason: "other" },
  MemoryWritten: { ...file, file_name: "file.txt" },
};

/** `given` fields take the place of the sample's. */
export function sampleEvent(event: HookEvent, cwd: string, given: JsonObject = {}): JsonObject {
  const common = { session_id: "ses_sample", prompt_id: "prm_sample", cwd, permission_mode: "default" };
  return { ...common, ...samples[event], ...given };
}
