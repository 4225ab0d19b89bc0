/** Memory of a project as files; loaded only where there is memory or somebody asks for it. */
export { type CoalescedRuns, createCoalescedRuns } from "../extraction/coalesced-runs.ts";
export { createRecalledNotes, type RecalledNotes } from "../recall/recall-source.ts";
export { type CappedIndex, capIndex } from "./contents/cap-index.ts";
export { activeTopics, findTopic } from "./contents/contents.ts";
export { indexFile, type TopicPlace } from "./directory/store-files.ts";
export { isInDirectory, type ValidatedDirectory, validateDirectory } from "./directory/validate-directory.ts";
export { createIndexSource, createSaveRulesSource } from "./index-source.ts";
export type { LintFinding } from "./lint/lint-finding.ts";
export { lintMemory } from "./lint/lint-memory.ts";
export * from "./memory-store.ts";
export { openMemoryStore } from "./open-memory-store.ts";
export { createMemoryPhase, isTopicPath } from "./session/memory-phase.ts";
export { createPromptWatch, type PromptWatch } from "./session/prompt-watch.ts";
export { createTeamSource, teamFolder } from "./team-source.ts";
export { slugOfFile, type TopicOrigin, type TopicType, topicTypes } from "./topic/topic.ts";
export { linkingTo } from "./writing/plan-change.ts";
export { cleanText, draftFromText } from "./writing/prepare-topic.ts";
export { dayText } from "./writing/relative-dates.ts";
