/** The words that say who speaks in printed history, and the guard against texts that imitate them. */
import { cleanText } from "./clean-text.ts";

export const tags = {
  user: "User",
  agent: "Agent",
  think: "Think",
  call: "Tool Call",
  result: "Tool Result",
  record: "Record",
} as const;

/** Stands before a summary in words that an earlier compaction left. */
export const summaryHeading = "[Summary of earlier history]";

const names = Object.values(tags).join("|");
const tagLine = new RegExp(`^\\[(?:${names})(?:, [\\w -]+)?\\]:`);
const imitation = new RegExp(`^ *(?:${names}|Summary of earlier history)\\b`, "i");

export function tagged(tag: string, text: string, remark?: string): string {
  return `[${remark === undefined ? tag : `${tag}, ${remark}`}]: ${withoutTags(text)}`;
}

/**
 * On a picture nothing but the tag tells a tool's output from the user's words, so no text may begin a line with one.
 * What is not printed is removed before the look, and letters are compared as they will be printed.
 */
export function withoutTags(text: string): string {
  return cleanText(text).replace(/^[[［]([^\]］\n]{1,80})[\]］]/gmu, (bracketed, inner: string) =>
    imitation.test(inner.normalize("NFKC")) ? `(${inner})` : bracketed,
  );
}

export function isTagLine(line: string): boolean {
  return tagLine.test(line) || line.startsWith(summaryHeading);
}

export function isToolResultLine(line: string): boolean {
  return line.startsWith(`[${tags.result}`);
}
