/** What a provider knows of the account that pays for its requests: what to send at the moment, and how to get another. */
import type { Failure } from "@kedge/protocol";

/** Sent until another one takes its place; each renewal is another object. */
export type AccountCredential = {
  readonly apiKey?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Where the vendor wants the requests of this account. */
  readonly baseURL?: string;
  /** What a package is told beside key, address and headers. */
  readonly settings?: { readonly [name: string]: unknown };
};

export type CurrentCredential =
  | { readonly ok: true; readonly credential: AccountCredential }
  | { readonly ok: false; readonly failure: Failure };

export type Account = {
  /** Asked before every request; renews ahead of the end, and is quick otherwise. Never throws for outside reasons. */
  current(signal: AbortSignal): Promise<CurrentCredential>;
  /** The vendor rejected what `current` gave last. True once there is another. */
  renew(): Promise<boolean>;
};
