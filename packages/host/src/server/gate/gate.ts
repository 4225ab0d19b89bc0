/** The gate of the server: who may come in with which right. Knows HTTP requests, but no route. */
import type { IncomingMessage } from "node:http";
import type { Scope } from "@kedge/protocol";

/** Whoever was let in. `name` is for the log and for facts, never a secret. */
export type Caller = {
  readonly scope: Scope;
  readonly by: "token" | "password" | "cookie" | "ticket" | "open-door";
  readonly name: string;
};

export type Refusal = {
  readonly status: 400 | 401 | 403 | 405 | 411 | 413 | 415 | 421 | 429;
  readonly code: string;
  readonly message: string;
  readonly headers?: { readonly [name: string]: string };
};

export type Admission = { readonly ok: true; readonly caller: Caller } | ({ readonly ok: false } & Refusal);

export interface Gate {
  /** Checks host, origin, peer and credential. To be asked before anything of the request is read but its head. */
  admit(request: IncomingMessage, options: { readonly isUpgrade: boolean }): Promise<Admission>;
  /** A word that a browser trades once, within a minute, for a cookie. */
  issueCode(): { readonly code: string; readonly expiresAt: number };
  /** The value of the `Set-Cookie` header, or undefined for a word that is unknown, used or too old. */
  redeemCode(code: string, request: IncomingMessage): string | undefined;
  /** A word for one connection with the rights of the caller, within half a minute. */
  issueTicket(caller: Caller): { readonly ticket: string; readonly expiresAt: number };
  /** Headers of every answer: those of security, and for an allowed foreign origin those of CORS. */
  answerHeaders(request: IncomingMessage): { readonly [name: string]: string };
}
