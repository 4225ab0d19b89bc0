/** The Store contract: append facts, read facts after a number, and the leases, blobs and queries around them. */

import type { FactRecord } from "../facts/fact-record.ts";
import type { Fact } from "../facts/facts.ts";
import type { SessionState } from "../facts/session-state.ts";
import type { MessageView, SessionView } from "../view.ts";
import type { ViewState } from "../view-fold/view-state.ts";

export type SessionSummary = {
  readonly sessionId: string;
  /** The session it was forked, handed over or started from. */
  readonly parentId?: string;
  readonly isArchived: boolean;
  readonly projectId: string;
  readonly directory: string;
  readonly title: string;
  readonly model: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastSeq: number;
};

/** Newest first. Everything that is given must hold. */
export type SessionFilter = {
  readonly directory?: string;
  readonly projectId?: string;
  readonly parentId?: string;
  /** Words that the title contains, in any case. */
  readonly text?: string;
  /** Archived ones are left out without this, and nothing else is listed with it. */
  readonly isArchived?: boolean;
  /** Milliseconds since the epoch. */
  readonly updatedAfter?: number;
  readonly updatedBefore?: number;
  /** The last session of the page before. */
  readonly after?: { readonly updatedAt: number; readonly sessionId: string };
  readonly limit: number;
};

/** The newest messages first asked for, in the order of the conversation. */
export type MessagePage = {
  readonly messages: readonly MessageView[];
  /** Present when there are older ones: ask again with it. */
  readonly before?: string;
};

export type SearchQuery = {
  /** Words that must all occur; the last one may be the beginning of a word. */
  readonly text: string;
  readonly projectId?: string;
  readonly sessionId?: string;
  readonly role?: MessageView["role"];
  readonly tool?: string;
  /** Part of a path that the message's calls or attachments name. */
  readonly file?: string;
  readonly after?: number;
  readonly before?: number;
  readonly limit: number;
};

export type SearchHit = {
  readonly sessionId: string;
  readonly messageId: string;
  readonly title: string;
  readonly time: number;
  readonly role: MessageView["role"];
  readonly tool?: string;
  /** Some words around the first place, with what was found between ⟦ and ⟧. */
  readonly snippet: string;
};

/** What a search over everything remembered finds: something said or done, or a note of memory. */
export type FoundRecord =
  | ({ readonly kind: "message" } & SearchHit)
  | { readonly kind: "note"; readonly file: string; readonly snippet: string };

/** Where the disk went. */
export type StorageUse = {
  readonly databaseBytes: number;
  /** Of those, what is free and will be written over. */
  readonly freeBytes: number;
  readonly blobBytes: number;
  readonly sessions: number;
  readonly facts: number;
  /** Contents that lie in files of their own and are gone, though nobody removed them. */
  readonly filesMissing: number;
  /** The largest first, as many as were asked for. */
  readonly largest: readonly { readonly sessionId: string; readonly title: string; readonly bytes: number }[];
};

/** What nobody refers to and so can go. */
export type Garbage = { readonly files: number; readonly bytesFreed: number };

/** Who writes a session: enough to tell, on the same machine, whether that process still lives. */
export type LeaseHolder = { readonly boot: string; readonly pid: number; readonly startedAt: string };

export type LeaseOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly holder: LeaseHolder; readonly expiresAt: number };

export type AppendOutcome =
  | {
      readonly ok: true;
      readonly records: readonly FactRecord[];
      /** Of the last of the records; those before it lie directly before it. 0 when nothing was appended. */
      readonly position: number;
    }
  | { readonly ok: false; readonly reason: "lease-lost"; readonly holder: LeaseHolder | undefined };

export type ThinOutcome = { readonly ok: true; readonly bytesFreed: number } | Extract<AppendOutcome, { ok: false }>;

export type RemovalWhy = {
  readonly by: string;
  readonly boot: string;
  /** `collectGarbage` follows, and makes sure for many removals at once that nothing stays behind in indexes and logs. */
  readonly isOneOfMany?: true;
};

