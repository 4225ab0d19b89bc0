/** Where the database is, as a URL: what connects to it, and how it is called in texts, which never show a password. */
import type { Failure } from "@kedge/protocol";
import { failure } from "../storage-failure.ts";

export type DatabaseAddress = {
  readonly url: string;
  /** For people: host, port and database. */
  readonly name: string;
};

export type ReadAddress =
  | { readonly ok: true; readonly address: DatabaseAddress }
  | { readonly ok: false; readonly failure: Failure };

const protocols: ReadonlySet<string> = new Set(["postgres:", "postgresql:"]);

const defaultPort = "5432";

/** The client takes these for `verify-full` as well, but warns on standard error each time. */
const strictModes: ReadonlySet<string> = new Set(["prefer", "require", "verify-ca"]);

/** The text is not repeated in a failure, because it may hold a password. */
export function readDatabaseAddress(text: string): ReadAddress {
  const url = URL.parse(text);
  if (url === null || !protocols.has(url.protocol)) {
    const form = "postgres://user@host:5432/database";
    return { ok: false, failure: failure("The database URL is not a PostgreSQL URL.", `Write ${form}.`) };
  }
  const database = decoded(url.pathname.slice(1));
  if (database === "") {
    const recovery = "Add its name to the URL, such as /kedge.";
    return { ok: false, failure: failure("The database URL has no database name.", recovery) };
  }
  const host = url.searchParams.get("host") ?? decoded(url.hostname);
  const port = url.searchParams.get("port") ?? (url.port === "" ? defaultPort : url.port);
  if (strictModes.has(url.searchParams.get("sslmode") ?? "")) url.searchParams.set("sslmode", "verify-full");
  return { ok: true, address: { url: url.href, name: `${host === "" ? "localhost" : host}:${port}/${database}` } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // A percent sign that begins no escape stands for itself.
    if (error instanceof URIError) return text;
    throw error;
  }
}
