/** Sessions as files: exports for people and programs, and imports of our own and of others. */
export { type ClaudeLines, createClaudeLines } from "./claude-lines.ts";
export {
  createExportRedactor,
  type ExportRedactor,
  type ExportRedactorParts,
  type SecretEntry,
  secretValues,
} from "./export-redactor.ts";
export { exportSession } from "./export-session.ts";
export {
  type ExportedTool,
  type ExportFormat,
  type ExportOptions,
  type ExportSource,
  exportFormats,
} from "./export-source.ts";
export { importSession } from "./import-session.ts";
export type { ImportOutcome, ImportParts, ImportReport, Skipped, TranscriptFormat } from "./import-types.ts";
export { checkJournal, type ExportedRow, type JournalCheck } from "./journal-row.ts";
export type { InputLimits, TranscriptInput } from "./read-input.ts";
export { readSecrets, type SecretList } from "./secret-list.ts";
export { createTranscriptFiles, type TranscriptFiles, type TranscriptParts } from "./transcript-file.ts";
