/** Plugins for commands that start no session. */
export type { Confirm, PluginAnswer } from "./plugin-answer.ts";
export { type HandedParts, type PluginServer, pluginParts } from "./plugin-parts.ts";
export { pluginActions, runPluginWords } from "./plugin-words.ts";
