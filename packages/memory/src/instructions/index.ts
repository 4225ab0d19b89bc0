/** Instruction files: found, read, made plain and told to the model, each with the reason why it is or is not. */

export { findProjectInstructions, type InstructionPlaces, type InstructionSettings } from "./discover.ts";
export { includedFiles } from "./included-files.ts";
export {
  type InstructionEntry,
  plainName,
} from "./instruction-entry.ts";
export type { InstructionParts } from "./instruction-parts.ts";
export { createInstructionSources } from "./instruction-sources.ts";
export { type ListedInstruction, listInstructions } from "./list-instructions.ts";
export { entryOfText } from "./load-instructions.ts";
export { loadAll as loadAllInstructions } from "./loaded-instructions.ts";
export type { NamedFiles } from "./named-files.ts";
export { matchesPatterns } from "./path-patterns.ts";
export { type PromptFileName, promptFile } from "./prompt-files.ts";
export { recentInstructions } from "./recent-instructions.ts";
export { shownPath } from "./render-entries.ts";
export { ruleTextOf, type SplitSection, sectionsForOnePlace } from "./split-sections.ts";
export { createTouchedPaths } from "./touched-paths.ts";
