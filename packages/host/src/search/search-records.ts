/** Searches earlier conversations and memory for a question: the store finds candidates by word, one ranking orders all. */
import { questionWords, searchNotes } from "@kedge/memory/search";
import type { FoundRecord, SearchHit, SearchQuery } from "@kedge/protocol";
import type { ProjectMemory } from "../memory/open-memory.ts";
import { readTopics } from "./read-topics.ts";

/** In the project of whoever asks. */
export type FindRecords = (query: Omit<SearchQuery, "projectId">) => Promise<readonly FoundRecord[]>;

export type RecordSearchParts = {
  readonly search: (query: SearchQuery) => Promise<readonly SearchHit[]>;
  readonly memory: Pick<ProjectMemory, "place" | "openStore">;
  readonly redact: (text: string) => string;
};

/** More words of a question are not looked up. */
const wordsMax = 8;
/** The newest messages with a word; older ones are found by a rarer word. */
const candidatesPerWord = 40;
const snippetCharactersMax = 300;

export async function searchRecords(query: SearchQuery, parts: RecordSearchParts): Promise<readonly FoundRecord[]> {
  const { text, limit } = query;
  const found = await findMessages(query, parts.search);
  const topics = isFiltered(query) ? [] : await readTopics(parts.memory);
  const messages = [...found].map(([id, { text: said }]) => ({ id, text: said }));
  const bodies = new Map(topics.map((topic) => [topic.id, topic.text]));
  return searchNotes([...messages, ...topics], text, limit).map(({ id }): FoundRecord => {
    const message = found.get(id);
    // Rows of the index are without secrets. A title is made of the first words of a prompt, as they were said.
    if (message !== undefined) {
      const { hit } = message;
      return { kind: "message", ...hit, title: parts.redact(hit.title), snippet: cut(hit.snippet) };
    }
    return { kind: "note", file: id, snippet: cut((bodies.get(id) ?? "").replaceAll(/\s+/g, " ")) };
  });
}

type FoundMessage = { readonly hit: SearchHit; text: string };

/** By session and message. One that has several of the words is the longer text. */
async function findMessages(
  { text, limit: _, ...filter }: SearchQuery,
  search: RecordSearchParts["search"],
): Promise<ReadonlyMap<string, FoundMessage>> {
  const found = new Map<string, FoundMessage>();
  for (const asked of [text, ...questionWords(text).slice(0, wordsMax)]) {
    for (const hit of await search({ ...filter, text: asked, limit: candidatesPerWord })) {
      const key = `${hit.sessionId} ${hit.messageId}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { hit, text: plain(hit.snippet) });
      else known.text += `\n${plain(hit.snippet)}`;
    }
  }
  return found;
}

/** Topics have no session, role or tool, so a filter asks for messages alone. */
function isFiltered({ sessionId, role, tool, file, after, before }: SearchQuery): boolean {
  return [sessionId, role, tool, file, after, before].some((value) => value !== undefined);
}

/** Without the marks around what was found. */
function plain(snippet: string): string {
  return snippet.replaceAll(/[⟦⟧]/g, "");
}

function cut(text: string): string {
  return text.slice(0, snippetCharactersMax).replace(/[\ud800-\udbff]$/, "");
}
