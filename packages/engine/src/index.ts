/** The engine: sessions, the loop, the tool pipeline and permission judgement. Knows no provider and no tool. */

export type { Asking, GivenAnswer, Questions } from "./call/asking/questions.ts";
export { createMessages } from "./context/messages.ts";
export { jobReminder } from "./context/sources/run-sources.ts";
export { createEngine, type Engine, type OpenOptions, type OpenSession } from "./engine.ts";
export type {
  AutoModeSettings,
  Clock,
  ConversationSettings,
  EngineParts,
  EngineShared,
  LocalAnswer,
  LocalCommand,
  LocalServices,
  PolicyLimits,
  SessionResources,
} from "./parts.ts";
export * from "./permission/index.ts";
export { checkpointReminder, lastStepReminder } from "./prompt-texts.ts";
export type { RunTerms } from "./run/run-terms.ts";
export type { QueueMode } from "./run/said-prompts.ts";
export { askAside } from "./run/side-query.ts";
export { type UnexpectedStopSettings, unexpectedStopDefaults } from "./run/unexpected-stop-settings.ts";
export { closingFacts } from "./session/closing-facts.ts";
export type { AddedHandlers, CommandHandler } from "./session/commands/command-handler.ts";
export { copyFacts } from "./session/fork.ts";
export { fullWindow } from "./step/step.ts";
export type { ToolSearchMode } from "./tool-pool/deferral.ts";
export { offeredTools, toolNamesOf } from "./tool-pool/tool-sources.ts";
export { type CompactionSettings, compactionStrategies, defaultCompaction } from "./window/settings.ts";
