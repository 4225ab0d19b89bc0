/** What a small model is asked to choose from the topics, and what of its answer counts. */
import { isJsonObject } from "@kedge/protocol";
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import { manifestText } from "./manifest.ts";
import type { ScannedNote } from "./scan-notes.ts";

export const selectedMax = 5;
export const selectionTokensMax = 256;

export const selectionSystem = textBeside(import.meta.url, "./select-notes.md");
const request = textBeside(import.meta.url, "./select-request.md");

const promptCharactersMax = 2_000;

export type Selection = {
  readonly prompt: string;
  readonly notes: readonly ScannedNote[];
  readonly recentTools: readonly string[];
  readonly nonce: string;
};

export function selectionRequest({ prompt, notes, recentTools, nonce }: Selection): string {
  return fillSlots(request, {
    prompt: prompt.slice(0, promptCharactersMax),
    tools: recentTools.length === 0 ? "(none)" : recentTools.join(", "),
    manifest: manifestText(notes, nonce),
  });
}

/** Undefined where the answer is not what was asked for. A name that nobody offered is left out. */
export function readSelection(answer: string, notes: readonly ScannedNote[]): readonly string[] | undefined {
  const json = /\{[\s\S]*\}/.exec(answer)?.[0];
  if (json === undefined) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const selected = isJsonObject(parsed) ? parsed["selected_memories"] : undefined;
  if (!Array.isArray(selected)) return undefined;
  const offered = new Set(notes.map(({ file }) => file));
  const known = selected.filter((file) => typeof file === "string" && offered.has(file));
  return [...new Set(known)].slice(0, selectedMax);
}
