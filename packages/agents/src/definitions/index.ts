/** Definitions of agents: reading them, and the table of all. Loaded where somebody lists or starts agents. */
export * from "./agent-definition.ts";
export { type AgentTable, createAgentTable, type HiddenAgent, type RefusedAgent } from "./agent-table.ts";
export { builtInAgents, coordinatorTools, protectedAgents } from "./built-in-agents.ts";
export { type RawAgent, type ReadRules, readAgent } from "./read-agent.ts";
export { nameOf } from "./read-tools.ts";
