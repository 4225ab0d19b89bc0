/** What the worker is asked that merges and tidies up topics. */
import { fillSlots, textBeside } from "@kedge/protocol/text-file";
import type { ExtractionWish } from "../extraction/extraction-prompt.ts";
import { fenceItem } from "../fence/fence-item.ts";
import { manifestText } from "../recall/manifest.ts";

const template = textBeside(import.meta.url, "./consolidation.md");

export const consolidationTurnsMax = 12;

export type ConsolidationWish = Omit<ExtractionWish, "count"> & {
  /** Of the days since the last time, the newest first. */
  readonly logs: readonly { readonly path: string; readonly text: string }[];
};

const logBytesMax = 8_192;

export function consolidationPrompt({ directory, notes, nonce, logs }: ConsolidationWish): string {
  const fenced = logs.map(({ path, text }) =>
    fenceItem({ kind: "log", name: path, origin: "agent-inferred", nonce, text, bytesMax: logBytesMax }),
  );
  const shown =
    logs.length === 0
      ? ""
      : `These are the daily logs since the last time; distil what will still matter:\n\n${fenced.join("\n\n")}\n\n`;
  const manifest = manifestText(notes, nonce);
  return fillSlots(template, { directory, logs: shown, manifest, turns: `${consolidationTurnsMax}` });
}
