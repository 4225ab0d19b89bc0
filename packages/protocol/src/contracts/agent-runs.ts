/** The AgentRuns contract: starting agents, hearing how they end, and talking to them while they work. */
import type { Cost, Usage } from "../content.ts";
import type { AgentStatus } from "../facts/fact-words.ts";
import type { Json } from "../json/json.ts";
import type { JsonSchema } from "../json/json-schema.ts";
import type { Answer } from "../wire/answer.ts";

/** What is wanted of an agent. */
export type AgentOrder = {
  /** Name of a definition, such as `explore`. */
  readonly agent: string;
  readonly prompt: string;
  /** Three to eight words for people. */
  readonly description: string;
  /** `provider/model` or the name of a tier; that of the definition, else of the parent, without it. */
  readonly model?: string;
  /** Makes the agent addressable. Unique among the agents of the tree that still exist; `-2`, `-3` is added otherwise. */
  readonly name?: string;
  /** The agent ends with a value of this shape. */
  readonly outputSchema?: JsonSchema;
  /** The call that started it does not wait; its end arrives as a notification. */
  readonly isBackground?: true;
  /** A copy of the working tree of its own. Refused where worktrees are not available. */
  readonly isolation?: "worktree";
  /** Continue from the exact bytes of the parent's last request. */
  readonly isFork?: true;
  /**
   * A durable identity within the parent. If an agent with this key already completed there, or reached its turn limit,
   * nothing runs and the stored end is the answer.
   */
  readonly key?: string;
};

/** Who wants it. */
export type AgentParent = {
  readonly sessionId: string;
  /** The call whose result carries the end; an end without a waiting call arrives as a notification. */
  readonly callId?: string;
};

/** How an agent ended: stored in the parent exactly once for each start. */
export type AgentEnd = {
  readonly agentId: string;
  readonly status: AgentStatus;
  /** The final message, at most 32 KB; `outputPath` has all of it. */
  readonly result: string;
  readonly structured?: Json;
  readonly usage: Usage;
  readonly cost: Cost;
  readonly turns: number;
  readonly durationMs: number;
  /** Address of the whole output, such as `agent://survey`. */
  readonly outputPath?: string;
  /** One sentence, for every status but `completed`. */
  readonly why?: string;
};

export type StartedAgent = {
  /** The id of its session. */
  readonly agentId: string;
  readonly name?: string;
  /** Resolves once the end is stored. Never rejects. */
  readonly ended: Promise<AgentEnd>;
};

/**
 * `idle`: finished, and still in memory. `parked`: finished, and rebuilt from its record when needed. `aborted`: stopped
 * before it finished, by a person, an error or a crash.
 */
export type AgentState = "running" | "idle" | "parked" | "aborted";

/** One agent, as it is listed for people. */
export type AgentSummary = {
  readonly agentId: string;
  readonly parentId: string;
  readonly agent: string;
  readonly description: string;
  readonly name?: string;
  readonly state: AgentState;
  /** Absent while it runs. */
  readonly status?: AgentStatus;
  readonly why?: string;
  readonly isBackground: boolean;
  readonly depth: number;
  readonly model?: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly usage: Usage;
  readonly cost: Cost;
  readonly turns: number;
  /** The last tool call, in a few words; absent before the first. */
  readonly lastAction?: string;
  /** It waits for a person to answer a question. */
  readonly isAsking?: true;
};

/** Who speaks to an agent: a person, the session that started it, or another agent. Decided by kedge, never by a text. */
export type AgentSender =
  | { readonly kind: "user" }
  | { readonly kind: "leader" | "peer"; readonly sessionId: string; readonly name: string };

export interface AgentRuns {
  /**
   * Waits for a free place, records the start in the parent, and only then starts. Refused before any model request if
   * the definition is unknown, the tree is too deep or a limit forbids it. Aborting the signal cancels the agent.
   */
  start(order: AgentOrder, parent: AgentParent, signal: AbortSignal): Promise<Answer<StartedAgent>>;
  /** All agents below a session, or of every session that is open here; oldest first. */
  list(rootId?: string): Promise<readonly AgentSummary[]>;
  find(agentId: string): Promise<AgentSummary | undefined>;
  /** Reaches a running agent before its next model request, and wakes one that has finished. */
  message(agentId: string, text: string, from: AgentSender): Promise<Answer<{ readonly messageId: string }>>;
  /** Ends the turn under way. The agent can be messaged afterwards. */
  interrupt(agentId: string): Promise<Answer<Record<never, never>>>;
  /** Ends the agent and everything it started, and frees its memory. */
  kill(agentId: string): Promise<Answer<Record<never, never>>>;
  /** Continues an agent that ended before it finished, from its record. */
  revive(agentId: string, text?: string): Promise<Answer<StartedAgent>>;
  /** Cancels what runs, and resolves when every end is stored. */
  close(): Promise<void>;
}
