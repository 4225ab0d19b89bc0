/** Reads zip archives: the entries of the directory at their end, and the bytes of one. */
import { readSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { sizeInWords } from "../in-words.ts";
import {
  type Archive,
  type ArchiveEntry,
  ArchiveProblem,
  entriesMax,
  isRootName,
  memberBytesMax,
  safeName,
  withinExpansion,
} from "./archive-entry.ts";
import type { PackedFile } from "./tar-entries.ts";

type ZipEntry = ArchiveEntry & {
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  /** Where it was packed on Unix. */
  readonly isExecutable: boolean;
  readonly packedBytes: number;
  /** Of the local header before its bytes. */
  readonly offset: number;
};

const endSignature = 0x06054b50;
const endBytes = 22;
const commentBytesMax = 0xffff;
const entrySignature = 0x02014b50;
const entryBytes = 46;
const localSignature = 0x04034b50;
const localBytes = 30;
/** The greatest value of a field means that the true one stands in a 64-bit record. */
const wide16 = 0xffff;
const wide32 = 0xffffffff;
const encryptedFlag = 1;
const stored = 0;
const deflated = 8;
const unixLink = 0xa;

export function openZip(file: PackedFile): Archive<ZipEntry> {
  const entries: ZipEntry[] = [];
  let unsafeCount = 0;
  for (const entry of zipEntries(file)) {
    if (isRootName(entry.name)) continue;
    const name = safeName(entry.name);
    if (name === undefined) unsafeCount += 1;
    else if (entries.push({ ...entry, name }) > entriesMax)
      throw new ArchiveProblem(`It has more than ${entriesMax} entries; list it with bash (unzip -l).`);
  }
  return { entries, unsafeCount, load: (entry) => loadMember(file, entry) };
}

/** Names are as written. */
function* zipEntries(file: PackedFile): Generator<ZipEntry> {
  const directory = readDirectory(file);
  for (let start = 0; start < directory.length; ) {
    if (directory.length - start < entryBytes || directory.readUInt32LE(start) !== entrySignature)
      throw new ArchiveProblem("It is damaged: its list of entries is truncated.");
    const nameEnd = start + entryBytes + directory.readUInt16LE(start + 28);
    const name = directory.toString("utf8", start + entryBytes, nameEnd);
    yield {
      name,
      kind: kindOf(name, directory.readUInt32LE(start + 38)),
      flags: directory.readUInt16LE(start + 8),
      method: directory.readUInt16LE(start + 10),
      checksum: directory.readUInt32LE(start + 16),
      isExecutable: ((directory.readUInt32LE(start + 38) >>> 16) & 0o111) !== 0,
      packedBytes: directory.readUInt32LE(start + 20),
      sizeBytes: directory.readUInt32LE(start + 24),
      offset: directory.readUInt32LE(start + 42),
    };
    start = nameEnd + directory.readUInt16LE(start + 30) + directory.readUInt16LE(start + 32);
  }
}

/** Unix keeps the kind of a file in the upper half of its attributes; what was packed from a pipe is a file too. */
function kindOf(name: string, attributes: number): ArchiveEntry["kind"] {
  if (name.endsWith("/")) return "directory";
  return attributes >>> 28 === unixLink ? "other" : "file";
}

function readDirectory(file: PackedFile): Buffer {
  const tail = readAt(file, Math.max(0, file.sizeBytes - endBytes - commentBytesMax), endBytes + commentBytesMax);
  for (let at = tail.length - endBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endSignature) continue;
    const count = tail.readUInt16LE(at + 10);
    const sizeBytes = tail.readUInt32LE(at + 12);
    const offset = tail.readUInt32LE(at + 16);
    if (count === wide16 || sizeBytes === wide32 || offset === wide32)
      throw new ArchiveProblem("It is a 64-bit zip archive; look inside with bash (unzip).");
    if (offset + sizeBytes > file.sizeBytes) throw new ArchiveProblem("It is damaged: its list of entries is missing.");
    return readAt(file, offset, sizeBytes);
  }
  throw new ArchiveProblem("It is damaged: its list of entries is missing.");
}

async function loadMember(file: PackedFile, entry: ZipEntry): Promise<Buffer> {
  const { flags, method, packedBytes, sizeBytes, checksum } = entry;
  if ((flags & encryptedFlag) !== 0) throw new ArchiveProblem(`${entry.name} is encrypted.`);
  if (method !== stored && method !== deflated)
    throw new ArchiveProblem(`${entry.name} is packed in a way that only unzip knows; extract it with bash.`);
  const local = readAt(file, entry.offset, localBytes);
  if (local.length < localBytes || local.readUInt32LE(0) !== localSignature)
    throw new ArchiveProblem(`${entry.name} is damaged.`);
  const start = entry.offset + localBytes + local.readUInt16LE(26) + local.readUInt16LE(28);
  const packed = readAt(file, start, packedBytes);
  const bytes = method === stored ? packed : await inflate(packed, file.signal);
  if (bytes.length !== sizeBytes || crc32(bytes) !== checksum) throw new ArchiveProblem(`${entry.name} is damaged.`);
  return bytes;
}

/** What the entry says of its size may be a lie, so what comes out is counted. */
async function inflate(packed: Buffer, signal: AbortSignal): Promise<Buffer> {
  const stream = pipeline(Readable.from([packed]), createInflateRaw(), () => undefined);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of withinExpansion(stream, packed.length, signal)) {
    bytes += chunk.length;
    if (bytes > memberBytesMax)
      throw new ArchiveProblem(`The entry is larger than ${sizeInWords(memberBytesMax)}; extract it with bash.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** Shorter at the end of the file. */
function readAt({ descriptor, sizeBytes }: PackedFile, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, sizeBytes - position)));
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
