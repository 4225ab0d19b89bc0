/** Hooks: what is read of configurations, and what sessions are given of it. */
export { isHeldVariable } from "../held-variables.ts";
export type { Dialect, DialectId } from "./dialects/dialect.ts";
export { dialects } from "./dialects/dialects.ts";
export type { ElicitationHooks, HookedQuestion, QuestionAnswer } from "./elicitation-hooks.ts";
export { readEnvironmentText } from "./environment-file.ts";
export type { Hook, HookScope, HookSource } from "./hook.ts";
export { type HookEvent, hookEvents, isHookEvent } from "./hook-events.ts";
export type { HookParts, ModelQuestion, ModelVerdict } from "./hook-parts.ts";
export { readHooks } from "./read-hooks.ts";
export type { CallServerTool } from "./run-server-tool.ts";
export { sampleEvent } from "./sample-event.ts";
export { createSessionHooks, type SessionHooks } from "./session-hooks.ts";
export { missingOf } from "./startable.ts";
