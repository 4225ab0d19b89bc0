/** Notes as an index: a folder of Markdown files, read once, within limits and without following links, or topics. */
import { closeSync, constants, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { createNoteIndex, type Note, type NoteHit, rankNotes } from "@kedge/memory/search";
import type { ProjectMemory } from "../memory/open-memory.ts";
import { readTopics } from "./read-topics.ts";

export type NoteSearch = {
  readonly notes: number;
  search(question: string, limit: number): readonly NoteHit[];
};

const notesMax = 20_000;
const noteBytesMax = 256 * 1024;
const depthMax = 8;

export function openNoteFolder(directory: string): NoteSearch {
  return searchIn(readNotes(directory));
}

export async function openTopics(memory: Pick<ProjectMemory, "place" | "openStore">): Promise<NoteSearch> {
  return searchIn(await readTopics(memory));
}

function searchIn(notes: readonly Note[]): NoteSearch {
  const index = createNoteIndex(notes);
  return { notes: notes.length, search: (question, limit) => rankNotes(index, question, limit) };
}

function readNotes(directory: string): readonly Note[] {
  const notes: Note[] = [];
  addNotes(directory, "", notes, 0);
  return notes;
}

function addNotes(directory: string, below: string, notes: Note[], depth: number): void {
  const entries = readdirSync(join(directory, below), { withFileTypes: true });
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    if (notes.length >= notesMax) return;
    const id = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && depth < depthMax && !isLeftOut(entry.name)) addNotes(directory, id, notes, depth + 1);
    if (!entry.isFile() || !entry.name.endsWith(".md") || tablesOfContents.has(id)) continue;
    const text = readNote(join(directory, id));
    if (text !== undefined) notes.push({ id, text });
  }
}

/** They name every topic, and would be a hit for every question. */
const tablesOfContents: ReadonlySet<string> = new Set(["MEMORY.md", "INDEX.full.md"]);

/** What waits for the user's word is not searched. */
function isLeftOut(name: string): boolean {
  return name.startsWith(".") || name === "quarantine";
}

/** A file that is no file any more, or cannot be read, costs itself alone. */
function readNote(path: string): string | undefined {
  try {
    const size = Math.min(lstatSync(path).size, noteBytesMax);
    // Something else may stand there by now: neither a link is followed nor a pipe waited for.
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(size);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, size, 0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
