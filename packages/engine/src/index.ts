/** The engine: sessions, the loop, the tool pipeline and permission judgement. Knows no provider and no tool. */

export { createContext } from "./context.ts";
export { createEngine, type Engine, type OpenSession } from "./engine.ts";
export { copyFacts } from "./fork.ts";
export type {
  AutoModeSettings,
  Clock,
  EngineParts,
  LocalCommand,
  PolicyLimits,
  PromptParts,
  SaveRules,
  Workspace,
} from "./parts.ts";
export * from "./permission/index.ts";
export { checkpointReminder, jobEndedReminder, lastStepReminder } from "./prompt-texts.ts";
export { closingFacts } from "./recovery.ts";
export { fullWindow } from "./step.ts";
export { type UnexpectedStopSettings, unexpectedStopDefaults } from "./unexpected-stop-settings.ts";
export { type CompactionSettings, compactionStrategies, defaultCompaction } from "./upkeep/settings.ts";
