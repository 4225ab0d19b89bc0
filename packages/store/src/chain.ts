/** The hash chain shared by all stores: seals a fact, chains it to the one before it, and reads it back. */
import { createHash, hash } from "node:crypto";
import { canonicalJson, type Fact, type FactRecord, type JournalRow, sealedFields, sortedKeys } from "@kedge/protocol";

/** Version of the fact schema that this code writes. */
export const factVersion = 1;

const saltBytes = 16;

export type RandomBytes = (size: number) => Uint8Array;

/** The sealed fields of one fact as JSON text. Salt and content are kept and removed together. */
export type Payload = { readonly salt: string; readonly content: string };

/** One chained record. `data` is the very text the hash was taken of, so checking it never depends on a parser. */
export type ChainRow = {
  readonly seq: number;
  readonly time: number;
  readonly type: string;
  readonly version: number;
  readonly data: string;
  readonly digest: string | undefined;
  readonly prev: string;
  readonly hash: string;
};

/** `replacement` is the content that stands in the place of a removed one; the chain says nothing about it. */
export type StoredRow = ChainRow & { readonly payload: Payload | undefined; readonly replacement?: string };

/** The last record of a session, to which the next one is chained. */
export type Head = { readonly seq: number; readonly hash: string };

export function emptyHead(sessionId: string): Head {
  return { seq: 0, hash: hash("sha256", sessionId) };
}

/** Longer content is not joined with its salt, which would take a second copy of it. */
const joinedCharactersMax = 64 * 1024;

export function payloadDigest({ salt, content }: Payload): string {
  if (content.length <= joinedCharactersMax) return hash("sha256", salt + content);
  return createHash("sha256").update(salt).update(content).digest("hex");
}

/** SHA-256 of the previous hash and the canonical JSON of the record, spelled out because `data` is canonical already. */
export function rowHash(row: Omit<ChainRow, "hash" | "digest">): string {
  const type = JSON.stringify(row.type);
  return hash(
    "sha256",
    `${row.prev}{"data":${row.data},"seq":${row.seq},"time":${row.time},"type":${type},"version":${row.version}}`,
  );
}

/** Numbers, seals and chains facts after the head, in order. `times` are those of facts that happened elsewhere. */
export function chainFacts(
  head: Head,
  facts: readonly Fact[],
  source: { readonly time: number; readonly times?: readonly number[] | undefined; readonly randomBytes: RandomBytes },
): readonly StoredRow[] {
  let { seq, hash: prev } = head;
  return facts.map((fact, index) => {
    seq += 1;
    const { data, digest, payload } = sealFact(fact, source.randomBytes);
    const time = source.times?.[index] ?? source.time;
    const unhashed = { seq, time, type: fact.type, version: factVersion, data, prev };
    const row: StoredRow = { ...unhashed, digest, payload, hash: rowHash(unhashed) };
    prev = row.hash;
    return row;
  });
}

type Sealed = {
  readonly data: string;
  readonly digest: string | undefined;
  readonly payload: Payload | undefined;
};

/**
 * Moves the sealed fields into one payload and leaves empty values of the same kind behind, so that a fact whose
 * payload was removed later still has the shape its type promises.
 */
function sealFact(fact: Fact, randomBytes: RandomBytes): Sealed {
  const fields: Record<string, unknown> = fact;
  const sealedNames: readonly string[] = sealedFields[fact.type];
  const names = Object.keys(fields);
  let sealed: Record<string, unknown> | undefined;
  for (const name of sealedNames) {
    const value = fields[name];
    if (value === undefined || isEmpty(value)) continue;
    sealed ??= {};
    sealed[name] = value;
  }
  if (sealed === undefined) return { data: openText(names, fields), digest: undefined, payload: undefined };
  const salt = randomBytes(saltBytes);
  const payload = {
    salt: (Buffer.isBuffer(salt) ? salt : Buffer.from(salt)).toString("hex"),
    content: JSON.stringify(sealed),
  };
  const digest = payloadDigest(payload);
  names.push("digest");
  return { data: openText(names, fields, { sealed, digest }), digest, payload };
}

