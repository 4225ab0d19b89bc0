/** Sessions as files: exports for people and programs, and imports of our own and of others. */
export {
  createExportRedactor,
  type ExportRedactor,
  type ExportRedactorParts,
  type SecretEntry,
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
export { writeTranscriptFile } from "./transcript-file.ts";
