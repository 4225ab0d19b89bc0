/** The engine: sessions, the loop, the tool pipeline and permission judgement. Knows no provider and no tool. */
export type { Clock, EngineParts, LocalCommand, PromptParts, Workspace } from "./parts.ts";
