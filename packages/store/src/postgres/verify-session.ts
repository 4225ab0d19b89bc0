/** Checks a stored session: its chain, what vouches for it, and the derived tables against a fresh fold of its facts. */
import type { Todo, Usage, VerifyReport } from "@kedge/protocol";
import { parseText } from "../damaged-view.ts";
import { createChainWalk, type DerivedCheck, unknownSession } from "../verify-chain.ts";
import { createViewComparison, projectionDiffers, usageOfSums, type ViewComparison } from "../view-comparison.ts";
import type { Queries } from "./postgres-connection.ts";
import { allRows, findSession, type SessionEntry } from "./postgres-rows.ts";
import { closedCheckOf, type SignedHeads } from "./signed-heads.ts";
import { messagesOf, sessionOf } from "./view-queries.ts";

const messagesPerPage = 200;

const sql = {
  todos: "SELECT data FROM kedge.todo WHERE session = $1 ORDER BY position",
  usage: `SELECT coalesce(sum(input), 0)::bigint AS input, coalesce(sum(output), 0)::bigint AS output,
    coalesce(sum(reasoning), 0)::bigint AS reasoning, coalesce(sum(cache_read), 0)::bigint AS "cacheRead",
    coalesce(sum(cache_write), 0)::bigint AS "cacheWrite", coalesce(sum(web_searches), 0)::bigint AS "webSearches"
    FROM kedge.usage WHERE session = $1`,
  searchable: "SELECT count(*) AS count FROM kedge.part WHERE session = $1 AND words IS NOT NULL",
} as const;

/** `queries` sees one unchanging view of the database. */
export async function verifySession(
  queries: Queries,
  sessionId: string,
  signedHeads: SignedHeads,
): Promise<VerifyReport> {
  const entry = await findSession(queries, sessionId);
  if (entry === undefined) return unknownSession(sessionId);
  const derived = derivedCheck(entry);
  const vouchers = await signedHeads.vouchers(queries, entry);
  const walk = createChainWalk(sessionId, { ...entry, ...vouchers, derived: derived.check });
  for await (const row of allRows(queries, entry.key)) if (!walk.follow(row)) return walk.report();
  await derived.look(queries);
  return walk.report();
}

/** `look` reads what is compared, once all records were followed. */
type LookedCheck = { readonly check: DerivedCheck; look(queries: Queries): Promise<void> };

function derivedCheck(entry: SessionEntry): LookedCheck {
  const closed = closedCheckOf(entry.summary.sessionId);
  if (closed !== undefined) return { check: closed.check, look: closed.load };
  const comparison = createViewComparison(entry.summary.sessionId, entry);
  let what: string | undefined;
  return {
    check: { follow: comparison.follow, problem: () => projectionDiffers(what) },
    async look(queries) {
      what = await differing(queries, entry, comparison);
    },
  };
}

async function differing(
  queries: Queries,
  { key, summary: { sessionId } }: SessionEntry,
  comparison: ViewComparison,
): Promise<string | undefined> {
  let before: string | undefined;
  do {
    const limit = messagesPerPage;
    const page = await messagesOf(queries, { sessionId, key }, { limit, ...(before !== undefined && { before }) });
    for (const message of page.messages.toReversed()) {
      const what = comparison.takeMessage(message);
      if (what !== undefined) return what;
    }
    before = page.before;
  } while (before !== undefined);
  const [sums] = await queries.rows(sql.usage, [key]);
  const [count] = await queries.rows(sql.searchable, [key]);
  const session = await sessionOf(queries, key);
  return comparison.takeRest({
    session: session === "damaged" ? undefined : session,
    // What cannot be read is no todo of the fold's, and so differs.
    todos: (await queries.rows(sql.todos, [key])).map(({ data }) => parseText(data) as Todo),
    // The columns are named after the fields.
    usage: usageOfSums(sums as Usage),
    searchable: Number(count?.["count"]),
  });
}
