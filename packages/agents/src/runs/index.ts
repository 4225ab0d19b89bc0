/** What runs agents. Loaded with the first agent that starts. */
export type { AgentRuns } from "@kedge/protocol";
