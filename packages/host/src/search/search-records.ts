/** Searches earlier conversations and memory for a question: the store finds candidates by word, one ranking orders all. */
import { existsSync } from "node:fs";
import { createNoteIndex, questionWords, rankNotes } from "@kedge/memory/search";
import type { FoundRecord, SearchHit, SearchQuery } from "@kedge/protocol";
import { readNotes } from "./note-folder.ts";

export type RecordSearchParts = {
  readonly search: (query: SearchQuery) => Promise<readonly SearchHit[]>;
  /** Of the topics of this project; it need not exist, and without memory none is looked at. */
  readonly notesDirectory?: string;
  readonly redact: (text: string) => string;
};

/** More words of a question are not looked up. */
const wordsMax = 8;
/** The newest messages with a word; older ones are found by a rarer word. */
const candidatesPerWord = 40;
const snippetCharactersMax = 300;

/** Topics come without filters alone, since they have no session, role or tool. */
export async function searchRecords(query: SearchQuery, parts: RecordSearchParts): Promise<readonly FoundRecord[]> {
  const { text, limit, ...filter } = query;
  const words = questionWords(text).slice(0, wordsMax);
  const found = new Map<string, { readonly hit: SearchHit; text: string }>();
  for (const asked of [text, ...words]) {
    for (const hit of await parts.search({ ...filter, text: asked, limit: candidatesPerWord })) {
      const key = `${hit.sessionId} ${hit.messageId}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { hit, text: plain(hit.snippet) });
      else known.text += `\n${plain(hit.snippet)}`;
    }
  }
  const isFiltered = [query.sessionId, query.role, query.tool, query.file, query.after, query.before].some(
    (value) => value !== undefined,
  );
  const { notesDirectory } = parts;
  const hasNotes = notesDirectory !== undefined && !isFiltered && existsSync(notesDirectory);
  const notes = hasNotes ? readNotes(notesDirectory) : [];
  const texts = new Map(notes.map(({ id, text: note }) => [id, note]));
  const messages = [...found].map(([id, { text: said }]) => ({ id, text: said }));
  const index = createNoteIndex([...messages, ...notes]);
  return rankNotes(index, text, limit).map(({ id }): FoundRecord => {
    const message = found.get(id);
    if (message !== undefined) return { kind: "message", ...message.hit, snippet: cut(message.hit.snippet) };
    return { kind: "note", file: id, snippet: cut(parts.redact(texts.get(id) ?? "").replaceAll(/\s+/g, " ")) };
  });
}

/** Without the marks around what was found. */
function plain(snippet: string): string {
  return snippet.replaceAll(/[⟦⟧]/g, "");
}

function cut(text: string): string {
  return text.slice(0, snippetCharactersMax).replace(/[\ud800-\udbff]$/, "");
}
