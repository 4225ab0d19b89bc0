/** The export that can be imported again: the session, its messages, and its journal for checking. */
import type { PreparedExport } from "./export-source.ts";

export const jsonFormatName = "kedge-session";
export const jsonFormatVersion = 1;

/** One message and one record per line, so that two exports can be compared with ordinary tools. */
export async function* writeJson(prepared: PreparedExport): AsyncGenerator<string> {
  const { summary, kedgeVersion, leafId, isRedacted, leftOut } = prepared;
  const head = {
    format: jsonFormatName,
    version: jsonFormatVersion,
    kedgeVersion,
    redacted: isRedacted,
    leftOut,
    session: summary,
    ...(leafId !== undefined && { leafId }),
  };
  yield `${JSON.stringify(head).slice(0, -1)},\n"messages":[`;
  yield* writeList(prepared.messages);
  yield '],\n"facts":[';
  yield* writeList(prepared.rows);
  yield "]}\n";
}

async function* writeList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = "\n";
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ",\n";
  }
}
