/** Agents: what every session is given to start and address them. What runs them is loaded late, from `./runs`. */
export { createNewsSources } from "./runs/agent-sources.ts";
export type { AgentDesk } from "./tools/agent-desk.ts";
export { createAgentToolSource } from "./tools/agent-tool-source.ts";
export type { MemberOrder, TeamOrder, TeamTools } from "./tools/team-orders.ts";
