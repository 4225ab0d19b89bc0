/** Every event that a hook can be registered for: what its matcher is compared with, and what blocking it means. */

export type EventRow = {
  /** The field of the event that a matcher is compared with; events without one run all of their hooks. */
  readonly matches?: string;
  /**
   * `refuse`: the thing does not happen, and an answer that cannot be understood refuses it as well. `continue`: the run
   * continues with the reason. `tell`: the model reads the reason. Absent: nothing can be blocked.
   */
  readonly blocks?: "refuse" | "continue" | "tell";
  /** What a hook prints reaches the model even if it is not JSON. */
  readonly addsOutput?: true;
  /** Every exit code but 0 blocks: a half-made thing is none. */
  readonly failsByExit?: true;
  /** For commands and HTTP; 600 s without it. */
  readonly timeoutMs?: number;
};

const rows = {
  SessionStart: { matches: "source", addsOutput: true },
  Setup: { matches: "trigger", addsOutput: true },
  UserPromptSubmit: { blocks: "refuse", addsOutput: true, timeoutMs: 30_000 },
  UserPromptExpansion: { matches: "command_name", blocks: "refuse", addsOutput: true },
  PreToolUse: { matches: "tool_name", blocks: "refuse" },
  PermissionRequest: { matches: "tool_name", blocks: "refuse" },
  PermissionDenied: { matches: "tool_name" },
  PostToolUse: { matches: "tool_name", blocks: "tell" },
  PostToolUseFailure: { matches: "tool_name", blocks: "tell" },
  PostToolBatch: { blocks: "tell" },
  Notification: { matches: "notification_type" },
  MessageDisplay: { timeoutMs: 10_000 },
  SubagentStart: { matches: "agent_type", addsOutput: true },
  SubagentStop: { matches: "agent_type", blocks: "continue" },
  TaskCreated: { blocks: "refuse" },
  TaskCompleted: { blocks: "refuse" },
  Stop: { blocks: "continue" },
  StopFailure: { matches: "error" },
  TeammateIdle: { blocks: "continue" },
  InstructionsLoaded: { matches: "load_reason" },
  ConfigChange: { matches: "source" },
  CwdChanged: {},
  DirectoryAdded: { matches: "source" },
  FileChanged: { matches: "file_name" },
  WorktreeCreate: { blocks: "refuse", addsOutput: true, failsByExit: true },
  WorktreeRemove: {},
  PreCompact: { matches: "trigger", blocks: "refuse" },
  PostCompact: { matches: "trigger" },
  Elicitation: { matches: "mcp_server_name", blocks: "refuse" },
  ElicitationResult: { matches: "mcp_server_name", blocks: "refuse" },
  SessionEnd: { matches: "reason" },
  MemoryWritten: { matches: "file_name" },
} as const satisfies { readonly [name: string]: EventRow };

export type HookEvent = keyof typeof rows;

export const hookEvents: { readonly [Event in HookEvent]: EventRow } = rows;

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(hookEvents, name);
}
