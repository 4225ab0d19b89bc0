/** Hooks for commands that start no session. */
export { openCommandHooks } from "./command-hooks.ts";
export { type HooksAnswer, hookActions, runHooksWords } from "./hooks-words.ts";
