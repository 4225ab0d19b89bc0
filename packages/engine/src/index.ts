/** The engine: sessions, the loop, the tool pipeline and permission judgement. Knows no provider and no tool. */

export type { AddedHandlers, CommandHandler } from "./commands/command-handler.ts";
export { createMessages } from "./context/messages.ts";
export { jobReminder } from "./context/sources/run-sources.ts";
export { createEngine, type Engine, type OpenSession } from "./engine.ts";
export { copyFacts } from "./fork.ts";
export type {
  AutoModeSettings,
  Clock,
  ConversationSettings,
  EngineParts,
  EngineShared,
  LocalCommand,
  PolicyLimits,
  SessionResources,
} from "./parts.ts";
export * from "./permission/index.ts";
export { checkpointReminder, lastStepReminder } from "./prompt-texts.ts";
export { closingFacts } from "./recovery.ts";
export { fullWindow } from "./step.ts";
export { offeredTools, toolNamesOf } from "./tool-sources.ts";
export { type UnexpectedStopSettings, unexpectedStopDefaults } from "./unexpected-stop-settings.ts";
export { type CompactionSettings, compactionStrategies, defaultCompaction } from "./upkeep/settings.ts";
