/** What agents need of sessions, models and settings. The host gives it. */
import type {
  AgentParent,
  AgentSignal,
  Answer,
  ContextSource,
  Event,
  Fact,
  Jobs,
  KnownFile,
  RequestPrefix,
  RunOptions,
  SessionProfile,
  SessionState,
} from "@kedge/protocol";
import type { AgentDefinition } from "../definitions/agent-definition.ts";
import type { AgentTable } from "../definitions/agent-table.ts";
import type { AgentSettings } from "../settings.ts";
import type { OpenAgentWorktree } from "./agent-worktree.ts";

/** A session that is open in this process. */
export type OpenAgentSession = {
  readonly state: Readonly<SessionState>;
  readonly profile: SessionProfile;
  readonly jobs: Pick<Jobs, "list" | "kill">;
  /** What its next request begins with; a failure in a fork. */
  prefix(): Promise<Answer<RequestPrefix>>;
  /** What it has read of files. */
  knownFiles(): readonly KnownFile[];
  /** False where it is no longer open. */
  record(...facts: readonly Extract<Fact, { readonly type: `${"agent" | "mail"}.${string}` }>[]): Promise<boolean>;
  /** Tells whoever follows it how far an agent is. */
  tell(signal: AgentSignal): void;
  /** Begins a run for what agents have to tell, if nothing runs. */
  wake(continued?: RunOptions): void;
};

export interface AgentSessions {
  newId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  find(sessionId: string): OpenAgentSession | undefined;
  /** Whether another process works in it; none is known of without this. */
  isHeld?(sessionId: string): boolean;
  open(): readonly OpenAgentSession[];
  /** What its record says; undefined where there is none. */
  stored(sessionId: string): Promise<SessionState | undefined>;
  create(child: NewChild, profile: SessionProfile): Promise<Answer<object>>;
  resume(agentId: string, profile: SessionProfile): Promise<Answer<object>>;
  submit(agentId: string, text: string, options: RunOptions): Promise<Answer<object>>;
  interrupt(agentId: string): Promise<void>;
  close(agentId: string): Promise<Answer<object>>;
  subscribe(sessionId: string, listener: (event: Event) => void): () => void;
}

export type NewChild = { readonly agentId: string; readonly parent: AgentParent; readonly model: string };

/** No setting lets a tree become deeper. */
export const depthMax = 3;

export type AgentRunsParts = {
  readonly sessions: AgentSessions;
  readonly table: () => Promise<AgentTable>;
  readonly settings: AgentSettings;
  /** What the agent sees besides its conversation: instructions for one that works, nothing for one that only looks. */
  readonly newSources: (definition: AgentDefinition, agentId: string) => Promise<readonly ContextSource[]>;
  /** The rule by which a session may not have such an agent, as a sentence; whoever starts it, and by whatever way. */
  readonly ruleAgainst: (leader: Pick<OpenAgentSession, "profile" | "state">, agent: string) => string | undefined;
  /** Before each round, once its session is open. */
  readonly onRound: (definition: AgentDefinition, agentId: string) => Promise<void>;
  /** A model or tier as `provider/model`; the parent's where the wish is unknown or absent. */
  readonly modelFor: (wish: string | undefined, parentModel: string) => Promise<string>;
  /** The same profile, without what hooks and plugins added to it. */
  readonly withoutHooks: (profile: SessionProfile) => SessionProfile;
  /** For agents that work in a worktree; none can without it. */
  readonly openWorktree?: OpenAgentWorktree;
  /** Calls once after so many milliseconds; gives back the way to stop it. */
  readonly startTimer: (work: () => void, delayMs: number) => () => void;
  readonly onNotice: (sentence: string) => void;
};
