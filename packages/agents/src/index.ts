/** Agents: what every session is given to start and address them. What runs them is loaded late, from `./runs`. */
export type { AgentDefinition, AgentTier } from "./definitions/agent-definition.ts";
export { createNewsSources } from "./runs/agent-sources.ts";
export type { AgentDesk, AgentToolParts, LoadDesk } from "./tools/agent-desk.ts";
export { createAgentToolSource } from "./tools/agent-tool-source.ts";
export type { MemberOrder, TeamOrder, TeamTools } from "./tools/team-orders.ts";
