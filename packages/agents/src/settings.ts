/** What users may say about agents, with its defaults. */

export type AgentSettings = {
  /** Maximum number of agents per session that run at once. */
  readonly maxParallel: number;
  readonly maxDepth: number;
  /** After this time without use a finished agent is no longer kept in memory. */
  readonly idleTtlMs: number;
  /** 0 for no limit. */
  readonly maxRuntimeMs: number;
  /** With this turn the agent is told to come to an end; 0 for never. */
  readonly softRequestBudget: number;
  /** An estimate above it is confirmed by a person before more than three agents start. */
  readonly confirmUsd: number;
};

export const agentSettingsDefault: AgentSettings = {
  maxParallel: 10,
  maxDepth: 1,
  idleTtlMs: 420_000,
  maxRuntimeMs: 0,
  softRequestBudget: 90,
  confirmUsd: 1,
};

/** More messages than these do not wait for an agent. */
export const inboxMax = 100;
