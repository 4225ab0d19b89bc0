/** The engine: sessions, the loop, the tool pipeline and permission judgement. Knows no provider and no tool. */

export type { SnapcompactSettings } from "./compaction/compaction-parts.ts";
export { createContext } from "./context.ts";
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
export { checkpointReminder, jobEndedReminder, lastStepReminder } from "./prompt-texts.ts";
export { closingFacts } from "./recovery.ts";
export { shapeNames } from "./snapcompact/shape.ts";
export { fullWindow } from "./step.ts";
export { namedToolsReminder } from "./tool-search.ts";
export { offeredTools, toolNamesOf } from "./tool-sources.ts";
export { type UnexpectedStopSettings, unexpectedStopDefaults } from "./unexpected-stop-settings.ts";
export { type CompactionSettings, compactionStrategies, defaultCompaction } from "./upkeep/settings.ts";
