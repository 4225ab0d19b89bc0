/** The list of messages and what belongs to it. */
export { activityOfMessage } from "./message-activity.ts";
export { createPager, type PagerProps } from "./pager.ts";
export { createReveal, type Reveal } from "./streaming-reveal.ts";
export { createTranscript, type Transcript } from "./transcript.ts";
export type { DiffInput, DiffView, MarkdownView, TranscriptParts } from "./transcript-parts.ts";
