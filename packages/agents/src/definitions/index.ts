/** Definitions of agents: reading them, and the table of all. Loaded where somebody lists or starts agents. */
export * from "./agent-definition.ts";
export { type AgentTable, createAgentTable, type RefusedAgent } from "./agent-table.ts";
export { builtInAgents } from "./built-in-agents.ts";
export { type RawAgent, type ReadRules, readAgent } from "./read-agent.ts";
