/** Admission to the server: who may come in with which right. Knows HTTP requests, but no route. */
import type { IncomingMessage } from "node:http";
import type { Scope } from "@kedge/protocol";

/** Whoever was let in. `name` is for the log and for facts, never a secret. */
export type Caller = {
  readonly scope: Scope;
  /** `nobody` showed no credential, and gets no further than to what is open to all. */
  readonly by: "token" | "password" | "cookie" | "ticket" | "open-door" | "nobody";
  readonly name: string;
  /** The token of the user's file that the credential is or goes back to: without that token it is worth nothing. */
  readonly tokenId?: string;
  /** The paired device that called. */
  readonly deviceId?: string;
};

export type Refusal = {
  readonly status: 400 | 401 | 403 | 405 | 411 | 413 | 415 | 421 | 429;
  readonly code: string;
  readonly message: string;
  readonly headers?: { readonly [name: string]: string };
};

export type Admission = { readonly ok: true; readonly caller: Caller } | ({ readonly ok: false } & Refusal);

/** What a browser is told that asks before it sends. */
export type Preflight =
  | { readonly ok: true; readonly headers: { readonly [name: string]: string } }
  | ({ readonly ok: false } & Refusal);

export interface Admissions {
  /**
   * Checks host, origin, peer, credential and what is said of the body. To be asked before anything of the request is
   * read but its head. Asked again about the same request it gives the same answer, and a ticket is not used up twice.
   */
  admit(request: IncomingMessage, options: { readonly isUpgrade: boolean }): Promise<Admission>;
  /** For requests with the method `OPTIONS`, which carry no credential and reach nothing behind the admissions. */
  preflight(request: IncomingMessage): Preflight;
  /**
   * A word that a browser trades once, within a minute, for a cookie with the rights of the issuer. Both end with the
   * token of the issuer. Throws a ProblemError for one who came in by a cookie, which could otherwise renew itself for ever.
   */
  issueCode(issuer: Caller): { readonly code: string; readonly expiresAt: number };
  /** The value of the `Set-Cookie` header, or undefined for a word that is unknown, used or too old. */
  redeemCode(code: string, request: IncomingMessage): string | undefined;
  /** A word for one connection with the rights of the caller, within half a minute. */
  issueTicket(caller: Caller): { readonly ticket: string; readonly expiresAt: number };
  /** Headers of every answer: those of security, and for an allowed foreign origin those of CORS. */
  answerHeaders(request: IncomingMessage): { readonly [name: string]: string };
}
