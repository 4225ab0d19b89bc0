/** The AgentRuns contract: starting agents, hearing how they end, and talking to them while they work. */
import type { Cost, Usage } from "../content.ts";
import type { AgentStatus } from "../facts/fact-words.ts";
import type { JsonSchema } from "../json/json-schema.ts";
import type { Answer } from "../wire/answer.ts";
import type { AgentEnd } from "./agent-outcome.ts";
import type { SessionProfile } from "./session-profile.ts";

export type { AgentEnd } from "./agent-outcome.ts";

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
  /** Code waits for its end, so the model is not told of it. */
  readonly isQuiet?: true;
  /** A copy of the working tree of its own. Refused where worktrees are not available. */
  readonly isolation?: "worktree";
  /** Where kedge has it work, such as a frozen copy of the project. Nothing that a model or a client sends sets this. */
  readonly place?: OpenAgentPlace;
  /** Continue from the exact bytes of the parent's last request. */
  readonly isFork?: true;
  /** Stays after a run until it is dismissed or killed, as members of teams do, and takes no place of other agents. */
  readonly resident?: Resident;
  /**
   * kedge itself orders it: hidden agents can be meant, at any depth. Its end is for whoever ordered it and not told to
   * the model, no hook watches it, and nobody is asked for it. Nothing that a model or a client sends sets this.
   */
  readonly isOwn?: true;
  /**
   * A durable identity within the parent. If an agent with this key already completed there, or reached its turn limit,
   * nothing runs and the stored end is the answer.
   */
  readonly key?: string;
};

/** Moves an agent somewhere else than the checkout of its leader. */
export type OpenAgentPlace = (agentId: string, leader: SessionProfile) => Promise<Answer<AgentPlace>>;

export type AgentPlace = {
  /** That of the leader, moved there. */
  readonly profile: SessionProfile;
  /** What the agent is told before its task. */
  readonly notice: string;
  /** After its end: a sentence for the leader where something is left there. */
  leave(): Promise<string | undefined>;
};

export type Resident = {
  /** What it is given beside its definition. */
  readonly outfit: (profile: SessionProfile, agentId: string) => SessionProfile;
};

/** Who wants it. */
export type AgentParent = {
  readonly sessionId: string;
  /** The call whose result carries the end; an end without a waiting call arrives as a notification. */
  readonly callId?: string;
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
/** By which a definition may tell its agents apart; each screen has its own shade of them. */
export const agentColors = ["red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink"] as const;

export type AgentColor = (typeof agentColors)[number];

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
  /** Of its definition. */
  readonly color?: AgentColor;
  /** It waits for a person to answer a question. */
  readonly isAsking?: true;
  /** It stays, and has nothing to do right now. */
  readonly isResting?: true;
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
  /** Ends a resident that has finished; its end is that of its last run. */
  dismiss(agentId: string): Promise<Answer<Record<never, never>>>;
  /** Ends the agent and everything it started, and frees its memory. */
  kill(agentId: string): Promise<Answer<Record<never, never>>>;
  /** Continues an agent that ended before it finished, from its record. */
  revive(agentId: string, text?: string): Promise<Answer<StartedAgent>>;
  /** Cancels what runs, and resolves when every end is stored. */
  close(): Promise<void>;
}
