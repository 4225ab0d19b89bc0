/** The Store contract: append facts, read facts after a number, and the leases, blobs and queries around them. */
import type { Fact, FactRecord } from "./facts.ts";

export type SessionSummary = {
  readonly sessionId: string;
  readonly projectId: string;
  readonly directory: string;
  readonly title: string;
  readonly model: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastSeq: number;
};

export type SessionFilter = { readonly directory?: string; readonly projectId?: string; readonly limit: number };

/** Who writes a session: enough to tell, on the same machine, whether that process still lives. */
export type LeaseHolder = { readonly boot: string; readonly pid: number; readonly startedAt: string };

export type LeaseOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly holder: LeaseHolder; readonly expiresAt: number };

export type AppendOutcome =
  | { readonly ok: true; readonly records: readonly FactRecord[] }
  | { readonly ok: false; readonly reason: "lease-lost"; readonly holder: LeaseHolder | undefined };

export type VerifyReport = {
  readonly sessionId: string;
  readonly valid: boolean;
  readonly records: number;
  readonly payloadsRemoved: number;
  /** The last record was torn by a crash: truncation, not tampering. */
  readonly truncated: boolean;
  /** The first bad record. */
  readonly problem?: { readonly seq: number; readonly what: string };
};

/** Awaiting `append` means the facts are stored, all of them or none. One contract suite runs on every store. */
export interface Store {
  /**
   * Checks the lease, numbers, seals, chains and inserts the facts in one transaction. `durable` waits for the disk.
   * Throws a FailureError with code `storage` when the disk refuses.
   */
  append(
    sessionId: string,
    facts: readonly Fact[],
    options: { readonly boot: string; readonly durable: boolean },
  ): Promise<AppendOutcome>;
  /** Facts with a number above `afterSeq`, in order. */
  read(sessionId: string, afterSeq: number): AsyncIterable<FactRecord>;
  sessions(filter: SessionFilter): Promise<readonly SessionSummary[]>;
  session(sessionId: string): Promise<SessionSummary | undefined>;
  /** One writer per session. Takes over from a holder that expired or no longer lives; extends the caller's own. */
  acquireLease(sessionId: string, holder: LeaseHolder): Promise<LeaseOutcome>;
  releaseLease(sessionId: string, boot: string): Promise<void>;
  /** Walks the chain and checks every payload that is present against its digest. */
  verify(sessionId: string): Promise<VerifyReport>;
  /** Removes payloads and appends `content.removed`; records are never rewritten. */
  removeContent(
    sessionId: string,
    digests: readonly string[],
    why: { readonly reason: string; readonly by: string; readonly boot: string },
  ): Promise<AppendOutcome>;
  /** Content-addressed; the same bytes are stored once. Returns their SHA-256 in hex. */
  putBlob(bytes: Uint8Array): Promise<string>;
  blob(sha256: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}
