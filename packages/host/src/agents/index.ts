/** What commands say of agents: definitions, and agents that worked for sessions of a project. */
export { findAgents } from "./find-agents.ts";
export { agentsText, definitionsText, type ListedAgent, listAgentDefinitions } from "./list-agents.ts";
export { listProjectAgents } from "./project-agents.ts";
