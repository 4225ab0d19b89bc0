/** What runs agents. Loaded with the first agent that starts or is asked about. */
export { agentsBelow, rootOf } from "./agent-names.ts";
export { createAgentRuns, depthOf } from "./agent-runs.ts";
export * from "./agent-sessions.ts";
export { bodyOf, describeEnd, summaryOf } from "./end-texts.ts";
