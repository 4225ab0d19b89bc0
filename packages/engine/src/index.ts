/** The engine: sessions, the loop, the tool pipeline and permission judgement. Knows no provider and no tool. */

export { createEngine, type Engine } from "./engine.ts";
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
