/** The file of a session's notes: written when its conversation is shortened, shown where a later summary forgets them. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ContextBlock, ContextSource } from "@kedge/protocol";
import { digestOf } from "../topics/contents/ledger.ts";
import { makePrivateDirectory, replacePrivateFile } from "../topics/directory/private-files.ts";
import { mergeNotes, notesOfSummary, notesText } from "./session-notes.ts";

export type NotesPlace = {
  /** Of memory. */
  readonly directory: string;
  /** Takes out secrets and marks. */
  readonly clean: (text: string) => string;
};

const folder = "notes";
const filesMax = 100;
const none: readonly ContextBlock[] = [];

/** Gives what the summary says did not work, which nobody else keeps; empty where it says nothing. */
export function keepNotes(
  { sessionId, summary, token }: { readonly sessionId: string; readonly summary: string; readonly token: string },
  { directory, clean }: NotesPlace,
): string {
  const { failed, ...notes } = notesOfSummary(clean(summary));
  if (notes.goal === "" && notes.decisions.length === 0 && notes.open === "") return failed;
  const path = notesPath(directory, sessionId);
  const before = notesOfSummary(existsSync(path) ? readFileSync(path, "utf8") : "");
  makePrivateDirectory(join(directory, folder));
  replacePrivateFile(path, notesText(mergeNotes(before, notes)), token);
  dropOldest(join(directory, folder));
  return failed;
}

/** Decisions that the summary before the conversation leaves out, because they are from before an earlier one. */
export function createNotesSource({ directory, clean }: NotesPlace): ContextSource {
  let given: { readonly boundary: string; readonly blocks: readonly ContextBlock[] } | undefined;
  return {
    name: "session notes",
    kind: "data",
    place: "head",
    read({ state: { items, sessionId } }) {
      const first = items[0];
      if (first?.type !== "compaction") return none;
      // They change with a summary alone, so between two of them the file is not looked at.
      if (given?.boundary !== first.id) given = { boundary: first.id, blocks: blocksOf(sessionId, first.summary) };
      return given.blocks;
    },
  };

  function blocksOf(sessionId: string, summary: string): readonly ContextBlock[] {
    const path = notesPath(directory, sessionId);
    if (!existsSync(path)) return none;
    const { decisions } = notesOfSummary(clean(readFileSync(path, "utf8")));
    const missing = decisions.filter((line) => !summary.includes(line));
    if (missing.length === 0) return none;
    const text = ["Decisions from earlier in this session:", ...missing.map((line) => `- ${line}`)].join("\n");
    return [{ text, origin: sessionId, hash: digestOf(text), marks: { kind: "notes", by: "agent-inferred" } }];
  }
}

function notesPath(directory: string, sessionId: string): string {
  return join(directory, folder, `${sessionId.replaceAll(/[^\w-]/g, "_")}.md`);
}

function dropOldest(directory: string): void {
  const files = readdirSync(directory).filter((name) => name.endsWith(".md"));
  if (files.length <= filesMax) return;
  const byAge = files.map((name) => ({ name, at: statSync(join(directory, name)).mtimeMs }));
  byAge.sort((one, other) => other.at - one.at);
  for (const { name } of byAge.slice(filesMax)) rmSync(join(directory, name), { force: true });
}
