/** Messages and search of the store in memory: the view fold, kept for each session as long as its content stays. */
import {
  applyToView,
  collectChange,
  emptyCollection,
  emptyView,
  type FactRecord,
  type MessagePage,
  type MessageRow,
  messagesOf,
  type PartView,
  type SearchHit,
  type SearchQuery,
  type SessionSummary,
  type ViewChange,
  type ViewCollection,
  type ViewState,
} from "@kedge/protocol";
import { type Redact, wordsOfPart } from "./part-search.ts";
import { holdsAll, phrasesOf, snippetOf } from "./search-words.ts";

/** Where the fold of one session stands. */
export type MemoryView = {
  readonly view: ViewState;
  readonly collection: ViewCollection;
  /** By part id: what came later has a higher number. */
  readonly order: Map<string, number>;
  next: number;
  seq: number;
};

export function emptyMemoryView(sessionId: string): MemoryView {
  return { view: emptyView(sessionId), collection: emptyCollection(), order: new Map(), next: 0, seq: 0 };
}

export function followRecord(kept: MemoryView, record: FactRecord): void {
  for (const change of applyToView(kept.view, record)) {
    noteOrder(kept, change);
    collectChange(kept.collection, change);
  }
  kept.seq = record.seq;
}

function noteOrder(kept: MemoryView, change: ViewChange): void {
  if (change.kind === "part-removed") kept.order.delete(change.partId);
  if (change.kind !== "part") return;
  const { id, messageId, time } = change.part;
  const before = kept.collection.messages.get(messageId)?.parts.get(id);
  if (before?.time === time && kept.order.has(id)) return;
  kept.order.set(id, kept.next);
  kept.next += 1;
}

export function pageOf(
  { collection }: MemoryView,
  { before, limit }: { readonly before?: string; readonly limit: number },
): MessagePage {
  const all = messagesOf(collection);
  const end =
    before === undefined
      ? all.length
      : Math.max(
          0,
          all.findIndex((message) => message.id === before),
        );
  const start = Math.max(0, end - limit);
  const messages = all.slice(start, end);
  const oldest = messages[0];
  return start > 0 && oldest !== undefined ? { messages, before: oldest.id } : { messages };
}

type Candidate = { readonly summary: SessionSummary; readonly row: MessageRow; readonly part: PartView; order: number };

export function searchViews(
  sessions: Iterable<{ readonly summary: SessionSummary; readonly kept: MemoryView }>,
  query: SearchQuery,
  redact: Redact,
): readonly SearchHit[] {
  const phrases = phrasesOf(query.text);
  if (phrases.length === 0) return [];
  const hits = new Map<string, SearchHit>();
  for (const { summary, row, part } of candidates(sessions, query, redact).sort(newestFirst)) {
    if (hits.size >= query.limit) break;
    const name = `${summary.sessionId} ${row.id}`;
    const text = wordsOfPart(part, redact)?.text;
    if (text === undefined || hits.has(name) || !holdsAll(text, phrases)) continue;
    hits.set(name, {
      sessionId: summary.sessionId,
      messageId: row.id,
      title: summary.title,
      time: part.time,
      role: row.role,
      ...(part.type === "tool" && { tool: part.tool }),
      snippet: snippetOf(text, phrases),
    });
  }
  return [...hits.values()];
}

function candidates(
  sessions: Iterable<{ readonly summary: SessionSummary; readonly kept: MemoryView }>,
  query: SearchQuery,
  redact: Redact,
): Candidate[] {
  const { sessionId, projectId, role, tool, file, after, before } = query;
  const found: Candidate[] = [];
  for (const { summary, kept } of sessions) {
    if (sessionId !== undefined && summary.sessionId !== sessionId) continue;
    if (projectId !== undefined && summary.projectId !== projectId) continue;
    for (const { row, parts } of kept.collection.messages.values()) {
      if (role !== undefined && row.role !== role) continue;
      const all = [...parts.values()];
      if (file !== undefined && !all.some((part) => wordsOfPart(part, redact)?.files.includes(file))) continue;
      for (const part of all) {
        if (tool !== undefined && (part.type !== "tool" || part.tool !== tool)) continue;
        if ((after !== undefined && part.time <= after) || (before !== undefined && part.time >= before)) continue;
        found.push({ summary, row, part, order: kept.order.get(part.id) ?? 0 });
      }
    }
  }
  return found;
}

function newestFirst(left: Candidate, right: Candidate): number {
  return right.part.time - left.part.time || right.order - left.order;
}
