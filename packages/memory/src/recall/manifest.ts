/** One line for each topic, for a model that chooses among them or looks after them. */
import { fenceItem } from "../fence/fence-item.ts";
import type { ScannedNote } from "./scan-notes.ts";

const nameCharactersMax = 80;
const descriptionCharactersMax = 200;

/** Fenced: what topics are called was written by whoever saved them. */
export function manifestText(notes: readonly ScannedNote[], nonce: string): string {
  const text = notes.length === 0 ? "(none)" : notes.map(lineOf).join("\n");
  return fenceItem({ kind: "manifest", name: "topics", origin: "memory", nonce, text });
}

function lineOf({ type, file, name, description, changedAt }: ScannedNote): string {
  const day = new Date(changedAt).toISOString();
  return `[${type}] ${file} (${day}) ${short(name, nameCharactersMax)}: ${short(description, descriptionCharactersMax)}`;
}

function short(text: string, charactersMax: number): string {
  return text.replaceAll(/\s+/g, " ").slice(0, charactersMax);
}