export type VerifyReport = {
  readonly sessionId: string;
  readonly valid: boolean;
  readonly records: number;
  readonly payloadsRemoved: number;
  /** The last record was torn by a crash: truncation, not tampering. */
  readonly truncated: boolean;
  /** The chain holds by itself, but a signature or the journal of the project says that it is not what was written. */
  readonly tampered?: true;
  /** Absent where the store was given no key. */
  readonly signature?: SignatureState;
  /** The last record that the signature vouches for, and with it every one before. */
  readonly signedSeq?: number;
  /** The first bad record. */
  readonly problem?: { readonly seq: number; readonly what: string };
};

/**
 * `wrong`: it is not what the key makes of this record. `not-in-chain`: the signed record is gone, so the chain was cut
 * back or written again. `unknown-key`: it was made with a key that is not here, and says nothing.
 */
export type SignatureState = "valid" | "none" | "wrong" | "not-in-chain" | "unknown-key";

export type HeadSignature = { readonly keyId: string; readonly signature: string };

/** Signs the ends of chains and checks what it signed. The store never sees the key itself. */
export type JournalKey = {
  /** Undefined when nothing is to be signed, or the key cannot be had. */
  sign(text: string): HeadSignature | undefined;
  check(text: string, signed: HeadSignature): "valid" | "wrong" | "unknown-key";
};

export type AppendOptions = {
  readonly boot: string;
  readonly durable: boolean;
  /** When each fact happened, where it happened elsewhere; now without this. */
  readonly times?: readonly number[];
};

/** One record with everything that its hash and its digest are made of. */
export type JournalRow = {
  readonly seq: number;
  readonly time: number;
  readonly type: string;
  readonly version: number;
  /** The very text the hash was taken of. */
  readonly data: string;
  readonly digest?: string;
  readonly prev: string;
  readonly hash: string;
  /** Absent when there is none, or when it was removed. Without salt it stands for what was removed, unchecked. */
  readonly payload?: { readonly salt?: string; readonly content: string };
};

/** A record and its place among those of all sessions. Whatever is stored later has a higher one. */
export type PlacedRecord = { readonly position: number; readonly record: FactRecord };

export type PlacedRow = { readonly position: number; readonly sessionId: string; readonly row: JournalRow };

