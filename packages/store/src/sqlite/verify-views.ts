/** Compares the derived tables of a session with a fresh fold of its facts. */
import { isDeepStrictEqual } from "node:util";
import { applyToView, emptyView, noUsage, type SessionView, type Usage, type ViewChange } from "@kedge/protocol";
import { wordsOfPart } from "../part-search.ts";
import type { DerivedCheck } from "../verify-chain.ts";
import type { KeptTexts } from "./kept-texts.ts";
import { createMessageMarks } from "./message-marks.ts";
import type { Connection } from "./sqlite-connection.ts";
import type { SessionEntry } from "./sqlite-rows.ts";
import { createKeptCheck } from "./verify-kept.ts";
import type { ViewQueries } from "./view-queries.ts";

const messagesPerPage = 200;

const sql = {
  todos: "SELECT content, status, priority FROM todo WHERE session = ? ORDER BY position",
  usage: `SELECT coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output,
    coalesce(sum(reasoning), 0) AS reasoning, coalesce(sum(cache_read), 0) AS cacheRead,
    coalesce(sum(cache_write), 0) AS cacheWrite, coalesce(sum(web_searches), 0) AS webSearches
    FROM usage WHERE session = ?`,
  searchable: "SELECT count(*) AS count FROM part_text_docsize WHERE id IN (SELECT key FROM part WHERE session = ?)",
} as const;

/** Looks at the facts that the tables were made of and not at newer ones, which nobody has asked for yet. */
export function createViewCheck(
  connection: Connection,
  entry: SessionEntry,
  { queries, keptTexts }: { readonly queries: ViewQueries; readonly keptTexts: KeptTexts },
): DerivedCheck {
  const { key, projected, isDeleted } = entry;
  const { sessionId } = entry.summary;
  const view = emptyView(sessionId);
  const kept = createKeptCheck(keptTexts, key, view);
  const marks = createMessageMarks();
  let session: SessionView | undefined;
  /** Parts that the search must know. */
  let searchable = 0;

  function differingMessage(): string | undefined {
    const expected = marks.messageIds();
    let before: string | undefined;
    do {
      const page = queries.messages(sessionId, key, {
        limit: messagesPerPage,
        ...(before !== undefined && { before }),
      });
      for (const message of [...page.messages].reverse()) {
        if (expected.pop() !== message.id || !marks.isSame(message)) return `message ${message.id}`;
        searchable += message.parts.filter((part) => wordsOfPart(part, (text) => text) !== undefined).length;
      }
      before = page.before;
    } while (before !== undefined);
    const missing = expected.pop();
    return missing && `message ${missing}`;
  }

  function usageOf(): Usage {
    // The columns are named after the fields.
    const { webSearches = 0, ...sums } = { ...connection.get(sql.usage, key) } as Usage;
    return webSearches === 0 ? sums : { ...sums, webSearches };
  }

  function differing(): string | undefined {
    const message = differingMessage();
    if (message !== undefined) return message;
    const todos = connection.all(sql.todos, key).map((row) => ({ ...row }));
    if (!isDeepStrictEqual(todos, session?.todos ?? [])) return "the todos";
    if (!isDeepStrictEqual(queries.session(key), session)) return "the session";
    if (!isDeepStrictEqual(usageOf(), session?.usage ?? noUsage)) return "the usage";
    return connection.get(sql.searchable, key)?.["count"] === searchable ? undefined : "the search";
  }

  function take(changes: readonly ViewChange[]): void {
    for (const change of changes) {
      if (change.kind === "session") session = change.session;
      else marks.take(change);
    }
  }

  return {
    follow(record) {
      if (!isDeleted && record.seq <= projected) take(applyToView(view, record));
      kept.follow(record);
    },
    problem() {
      const what = differing() ?? kept.problem();
      return what && `the projection differs from its records: ${what}`;
    },
  };
}
