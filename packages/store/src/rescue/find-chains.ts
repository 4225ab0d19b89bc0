/** Finds among the rows of a damaged file the records that chain up from a session's id, and says what is missing after them. */
import { type ChainRow, emptyHead, rowHash } from "../chain.ts";
import type { Lease } from "../lease.ts";
import type { SignedHead } from "../signed-head.ts";
import type { PageImages } from "./page-images.ts";
import { type PageRow, type Place, readRowAt, rowsOfPage, type Value } from "./page-rows.ts";

export type FoundChain = {
  readonly sessionId: string;
  /** In their order, from the first record on without a gap; each one matches its hash. */
  readonly places: readonly Place[];
  /** Records that were there and cannot be kept. */
  readonly recordsLost: number;
  readonly signed?: SignedHead;
};

export type FoundFacts = {
  readonly chains: readonly FoundChain[];
  /** Sessions of which not even the first record, or not even the id, was found. */
  readonly sessionsLost: number;
  readonly leases: readonly (Lease & { readonly sessionId: string })[];
};

/** One record as far as it could be read. `content` is lost when the row's last pages are. */
export type FoundRow = ChainRow & {
  readonly session: number;
  readonly salt: string | null;
  readonly content: Value;
};

type Link = Place & {
  readonly hash: string;
  readonly session: number;
  /** Undefined where the row does not match its hash as it stands. */
  readonly seq: number | undefined;
};

export function findChains(images: PageImages): FoundFacts {
  const links = new Map<string, Link[]>();
  const lastSeqs = new Map<number, number>();
  const ids = new Map<string, number>();
  const leases = new Map<string, Lease>();
  const signed = new Map<string, SignedHead>();
  for (let number = 1; number <= images.count; number += 1) {
    for (const place of rowsOfPage(images, number)) {
      const row = asFact(place);
      if (row !== undefined) {
        const { seq, hash, session, prev } = row;
        lastSeqs.set(session, Math.max(seq, lastSeqs.get(session) ?? 0));
        const isProven = rowHash(row) === hash;
        const link = { page: place.page, cell: place.cell, seq: isProven ? seq : undefined, hash, session };
        links.set(prev, [...(links.get(prev) ?? []), link]);
        continue;
      }
      const lease = asLease(place);
      if (lease !== undefined) leases.set(lease.sessionId, lease);
      const found = asSignedHead(place);
      // Of two the newer one: the other lies on a page that is used no more.
      if (found !== undefined && found.head.seq >= (signed.get(found.sessionId)?.seq ?? 0)) {
        signed.set(found.sessionId, found.head);
      }
      noteIds(place, ids);
    }
    for (const id of idsInBytes(images.page(number))) if (!ids.has(id)) ids.set(id, 0);
  }
  const { chains, sessionsLost } = follow(ids, lastSeqs, (head) => linkAfter(images, links.get(head.hash) ?? [], head));
  return {
    chains: chains.map((chain) => {
      const head = signed.get(chain.sessionId);
      return head === undefined ? chain : { ...chain, signed: head };
    }),
    sessionsLost,
    leases: [...leases].map(([sessionId, lease]) => ({ sessionId, ...lease })),
  };
}

/** The record at a place that `findChains` named. Its number follows from the chain, whatever the damaged column says. */
export function factAt(images: PageImages, place: Place, seq: number): FoundRow {
  const row = readRowAt(images, place);
  const fact = row === undefined ? undefined : asFact(row);
  if (fact === undefined) throw new Error("a row that was read before cannot be read again");
  return { ...fact, seq };
}

/** `ids` have the number of the last record where a listing tells it. */
function follow(
  ids: ReadonlyMap<string, number>,
  lastSeqs: ReadonlyMap<number, number>,
  after: (head: Head) => Link | undefined,
): Pick<FoundFacts, "chains" | "sessionsLost"> {
  const chains: FoundChain[] = [];
  const keys = new Set<number>();
  let sessionsLost = 0;
  for (const [sessionId, listedSeq] of ids) {
    const places: Place[] = [];
    let last: Link | undefined;
    let next = after(emptyHead(sessionId));
    while (next !== undefined) {
      places.push({ page: next.page, cell: next.cell });
      last = next;
      next = after({ seq: places.length, hash: next.hash });
    }
    if (last === undefined) {
      if (listedSeq > 0) sessionsLost += 1;
      continue;
    }
    keys.add(last.session);
    const lastSeq = Math.max(listedSeq, lastSeqs.get(last.session) ?? 0);
    chains.push({ sessionId, places, recordsLost: Math.max(0, lastSeq - places.length) });
  }
  const listed = sessionsLost;
  const nameless = [...lastSeqs.keys()].filter((session) => !keys.has(session)).length;
  return { chains, sessionsLost: Math.max(listed, nameless) };
}

