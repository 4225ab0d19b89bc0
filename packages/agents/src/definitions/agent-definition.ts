/** What an agent is: a name, a system prompt, and what it may use. Written by kedge, a user, a project or a plugin. */
import type { AgentColor, Effort, JsonObject, JsonSchema, PermissionRule } from "@kedge/protocol";

/** Whose definition it is. On an equal name the first of these is used. */
const agentTiers = ["managed", "command-line", "project", "user", "configuration", "plugin", "built-in"] as const;

export type AgentTier = (typeof agentTiers)[number];

/** `primary`: talks to the user. `subagent`: works for a session. `all`: both. */
export type AgentMode = "primary" | "subagent" | "all";

export const agentMemoryScopes = ["user", "project", "local"] as const;

export type AgentMemoryScope = (typeof agentMemoryScopes)[number];

export type AgentDefinition = {
  readonly name: string;
  readonly description: string;
  readonly mode: AgentMode;
  /** Never listed and never started by a model. */
  readonly isHidden: boolean;
  /** The system prompt; empty for the agents that work with kedge's own. */
  readonly prompt: string;
  /** The only tools it has; all of its parent without this. */
  readonly tools?: readonly string[];
  readonly disallowedTools: readonly string[];
  /** `provider/model` or the name of a tier (`fast`, `default`, `slow` …); the parent's without this. */
  readonly model?: string;
  readonly effort?: Effort;
  readonly temperature?: number;
  readonly maxTurns: number;
  /** Rules of its own. They only tighten what its parent may do. */
  readonly permission: readonly PermissionRule[];
  /** It looks and never changes anything: a ceiling over tools and shell commands. */
  readonly isReadOnly: boolean;
  readonly isBackground: boolean;
  readonly isolation?: "worktree";
  readonly skills: readonly string[];
  readonly mcpServers: readonly string[];
  readonly hooks?: JsonObject;
  readonly color?: AgentColor;
  /** Where it keeps notes between its tasks: for the user, for the project, or for the user in this project. */
  readonly memory?: AgentMemoryScope;
  /** Said before the first prompt of a session whose user talks to this agent. */
  readonly initialPrompt?: string;
  readonly outputSchema?: JsonSchema;
  /** Names of agents that it may start although it is at the depth limit of others. */
  readonly starts?: readonly string[];
  readonly tier: AgentTier;
  /** Whose folder it was found in, such as `native`, `claude` or `opencode`. */
  readonly source: string;
  /** Absent for what was not read from a file. */
  readonly file?: string;
  /** What its author should know. */
  readonly notes: readonly string[];
};
