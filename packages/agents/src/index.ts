/** Agents: their definitions, and what a session is given to start them. What runs them is loaded late, from `./runs`. */
export * from "./definitions/agent-definition.ts";
export { forkPrompt } from "./forks/fork-prompt.ts";
