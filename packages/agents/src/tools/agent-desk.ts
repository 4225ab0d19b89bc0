/** What the tools of agents work with. Loaded with the first call. */
import type { AgentEnd, AgentRecord, AgentRuns, SessionProfile } from "@kedge/protocol";
import type { AgentDefinition } from "../definitions/agent-definition.ts";
import type { AgentTable } from "../definitions/agent-table.ts";
import type { AgentSessions } from "../runs/agent-sessions.ts";
import type { AgentSettings } from "../settings.ts";
import type { TeamTools } from "./team-orders.ts";

export type AgentDesk = {
  readonly runs: AgentRuns;
  readonly sessions: AgentSessions;
  readonly settings: AgentSettings;
  readonly table: () => Promise<AgentTable>;
  /** The profile of an agent below a session with that profile. */
  readonly narrowed: (
    definition: AgentDefinition,
    above: SessionProfile,
    record: Pick<AgentRecord, "agentId" | "depth" | "name" | "isBackground">,
  ) => Promise<SessionProfile>;
  /** A model or tier as `provider/model`; the parent's where nothing is wished. */
  readonly modelFor: (wish: string | undefined, parentModel: string) => Promise<string>;
  /** What an agent of that definition usually costs below that session; 0 where nothing is known to go by. */
  readonly usualUsd: (agent: string, sessionId: string) => Promise<number>;
  readonly teams: TeamTools;
};

export type LoadDesk = () => Promise<AgentDesk>;

export type AgentToolParts = {
  readonly sessionId: string;
  readonly desk: LoadDesk;
  /** Agents that users wrote, for the description of the tool. */
  readonly added: readonly { readonly name: string; readonly description: string; readonly isReadOnly: boolean }[];
};

/** The end of an agent that nobody waits for. */
export function metadataOf({ agentId, status, usage, cost, turns, durationMs }: AgentEnd) {
  return { agentId, status, usage: { ...usage }, usd: cost.usd, turns, durationMs };
}