type Head = { readonly seq: number; readonly hash: string };

/** A row whose own number alone is damaged is proven by the number that it must have. */
function linkAfter(images: PageImages, links: readonly Link[], head: Head): Link | undefined {
  const seq = head.seq + 1;
  return (
    links.find((link) => link.seq === seq) ??
    links.find((link) => link.seq === undefined && rowHash(factAt(images, link, seq)) === link.hash)
  );
}

const factColumns = 12;
/** Up to the hash, which proves them; damage to what follows costs the content and not the record. */
const provenColumns = 10;
const hashShape = /^[0-9a-f]{64}$/;

function asFact({ kind, values }: PageRow): FoundRow | undefined {
  if (kind !== "table" || values.length > factColumns || values.length < provenColumns) return undefined;
  const [, session, seq, time, type, version, data, , prev, hash, salt, content] = values;
  const numbers = [session, seq, time, version];
  const texts = [type, data, prev, hash];
  if (!numbers.every((value) => typeof value === "number") || !texts.every((value) => typeof value === "string")) {
    return undefined;
  }
  if (!hashShape.test(hash as string) || !hashShape.test(prev as string)) return undefined;
  const head = { session, seq, time, version, type, data, prev, hash } as Omit<FoundRow, "digest" | "salt" | "content">;
  return {
    ...head,
    digest: digestIn(data as string),
    salt: typeof salt === "string" ? salt : null,
    content: content ?? null,
  };
}

/** The column only repeats what the chained text says. */
function digestIn(data: string): string | undefined {
  return /"digest":"([0-9a-f]{64})"/.exec(data)?.[1];
}

function asLease({ kind, values }: PageRow): (Lease & { readonly sessionId: string }) | undefined {
  const [sessionId, boot, pid, startedAt, expiresAt, ...more] = values;
  if (kind !== "index" || more.length > 0 || typeof sessionId !== "string" || typeof boot !== "string")
    return undefined;
  if (typeof pid !== "number" || typeof startedAt !== "string" || typeof expiresAt !== "number") return undefined;
  return { sessionId, holder: { boot, pid, startedAt }, expiresAt };
}

function asSignedHead({
  kind,
  values,
}: PageRow): { readonly sessionId: string; readonly head: SignedHead } | undefined {
  const [sessionId, seq, hash, keyId, signature, ...more] = values;
  if (kind !== "index" || more.length > 0 || typeof sessionId !== "string" || typeof seq !== "number") return undefined;
  if (typeof hash !== "string" || !hashShape.test(hash)) return undefined;
  if (typeof keyId !== "string" || typeof signature !== "string") return undefined;
  return { sessionId, head: { seq, hash, keyId, signature } };
}

const listingColumnsMin = 10;
const idShape = /^(?:ses|journal)_[\w-]+$/;

/** From the listing, from its index, and from whatever else begins with an id. */
function noteIds({ kind, values }: PageRow, ids: Map<string, number>): void {
  const [first, second] = values;
  if (kind === "index" && typeof first === "string" && idShape.test(first)) {
    if (!ids.has(first)) ids.set(first, 0);
  } else if (kind === "table" && values.length >= listingColumnsMin && typeof second === "string") {
    const lastSeq = values[8];
    if (idShape.test(second)) ids.set(second, typeof lastSeq === "number" ? lastSeq : 0);
  }
}

/** The fixed length of real ids finds them in rows that cannot be read any more. */
const idInBytes = /ses_[0-9a-z]{23}|journal_[0-9a-f]{64}/g;

function idsInBytes(page: Buffer | undefined): Iterable<string> {
  return page === undefined ? [] : new Set(page.toString("latin1").match(idInBytes) ?? []);
}
