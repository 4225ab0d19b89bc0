/** One request to the server: from a route and the fields of a command or query to its answer. Throws nothing. */
import {
  type Failure,
  headerNames,
  type JsonSchema,
  parseJson,
  protocolVersion,
  type RouteText,
  routeOf,
} from "@kedge/protocol";
import { connectionFailure, failureOf, oddAnswer, protocolMismatch, strangeAnswer } from "./server-failure.ts";

export type Connection = {
  /** Where the server is, such as `http://127.0.0.1:20123`. */
  readonly url: string;
  /** Absent in a browser that has a cookie. */
  readonly token?: string;
  /** Whose place of work is meant; the server's own without it. */
  readonly directory?: string;
  readonly fetch: typeof fetch;
};

export type Called<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

export type CallWish = {
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string | undefined;
};

export type Fields = { readonly [name: string]: unknown };

/** Where it is found, and what it is answered with. */
export type CalledRow = { readonly route: RouteText; readonly answer: JsonSchema };

export async function call<Value>(
  connection: Connection,
  row: CalledRow,
  fields: Fields,
  wish: CallWish = {},
): Promise<Called<Value>> {
  const called = await callOnce<Value>(connection, row, fields, wish);
  // A connection that was kept may have lost its server since; what changes nothing is asked again on a new one.
  const isRepeatable = row.route.startsWith("GET ") && !called.ok && called.failure.code === "connection_error";
  return isRepeatable ? callOnce(connection, row, fields, wish) : called;
}

async function callOnce<Value>(
  connection: Connection,
  row: CalledRow,
  fields: Fields,
  { signal, idempotencyKey }: CallWish,
): Promise<Called<Value>> {
  const route = routeOf(row);
  const { path, rest } = fillPath(route.path, fields);
  const isInQuery = route.method === "GET" || route.method === "DELETE";
  const headers = headersOf(connection);
  if (idempotencyKey !== undefined) headers.set(headerNames.idempotencyKey, idempotencyKey);
  if (!isInQuery) headers.set("content-type", "application/json");
  try {
    const response = await connection.fetch(`${connection.url}${path}${isInQuery ? queryText(rest) : ""}`, {
      method: route.method,
      headers,
      ...uncached,
      ...(!isInQuery && { body: JSON.stringify(rest) }),
      ...(signal !== undefined && { signal }),
    });
    const mismatch = protocolMismatch(response);
    const value = parseJson(await response.text());
    if (mismatch !== undefined) return { ok: false, failure: mismatch };
    if (!response.ok) return { ok: false, failure: failureOf(response, value) };
    if (value === undefined) return { ok: false, failure: strangeAnswer(connection.url) };
    // Loaded with the first answer: whoever has no server does without the check.
    const { hasShape } = await import("./check-answer.ts");
    if (!hasShape(value, row.answer))
      return { ok: false, failure: oddAnswer(connection.url, `${route.method} ${path}`) };
    // It has the shape that the route promises.
    return { ok: true, value: value as Value };
  } catch (error) {
    return { ok: false, failure: connectionFailure(connection.url, error, signal) };
  }
}

/** A browser has the second of two requests for one address wait until its cache knows what the first is answered. */
export const uncached = { cache: "no-store" } as const;

export function headersOf({ token, directory }: Connection): Headers {
  const headers = new Headers({ [headerNames.protocol]: protocolVersion });
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  // Header values are bytes; a path may hold any character.
  if (directory !== undefined) headers.set(headerNames.directory, encodeURIComponent(directory));
  return headers;
}

function fillPath(path: string, fields: Fields): { readonly path: string; readonly rest: Fields } {
  const inPath = new Set<string>();
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(fields[name]));
  });
  return { path: filled, rest: Object.fromEntries(Object.entries(fields).filter(([name]) => !inPath.has(name))) };
}

export function queryText(fields: Fields): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
