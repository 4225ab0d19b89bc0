/** Why a connection or a call did not work, told apart by what can be done about it. */

import { stripTerminalControls } from "@kedge/protocol";
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { McpServer } from "../server.ts";

export type ConnectFailure = {
  readonly reason: "needs-auth" | "failed";
  /** For people, without a full stop. */
  readonly error: string;
  /** The server or the library wrote part of it, so that models are not shown it. */
  readonly isQuoted?: true;
};

/** In words of ours alone, which models may read too. */
export class PlainError extends Error {
  override name = "PlainError";
}

const errorCharactersMax = 300;

export function connectFailureOf(error: unknown): ConnectFailure {
  if (wantsSignIn(error)) return { reason: "needs-auth", error: "it needs a sign-in" };
  const status = statusOf(error);
  if (status !== undefined) return { reason: "failed", error: statusText(status) };
  if (isPage(error)) return { reason: "failed", error: "there is no MCP server at its URL, but a page or a file" };
  const plain = plainCause(error);
  return plain === undefined
    ? { reason: "failed", error: describe(error), isQuoted: true }
    : { reason: "failed", error: describe(plain) };
}

/** The library wraps what a transport threw; errors of the system name a call, a code and an address. */
function plainCause(error: unknown): Error | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const isOfSystem = "syscall" in each && typeof each.syscall === "string";
    const isOfProxy = "code" in each && typeof each.code === "string" && each.code.startsWith("ERR_PROXY_");
    if (each instanceof PlainError || isOfSystem || isOfProxy) return each;
  }
  return undefined;
}

export function wantsSignIn(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof UnauthorizedError || each instanceof InsufficientScopeError) return true;
    if (each instanceof SdkHttpError && each.data.status === 401) return true;
  }
  return false;
}

/** A WebSocket begins with a request over HTTP, which a server may refuse as any other. */
export function handshakeError(status: number): Error {
  return status === 401 ? new UnauthorizedError("401") : new PlainError(statusText(status));
}

/** An old server that was asked in the new way ended instead of answering; it is asked again in the old way. */
export function isNegotiationEnd(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
}

const unknownStatuses: ReadonlySet<unknown> = new Set([400, 404, 405]);

/** As servers of the old kind over HTTP answer to the new one, which the protocol says to take for that. */
export function isUnknownThere(error: unknown): boolean {
  return unknownStatuses.has(statusOf(error));
}

/** With which a server refused a request; pages that come with it are written for browsers. */
function statusOf(error: unknown): number | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const status = each instanceof SdkHttpError ? each.data.status : each instanceof SseError ? each.code : undefined;
    if (typeof status === "number" && status >= 300) return status;
  }
  return undefined;
}

function isPage(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof SdkError && each.code === SdkErrorCode.ClientHttpUnexpectedContent) return true;
  return false;
}

function statusText(status: number): string {
  if (status < 400) return `its URL redirects elsewhere (HTTP ${status}), which is not followed`;
  if (status === 404 || status === 405) return `there is no MCP server at its URL (HTTP ${status})`;
  return `it answered with HTTP ${status}`;
}

/** What a shell says of a program that is not there, and of a file that is none. */
const missingCode = 127;
const noProgramCode = 126;

/** A process that ended says more than the pipe that broke with it. Any other error stays as it is. */
export function endedError(error: unknown, exitCode: number | undefined, { transport }: McpServer): unknown {
  const isBroken = error instanceof Error && "code" in error && (error.code === "EPIPE" || isExpired(error));
  if (!isBroken || exitCode === undefined) return error;
  if (exitCode === missingCode) {
    const isLine = transport.type === "stdio" && transport.args.length === 0 && /\s/.test(transport.command);
    return new PlainError(`its program was not found${isLine ? "; put its arguments in args" : ""}`);
  }
  if (exitCode === noProgramCode) return new PlainError("its program cannot be executed");
  return new PlainError(`it exited with code ${exitCode}`);
}

/** The server forgot the session of this connection, or the connection is gone. */
export function isExpired(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.data.status === 404;
  if (error instanceof ProtocolError) return error.code === -32_001;
  return error instanceof SdkError && connectionCodes.has(error.code);
}

/** Nothing reached the server, so that sending it again does nothing twice. */
export function wasNotSent(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.data.status === 404;
  return (
    error instanceof SdkError && (error.code === SdkErrorCode.NotConnected || error.code === SdkErrorCode.SendFailed)
  );
}

const connectionCodes: ReadonlySet<string> = new Set([
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
  SdkErrorCode.SendFailed,
]);

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  const text = error instanceof Error ? error.message || cause?.message || error.name : String(error);
  return stripTerminalControls(text).replaceAll(/\s+/g, " ").replace(/\.$/, "").slice(0, errorCharactersMax);
}
