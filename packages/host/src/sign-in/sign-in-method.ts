/** One way to sign in to a provider: how it begins, how it ends, and how what it brought is renewed and sent. */
import type { AccountCredential, Network } from "@kedge/models";
import type { Failure } from "@kedge/protocol";
import type { AccountRecord } from "../credentials/account-record.ts";

/** What every method is given. */
export type SignInParts = {
  readonly network: Network;
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  /** Sent with every request: kedge says who it is. */
  readonly userAgent: string;
};

export type SignInOutcome =
  | { readonly kind: "signed-in"; readonly record: AccountRecord }
  /** The user or the vendor said no. */
  | { readonly kind: "denied"; readonly reason?: string }
  /** Nobody answered in time. */
  | { readonly kind: "expired" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "failed"; readonly failure: Failure };

export type Begun =
  /** A person has to visit the address, and to enter the code where there is one. */
  | {
      readonly kind: "visit";
      readonly url: string;
      readonly code?: string;
      readonly endsAtMs: number;
      /** Waits for that person. Whoever began calls it once, with a signal that ends the wait. */
      readonly finish: (signal: AbortSignal) => Promise<SignInOutcome>;
    }
  | Extract<SignInOutcome, { readonly kind: "signed-in" | "denied" | "failed" }>;

export type Renewed =
  | { readonly kind: "renewed"; readonly record: AccountRecord }
  /** Only another sign-in helps. */
  | { readonly kind: "revoked" }
  | { readonly kind: "failed"; readonly failure: Failure };

export const methodIds = ["device", "browser", "profile"] as const;

export type MethodId = (typeof methodIds)[number];

export type SignInMethod = {
  readonly id: MethodId;
  readonly label: string;
  /** Who pays, and that the vendor may forbid or bill use by other programs. Shown before anything is asked. */
  readonly notice: string;
  /** What has to be set before; absent when nothing is missing. */
  readonly missing?: string;
  readonly begin: (parts: SignInParts, signal: AbortSignal) => Promise<Begun>;
  readonly renew: (record: AccountRecord, parts: SignInParts, signal: AbortSignal) => Promise<Renewed>;
  readonly credential: (record: AccountRecord, parts: SignInParts) => AccountCredential;
};
