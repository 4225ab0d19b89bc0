/** One request to the server: from a route and the fields of a command or query to its answer. Throws nothing. */
import {
  type Failure,
  type FailureCode,
  headerNames,
  isJsonObject,
  protocolVersion,
  type Route,
} from "@kedge/protocol";

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

type Fields = { readonly [name: string]: unknown };

export async function call<Value>(
  connection: Connection,
  route: Route,
  fields: Fields,
  { signal, idempotencyKey }: CallWish = {},
): Promise<Called<Value>> {
  const { path, rest } = fillPath(route.path, fields);
  const isInQuery = route.method === "GET" || route.method === "DELETE";
  const headers = headersOf(connection);
  if (idempotencyKey !== undefined) headers.set(headerNames.idempotencyKey, idempotencyKey);
  if (!isInQuery) headers.set("content-type", "application/json");
  try {
    const response = await connection.fetch(`${connection.url}${path}${isInQuery ? queryText(rest) : ""}`, {
      method: route.method,
      headers,
      ...(!isInQuery && { body: JSON.stringify(rest) }),
      ...(signal !== undefined && { signal }),
    });
    const mismatch = protocolMismatch(response);
    if (mismatch !== undefined) return { ok: false, failure: mismatch };
    const value: unknown = await response.json();
    // A server of the same protocol answers with what the route promises.
    return response.ok ? { ok: true, value: value as Value } : { ok: false, failure: failureOf(response, value) };
  } catch (error) {
    return { ok: false, failure: connectionFailure(connection.url, error, signal) };
  }
}

export function headersOf({ token, directory }: Connection): Headers {
  const headers = new Headers({ [headerNames.protocol]: protocolVersion });
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  // Header values are bytes; a path may hold any character.
  if (directory !== undefined) headers.set(headerNames.directory, encodeURIComponent(directory));
  return headers;
}

function fillPath(path: string, fields: Fields): { readonly path: string; readonly rest: Fields } {
  const { type: _, ...rest } = fields as Record<string, unknown>;
  const filled = path.replace(/:(\w+)/g, (__, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { path: filled, rest };
}

export function queryText(fields: Fields): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

/** A difference in the second number is harmless; in the first one the two do not understand each other. */
export function protocolMismatch(response: Response): Failure | undefined {
  const theirs = response.headers.get(headerNames.protocol);
  if (theirs === null || majorOf(theirs) === majorOf(protocolVersion)) return undefined;
  return {
    code: "configuration",
    message: `The server speaks protocol ${theirs}, and this client ${protocolVersion}.`,
    recovery: "Use the same version of kedge on both sides, and start the server again.",
    retryable: false,
  };
}

function majorOf(version: string): string {
  return version.split(".", 1)[0] ?? "";
}

const codesByStatus: { readonly [status: number]: FailureCode } = {
  401: "auth_error",
  403: "auth_error",
  404: "not_found",
  409: "session_busy",
  413: "request_too_large",
  421: "auth_error",
  429: "rate_limit",
};

/** The server's own words; for one that is no kedge at least the status. */
export function failureOf(response: Response, body: unknown): Failure {
  const { status } = response;
  const error = isJsonObject(body) ? body["error"] : undefined;
  const told = isJsonObject(error) ? error : {};
  const code = codesByStatus[status] ?? (status >= 500 ? "server_error" : "bad_request");
  const { message, recovery } = told;
  return {
    code: isFailureCode(told["code"]) ? told["code"] : code,
    message: typeof message === "string" ? message : `The server answered with status ${status}.`,
    ...(typeof recovery === "string" && { recovery }),
    retryable: told["retryable"] === true || status === 429 || status >= 500,
    status,
  };
}

/** Codes that a server may name and that say more than its status does. */
const toldCodes: readonly FailureCode[] = [
  "aborted",
  "not_found",
  "invalid_command",
  "session_busy",
  "changed_since",
  "no_model",
  "invalid_model",
  "configuration",
  "storage",
];

function isFailureCode(code: unknown): code is FailureCode {
  return toldCodes.some((known) => known === code);
}

export function connectionFailure(url: string, error: unknown, signal: AbortSignal | undefined): Failure {
  if (signal?.aborted) {
    return { code: "aborted", message: "The call was given up before its answer came.", retryable: true };
  }
  return {
    code: "connection_error",
    message: `The server at ${url} cannot be reached (${reasonOf(error)}).`,
    recovery: "Start it with kedge serve, or check its address.",
    retryable: true,
  };
}

/** `fetch` hides what happened behind its own words. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && "code" in cause) return String(cause.code);
  return cause instanceof Error ? cause.message : String(cause);
}
