/** Plugins for commands that start no session. */
export type { Confirm, PluginAnswer } from "./plugin-answer.ts";
export { pluginActions, runPluginWords } from "./plugin-words.ts";
