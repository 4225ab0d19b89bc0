/** Texts in messages: results of tools, diffs, marks between messages. Exports in HTML have them as well. */
import { counted } from "@kedge/protocol";

export const code = "Code";
export const codeIn = (language: string) => `Code, ${language}`;
export const moreLines = (count: number) => counted(count, "more line");
export const binaryFile = "Binary file";
export const changesIn = (name: string) => `Changes in ${name || "a file"}`;
export const unchangedLines = (count: number) => (count === 0 ? "…" : `… ${counted(count, "line")} …`);
export const whitespaceOnly = "whitespace only";
export const noNewline = " no newline at end of file";
export const picture = "Picture";
export const image = (alt: string) => `[image: ${alt === "" ? "no description" : alt}]`;
export const table = "Table";
export const compacted = (before: string, after: string) => `compacted: ${before} → ${after} tokens`;
export const attemptFailed = (attempt: number, reason: string, delay: string) =>
  `attempt ${attempt} failed: ${reason}; retried after ${delay}`;
export const andMore = (count: number) => ` and ${count} more`;
export const filesChanged = (files: number, names: string, rest: string) =>
  `${counted(files, "file")} changed: ${names}${rest}`;
export const truncated = "The answer was truncated at the output limit.";
export const declined = "The model declined to answer.";
export const summary = "summary";
export const note = "note";
export const sentNext = "(sent with the next step)";
export const queuedPrompt = "(queued until this run ends)";
export const thinking = "thinking";
export const thought = (time: string) => `thought${time}`;
export const forTime = (duration: string) => ` for ${duration}`;
export const outputSoFar = "Output so far";
export const output = "Output";
export const earlierLines = (count: number) => counted(count, "earlier line");
export const earlierOutput = "Earlier output";
export const inProgress = "in progress";
export const moreFiles = (count: number) => counted(count, "more file");
export const resultCut = "The result was cut.";
export const input = "Input";
export const firstLine = (first: string, more: number) => `${first} … ${counted(more, "more line")}`;
export const tokensInOut = (read: string, written: string) => `${read} in, ${written} out`;
