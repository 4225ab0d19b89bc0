/** What runs agents. Loaded with the first agent that starts or is asked about. */

export { listAgents } from "./agent-list.ts";
export { agentsBelow, rootOf } from "./agent-names.ts";
export { createAgentRuns } from "./agent-runs.ts";
export * from "./agent-sessions.ts";
export type { OpenAgentWorktree } from "./agent-worktree.ts";
export { childProfile } from "./child-profile.ts";
export { totalOf } from "./round.ts";
export { profileFor } from "./start-agent.ts";