/** Awaiting `append` means the facts are stored, all of them or none. One contract suite runs on every store. */
export interface Store {
  /**
   * Checks the lease, numbers, seals, chains and inserts the facts in one transaction. `durable` waits for the disk.
   * Throws a FailureError with code `storage` when the disk refuses.
   */
  append(sessionId: string, facts: readonly Fact[], options: AppendOptions): Promise<AppendOutcome>;
  /** Facts with a number above `afterSeq`, in order. */
  read(sessionId: string, afterSeq: number): AsyncIterable<FactRecord>;
  /** The records as they are chained, for copies that can be checked elsewhere. */
  rows(sessionId: string): AsyncIterable<JournalRow>;
  /** The records of all sessions, or of one, that are stored behind this position, in the order they were stored. */
  tail(afterPosition: number, sessionId?: string): AsyncIterable<PlacedRecord>;
  /** The same of all chains, as they are chained. */
  tailRows(afterPosition: number): AsyncIterable<PlacedRow>;
  /** Of the last record of all; 0 when there is none. Cheap enough to be asked several times a second. */
  lastPosition(): Promise<number>;
  /** Of the last record of the session with at most this number; 0 when there is none. */
  positionOf(sessionId: string, seq: number): Promise<number>;
  /** Just before the first record that is missing where these numbers of sessions, and no other session, are known. */
  positionBefore(known: ReadonlyMap<string, number>): Promise<number>;
  /** Brings the state of a session up to its last fact: the same as applying all that `read` gives, but faster. */
  fold(state: SessionState): Promise<void>;
  /**
   * May keep what the facts of a long session add up to, so that the next `fold` reads less. For whoever holds the lease
   * and has folded the last fact; of anybody else nothing is kept. What the state has released is read again.
   */
  keepState(state: SessionState): Promise<void>;
  sessions(filter: SessionFilter): Promise<readonly SessionSummary[]>;
  session(sessionId: string): Promise<SessionSummary | undefined>;
  /** The chains that nothing lists and `verify` knows: journals of projects, and what is left of deleted sessions. */
  unlistedChains(): Promise<readonly string[]>;
  /** One writer per session. Takes over from a holder that expired or no longer lives; extends the caller's own. */
  acquireLease(sessionId: string, holder: LeaseHolder): Promise<LeaseOutcome>;
  /** Gives the session free; whoever held it signs what it leaves behind. */
  releaseLease(sessionId: string, boot: string): Promise<void>;
  /** The sessions that a living process holds now. */
  heldSessions(): Promise<readonly string[]>;
  /**
   * Signs the last record of the session, if the store was given a key. A signature whose record is no longer in the
   * chain is never replaced: it is the proof that somebody else wrote.
   */
  signHead(sessionId: string): Promise<void>;
  /**
   * Brings what is derived from the facts of a session up to date: messages, parts, search. Queries do so by
   * themselves; doing it after a run, when nobody waits, keeps them fast.
   */
  catchUp(sessionId: string): Promise<void>;
  /** The session as clients see it; undefined when there is none, or only what is left of a deleted one. */
  sessionView(sessionId: string): Promise<SessionView | undefined>;
  /**
   * The view fold of a long session as it was kept after a fact between two runs, for whoever goes on from there with
   * `applyToView` and what `read` gives. Undefined where none is kept. The caller owns it.
   */
  keptView(sessionId: string): Promise<ViewState | undefined>;
  /** The last messages, or the last ones before the one named. */
  messages(sessionId: string, page: { readonly before?: string; readonly limit: number }): Promise<MessagePage>;
  search(query: SearchQuery): Promise<readonly SearchHit[]>;
  /**
   * Removes all content of the session: payloads, blobs that nothing else refers to, everything derived. What is left
   * is the bare chain, which ends in `session.deleted`. It can still be read and verified, but is listed no more. How it
   * ends is also recorded in the journal of its project. Its children are sessions of their own.
   */
  deleteSession(sessionId: string, why: RemovalWhy): Promise<AppendOutcome>;
  /** Removes the pieces of answers that are stored whole as well. What the session shows stays as it is. */
  thin(sessionId: string, why: RemovalWhy): Promise<ThinOutcome>;
  storageUse(options?: { readonly largestMax: number }): Promise<StorageUse>;
  /**
   * Removes blobs that no fact names and that nobody stored again within the grace, so that another process has the time
   * to name what it stored; and gives the room of removed content back to the disk, where much is free or, if it is to
   * be thorough, in any case: most of it lies between what is kept, and the whole database is then written again.
   */
  collectGarbage(options: {
    readonly graceMs: number;
    readonly isDryRun: boolean;
    readonly isThorough?: boolean;
  }): Promise<Garbage>;
  /**
   * Walks the chain, checks its signature and every payload that is present against its digest, and compares what is
   * derived from the facts with a fresh fold of them. A deleted session is compared with what the journal of its project
   * says of its end, and such a journal with every chain it names.
   */
  verify(sessionId: string): Promise<VerifyReport>;
  /**
   * Removes payloads and appends `content.removed`; records are never rewritten. A payload with a replacement reads as
   * that from then on, and still counts as removed.
   */
  removeContent(
    sessionId: string,
    digests: readonly string[],
    why: RemovalWhy & {
      readonly reason: string;
      /** The sealed fields as JSON, by the digest of those that they stand for. */
      readonly replacements?: ReadonlyMap<string, string>;
    },
  ): Promise<AppendOutcome>;
  /** Content-addressed; the same bytes are stored once. Returns their SHA-256 in hex. */
  putBlob(bytes: Uint8Array): Promise<string>;
  blob(sha256: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}
