/** What the worker is asked that searches a conversation for what is worth remembering. */
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { manifestText } from "../recall/manifest.ts";
import type { ScannedNote } from "../recall/scan-notes.ts";

const template = textBeside(import.meta.url, "./extraction.md");
const logTemplate = textBeside(import.meta.url, "./daily-log.md");

export const extractionTurnsMax = 5;

export type ExtractionWish = {
  /** How many messages are new. */
  readonly count: number;
  readonly directory: string;
  readonly notes: readonly ScannedNote[];
  readonly nonce: string;
};

export function extractionPrompt({ count, directory, notes, nonce }: ExtractionWish): string {
  const manifest = manifestText(notes, nonce);
  return fillSlots(template, { count: `${count}`, directory, manifest, turns: `${extractionTurnsMax}` });
}

/** In daily-log mode the answer itself is what is kept. */
export function dailyLogPrompt(count: number): string {
  return fillSlots(logTemplate, { count: `${count}` });
}
