/** Recall, extraction and consolidation without the model that does them; loaded with the first turn that needs one. */
export { isConsolidationDue } from "../consolidation/consolidation-gate.ts";
export { consolidationPrompt, consolidationTurnsMax } from "../consolidation/consolidation-prompt.ts";
export { readVerdict, verdictRequest, verdictSystem, verdictTokensMax } from "../consolidation/related-verdict.ts";
export { rankScanned } from "../recall/rank-scanned.ts";
export { recalledBlocks } from "../recall/recalled-blocks.ts";
export { type ScannedNote, scanNotes } from "../recall/scan-notes.ts";
export {
  readSelection,
  type Selection,
  selectionRequest,
  selectionSystem,
  selectionTokensMax,
} from "../recall/select-notes.ts";
export { sessionReads } from "../recall/session-reads.ts";
export { readTopic } from "../topics/topic/topic-file.ts";
export { logBullets, logPath } from "./daily-log.ts";
export { dailyLogPrompt, extractionPrompt, extractionTurnsMax } from "./extraction-prompt.ts";
export { extractionRange, hasSaved } from "./extraction-range.ts";
export { originOfText } from "./origin-of-text.ts";
export { createToolGate } from "./tool-gate.ts";
export { createTopicDrafts, type TopicDrafts } from "./topic-drafts.ts";
