/** How instruction files are written into a prompt: one tag each, with its tier, path and hash, between two fixed sentences. */
import { hash } from "node:crypto";
import type { ContextBlock } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { type InstructionEntry, type InstructionTier, plainName } from "./instruction-entry.ts";
import { relativeTo } from "./load-instructions.ts";
import { lengthNote } from "./size-hint.ts";

const opening = withoutVersion(textBeside(import.meta.url, "./opening.md"));
const closing = withoutVersion(textBeside(import.meta.url, "./closing.md"));

/** As much of a hash as tells two versions of a file apart. */
const hashCharacters = 12;

const labels: { readonly [tier in InstructionTier]: string } = {
  managed: "managed policy, prevails on conflict",
  user: "user",
  project: "project",
  local: "local",
};

export type RenderPlaces = { readonly root: string; readonly home: string };

/** The whole block; nothing without files. */
export function renderEntries(entries: readonly InstructionEntry[], places: RenderPlaces): readonly ContextBlock[] {
  if (entries.length === 0) return [];
  return [
    { text: opening, origin: "opening" },
    ...entries.map((entry) => blockOf(entry, entryText(entry, places), places)),
    { text: closing, origin: "closing" },
  ];
}

/** What the model reads when a file is another one than it saw. */
export function changedBlock(entry: InstructionEntry, places: RenderPlaces): ContextBlock {
  const note = `${shownPath(entry.path, places)} has changed. Its present text replaces the earlier one:`;
  return blockOf(entry, `${note}\n\n${entryText(entry, places)}`, places);
}

export const removedHash = "removed";

export function removedBlock(path: string, places: RenderPlaces): ContextBlock {
  const text = `${shownPath(path, places)} no longer exists. What it said no longer counts.`;
  return { text, origin: path, hash: removedHash };
}

/** A file that joins while the conversation goes on. */
export function attachedBlock(entry: InstructionEntry, reason: string, places: RenderPlaces): ContextBlock {
  return blockOf(entry, `${reason}\n\n${entryText(entry, places)}`, places);
}

export function entryText(entry: InstructionEntry, places: RenderPlaces): string {
  const { path, tier, hash, text, warnings } = entry;
  const told = warnings.map((warning) => `\n[${shownPath(path, places)}: ${warning}]`).join("");
  const attributes = `path="${shownPath(path, places)}" tier="${labels[tier]}" sha256="${hash.slice(0, hashCharacters)}"`;
  return `<instruction-file ${attributes}>\n${text}${told}\n</instruction-file>`;
}

export function shownPath(path: string, { root, home }: RenderPlaces): string {
  const shown = relativeTo(path, root);
  return plainName(shown === path && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : shown);
}

/** The version is that of the file as it is shown, whatever is said around it. */
function blockOf(entry: InstructionEntry, text: string, places: RenderPlaces): ContextBlock {
  const note = noteOn(entry);
  return {
    ...{ text, origin: entry.path, hash: versionOf(entryText(entry, places)) },
    ...(note !== "" && { note }),
  };
}

function noteOn(entry: InstructionEntry): string {
  const long = entry.form === "file" ? lengthNote(entry) : undefined;
  return [...entry.warnings, ...(long === undefined ? [] : [`${long}; see /memory for what could move`])].join("; ");
}

export function versionOf(text: string): string {
  return hash("sha256", text).slice(0, hashCharacters);
}

/** The first line says which version of the text this is; the model has no use for it. */
export function withoutVersion(text: string): string {
  return text.slice(text.indexOf("\n") + 1);
}
