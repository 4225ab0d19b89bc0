/** Compares the derived tables of a session with a fresh fold of its facts. */
import type { FactRecord, Todo, Usage } from "@kedge/protocol";
import type { StoredRow } from "../chain.ts";
import { readRow } from "../read-row.ts";
import { shortenJson, shownBytesMax } from "../shorten-json.ts";
import type { DerivedCheck } from "../verify-chain.ts";
import { createViewComparison, type DerivedRest, projectionDiffers, usageOfSums } from "../view-comparison.ts";
import type { KeptTexts } from "./kept-texts.ts";
import type { Connection } from "./sqlite-connection.ts";
import type { SessionEntry } from "./sqlite-rows.ts";
import { createKeptCheck } from "./verify-kept.ts";
import type { ViewQueries } from "./view-queries.ts";

const messagesPerPage = 200;

/** As whoever made the tables saw it: of contents that are very long, only the beginning of each text. */
function shownRecord(record: FactRecord, row: StoredRow): FactRecord {
  const { payload } = row;
  if (payload === undefined || Buffer.byteLength(payload.content) <= shownBytesMax) return record;
  const content = shortenJson([Buffer.from(payload.content)]);
  return readRow(record.sessionId, { ...row, payload: { ...payload, content } });
}

const sql = {
  todos: "SELECT content, status, priority FROM todo WHERE session = ? ORDER BY position",
  usage: `SELECT coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output,
    coalesce(sum(reasoning), 0) AS reasoning, coalesce(sum(cache_read), 0) AS cacheRead,
    coalesce(sum(cache_write), 0) AS cacheWrite, coalesce(sum(web_searches), 0) AS webSearches
    FROM usage WHERE session = ?`,
  searchable: "SELECT count(*) AS count FROM part_text_docsize WHERE id IN (SELECT key FROM part WHERE session = ?)",
} as const;

export function createViewCheck(
  connection: Connection,
  entry: SessionEntry,
  { queries, keptTexts }: { readonly queries: ViewQueries; readonly keptTexts: KeptTexts },
): DerivedCheck {
  const { key } = entry;
  const { sessionId } = entry.summary;
  const comparison = createViewComparison(sessionId, entry);
  const kept = createKeptCheck(keptTexts, key, comparison.view);

  function rest(): DerivedRest {
    const session = queries.session(key);
    // The columns are named after the fields, and SQLite itself enforces their types.
    return {
      session: session === "damaged" ? undefined : session,
      todos: connection.all(sql.todos, key).map((row) => ({ ...row }) as Todo),
      usage: usageOfSums({ ...connection.get(sql.usage, key) } as Usage),
      searchable: Number(connection.get(sql.searchable, key)?.["count"]),
    };
  }

  function differing(): string | undefined {
    let before: string | undefined;
    do {
      const page = queries.messages(sessionId, key, {
        limit: messagesPerPage,
        ...(before !== undefined && { before }),
      });
      for (const message of page.messages.toReversed()) {
        const what = comparison.takeMessage(message);
        if (what !== undefined) return what;
      }
      before = page.before;
    } while (before !== undefined);
    return comparison.takeRest(rest());
  }

  return {
    follow(record, row) {
      const shown = shownRecord(record, row);
      comparison.follow(shown);
      kept.follow(shown, row);
    },
    problem: () => projectionDiffers(differing() ?? kept.problem()),
  };
}