type SealedParts = { readonly sealed: Record<string, unknown>; readonly digest: string };

/**
 * The canonical JSON of a fact without its type, with empty values for what is sealed. Written out, because making an
 * object of it first and sorting that takes twice the time, for every fact.
 */
function openText(names: readonly string[], fields: Record<string, unknown>, parts?: SealedParts): string {
  let text = "{";
  for (const name of sortedKeys(names)) {
    if (name === "type") continue;
    const isSealed = parts !== undefined && name in parts.sealed;
    const value = isSealed ? emptyLike(fields[name]) : name === "digest" ? parts?.digest : fields[name];
    if (value === undefined) continue;
    const written = typeof value === "object" ? canonicalJson(value) : JSON.stringify(value);
    text += `${text === "{" ? "" : ","}"${name}":${written}`;
  }
  return `${text}}`;
}

function isEmpty(value: unknown): boolean {
  return (typeof value === "string" || Array.isArray(value)) && value.length === 0;
}

function emptyLike(value: unknown): "" | readonly [] | undefined {
  if (typeof value === "string") return "";
  return Array.isArray(value) ? [] : undefined;
}

/** The record as it was just chained; the caller's fact is not parsed a second time. */
export function recordOf(sessionId: string, row: Omit<ChainRow, "version" | "data">, fact: Fact): FactRecord {
  const { seq, time, digest, prev, hash } = row;
  return digest === undefined
    ? { sessionId, seq, time, fact, prev, hash }
    : { sessionId, seq, time, fact, digest, prev, hash };
}

/** Reads a stored row back; throws a SyntaxError when its text is not JSON. `open` is its chained text, parsed. */
export function recordFromRow(
  sessionId: string,
  row: StoredRow,
  open: Record<string, unknown> = JSON.parse(row.data),
): FactRecord {
  const content = row.digest === undefined ? undefined : (row.payload?.content ?? row.replacement);
  const record = recordOf(sessionId, row, factFromTexts(row.type, open, content));
  return row.digest !== undefined && row.payload === undefined ? { ...record, removed: true } : record;
}

/** The same from what a record with all its content is made of: the chained text and the sealed fields. */
export function recordFromTexts(
  sessionId: string,
  row: Omit<ChainRow, "version" | "digest">,
  content: string | undefined,
): FactRecord {
  const open: Record<string, unknown> = JSON.parse(row.data);
  const digest = typeof open["digest"] === "string" ? open["digest"] : undefined;
  const { seq, time, type, prev, hash } = row;
  return recordOf(sessionId, { seq, time, type, digest, prev, hash }, factFromTexts(type, open, content));
}

/**
 * The fact out of the fields of the chained text and the sealed ones. They are copied one by one, because a spread that
 * leaves one out takes twice the time, and a session is opened by doing this for all its records.
 */
export function factFromTexts(type: string, open: Record<string, unknown>, content: string | undefined): Fact {
  const fields: Record<string, unknown> = { type };
  for (const name in open) if (name !== "digest") fields[name] = open[name];
  if (content !== undefined) {
    const sealed: Record<string, unknown> = JSON.parse(content);
    for (const name in sealed) fields[name] = sealed[name];
  }
  // Rows are written by chainFacts alone, which took these fields from a Fact; verify tells when somebody else did.
  return fields as Fact;
}

/** The row as it is given to whoever checks the chain elsewhere. */
export function journalRow({ digest, payload, replacement, ...row }: StoredRow): JournalRow {
  const beside = payload ?? (replacement === undefined ? undefined : { content: replacement });
  return { ...row, ...(digest !== undefined && { digest }), ...(beside !== undefined && { payload: beside }) };
}
