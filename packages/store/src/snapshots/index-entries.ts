/** Reads a git index and writes another from some of its entries, so that a new index inherits what git knows of files. */
import { hash } from "node:crypto";

/** One file of the index that is neither special nor in conflict. */
export type IndexEntry = {
  readonly path: Buffer;
  readonly object: string;
  /** Of the file in the work tree when git last looked; zero also for a file that git must look at again. */
  readonly sizeBytes: number;
  /** Stat data, mode, object and flags exactly as they stood. */
  readonly head: Buffer;
};

const headerBytes = 12;
const hashBytes = 20;
const sizeOffset = 36;
const modeOffset = 24;
const objectOffset = 40;
const flagsOffset = 60;
const headBytes = 62;
const extendedFlag = 0x4000;
const assumeValidFlag = 0x8000;
const stageMask = 0x3000;
const pathLengthMask = 0xfff;
const regularFile = 0o100000;
const link = 0o120000;
const typeMask = 0o170000;

/**
 * The plain files of an index, in its order. Left out is all that says something else than "this is the file on disk":
 * conflicts, intended additions, files outside a sparse checkout, files assumed unchanged, submodules.
 * `undefined` for an index that keeps its entries elsewhere, or that cannot be read.
 */
export function readIndex(content: Buffer): readonly IndexEntry[] | undefined {
  if (content.length < headerBytes + hashBytes || content.toString("latin1", 0, 4) !== "DIRC") return undefined;
  if (!hasValidChecksum(content)) return undefined;
  const version = content.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const count = content.readUInt32BE(8);
  const end = content.length - hashBytes;
  const entries: IndexEntry[] = [];
  let position = headerBytes;
  let previous: Buffer = Buffer.alloc(0);
  for (let number = 0; number < count; number += 1) {
    if (position + headBytes > end) return undefined;
    const head = content.subarray(position, position + headBytes);
    const flags = head.readUInt16BE(flagsOffset);
    const pathStart = position + headBytes + (flags & extendedFlag ? 2 : 0);
    const read =
      version === 4 ? readCompressedPath(content, pathStart, previous) : readPaddedPath(content, pathStart, position);
    if (read === undefined || read.next > end) return undefined;
    previous = read.path;
    position = read.next;
    if (isPlain(head, flags)) {
      const object = head.toString("hex", objectOffset, flagsOffset);
      entries.push({ path: read.path, object, sizeBytes: head.readUInt32BE(sizeOffset), head });
    }
  }
  return keepsEntriesElsewhere(content, position, end) ? undefined : entries;
}

/** The extended flags say nothing that a plain file has, so the oldest version holds every entry. */
export function writeIndex(entries: readonly IndexEntry[]): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write("DIRC", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(entries.length, 8);
  const parts: Buffer[] = [header];
  for (const { head, path } of entries) {
    const length = paddedLength(headBytes + path.length);
    const entry = Buffer.alloc(length);
    head.copy(entry);
    entry.writeUInt16BE(Math.min(path.length, pathLengthMask), flagsOffset);
    path.copy(entry, headBytes);
    parts.push(entry);
  }
  const content = Buffer.concat(parts);
  return Buffer.concat([content, hash("sha1", content, "buffer")]);
}

function isPlain(head: Buffer, flags: number): boolean {
  if ((flags & (extendedFlag | assumeValidFlag | stageMask)) !== 0) return false;
  const type = head.readUInt32BE(modeOffset) & typeMask;
  return type === regularFile || type === link;
}

/** All zeros when the user asked git to save the time. */
function hasValidChecksum(content: Buffer): boolean {
  const stored = content.subarray(-hashBytes);
  return stored.every((byte) => byte === 0) || hash("sha1", content.subarray(0, -hashBytes), "buffer").equals(stored);
}

type ReadPath = { readonly path: Buffer; readonly next: number } | undefined;

function readPaddedPath(content: Buffer, start: number, entryStart: number): ReadPath {
  const end = content.indexOf(0, start);
  if (end === -1) return undefined;
  return { path: content.subarray(start, end), next: entryStart + paddedLength(end - entryStart) };
}

/** Entries end with one to eight NULs, at a multiple of eight. */
function paddedLength(length: number): number {
  return (length + 8) & ~7;
}

/** A number says how much of the end of the previous path to drop; the rest follows. */
function readCompressedPath(content: Buffer, start: number, previous: Buffer): ReadPath {
  let position = start;
  let byte = content[position++] ?? 0;
  let dropped = byte & 0x7f;
  while (byte & 0x80) {
    byte = content[position++] ?? 0;
    dropped = ((dropped + 1) << 7) | (byte & 0x7f);
  }
  const end = content.indexOf(0, position);
  if (end === -1 || dropped > previous.length) return undefined;
  const kept = previous.subarray(0, previous.length - dropped);
  return { path: Buffer.concat([kept, content.subarray(position, end)]), next: end + 1 };
}

/** An extension of the name `link` says that most entries lie in another file. */
function keepsEntriesElsewhere(content: Buffer, start: number, end: number): boolean {
  for (let position = start; position + 8 <= end; position += 8 + content.readUInt32BE(position + 4)) {
    if (content.toString("latin1", position, position + 4) === "link") return true;
  }
  return false;
}
