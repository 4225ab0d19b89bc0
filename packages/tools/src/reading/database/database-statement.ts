/** Decides which statements and conditions may be asked of a database: one at a time, and none that changes anything. */

export type RowsQuery = {
  readonly limit: number;
  readonly offset: number;
  readonly order: string | undefined;
  readonly where: string | undefined;
};

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

const rowsMax = 500;
const rowsByDefault = 20;
const parameters = ["limit", "offset", "order", "where"] as const;
const parameterStart = /&(?=(?:limit|offset|order|where)=)/;
const allowedStatement =
  /^(?:select|with|values|pragma\s+(?:table_info|table_xinfo|index_list|index_info|foreign_key_list)\s*\()/i;
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
const controlWords =
  /\b(?:attach|detach|pragma|insert|update|delete|drop|alter|create|vacuum|reindex|begin|commit|rollback|union|limit|order)\b/i;

/** Of `limit=5&where=a > 1`; values are plain text, so that a condition needs no escapes. */
export function parseRowsQuery(text: string): Checked<RowsQuery> {
  const found = new Map<string, string>();
  for (const part of text.split(parameterStart)) {
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(0, equals));
    if (!parameters.some((parameter) => parameter === name))
      return refuse(`?${part} is not understood; after a table may follow ?limit=&offset=&order=&where=.`);
    found.set(name, part.slice(equals + 1).trim());
  }
  const numbers = { limit: rowsByDefault, offset: 0 };
  for (const name of ["limit", "offset"] as const) {
    const digits = found.get(name);
    if (digits === undefined) continue;
    if (!/^\d{1,12}$/.test(digits)) return refuse(`${name}=${digits} must be a whole number.`);
    numbers[name] = Number(digits);
  }
  const where = found.get("where");
  const problem = where === undefined ? undefined : problemOfCondition(where);
  if (problem !== undefined) return refuse(problem);
  const limit = Math.min(rowsMax, Math.max(1, numbers.limit));
  return { ok: true, value: { limit, offset: numbers.offset, order: found.get("order"), where } };
}

function problemOfCondition(where: string): string | undefined {
  const bare = where.replace(quoted, "''");
  if (/--|\/\*|;/.test(bare)) return "where= is one condition, without comments and semicolons.";
  const word = controlWords.exec(bare)?.[0];
  return word === undefined ? undefined : `where= is one condition, without ${word}; for more use ?q=SELECT.`;
}

/** What is wrong with a statement by its words; the rest is for the read-only connection to refuse. */
export function problemOfStatement(sql: string): string | undefined {
  if (!allowedStatement.test(sql))
    return "?q= takes one statement that only reads: SELECT, WITH, VALUES or PRAGMA table_info(…).";
  // It could run without an end, and nothing could interrupt it.
  return /\brecursive\b/i.test(sql.replace(quoted, "''"))
    ? "A recursive query cannot be interrupted, so it is refused; run it with bash (sqlite3)."
    : undefined;
}

function refuse(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
