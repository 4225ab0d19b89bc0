/** Reads tar archives, plain or in gzip: the headers of all entries, and the bytes of one. */
import { readSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import {
  type Archive,
  type ArchiveEntry,
  ArchiveProblem,
  entriesMax,
  isRootName,
  safeName,
  withinExpansion,
} from "./archive-entry.ts";

export type PackedFile = { readonly descriptor: number; readonly sizeBytes: number; readonly signal: AbortSignal };

/** Its place is counted in the unpacked bytes. */
type TarEntry = ArchiveEntry & { readonly offset: number };

const blockBytes = 512;
const chunkBytes = 256 * 1_024;
/** Of what describes an entry beside its header, such as a long name. */
const descriptionBytesMax = 1_024 * 1_024;
const checksumField = { start: 148, end: 156 };

export async function openTar(file: PackedFile & { readonly isGzip: boolean }): Promise<Archive<TarEntry>> {
  const entries: TarEntry[] = [];
  let unsafeCount = 0;
  for await (const entry of tarEntries(unpacked(file))) {
    if (isRootName(entry.name)) continue;
    const name = safeName(entry.name);
    if (name === undefined) unsafeCount += 1;
    else if (entries.push({ ...entry, name }) > entriesMax)
      throw new ArchiveProblem(`It has more than ${entriesMax} entries; list it with bash (tar -tf).`);
  }
  return {
    entries,
    unsafeCount,
    async load({ offset, sizeBytes }) {
      const reader = createByteReader(unpacked(file));
      try {
        await reader.skip(offset);
        return await reader.take(sizeBytes);
      } finally {
        await reader.close();
      }
    },
  };
}

function unpacked({
  descriptor,
  sizeBytes,
  isGzip,
  signal,
}: PackedFile & { readonly isGzip: boolean }): AsyncGenerator<Buffer> {
  const packed = chunksOf(descriptor);
  if (!isGzip) return withinExpansion(packed, sizeBytes, signal);
  // An error of either stream reaches whoever iterates over the last one.
  const stream = pipeline(Readable.from(packed), createGunzip(), () => undefined);
  return withinExpansion(stream, sizeBytes, signal);
}

/** Synchronous reads, so that none is under way when the descriptor is closed. */
async function* chunksOf(descriptor: number): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const length = readSync(descriptor, chunk, 0, chunkBytes, position);
    if (length === 0) return;
    position += length;
    yield chunk.subarray(0, length);
  }
}

/** Names are as written. */
async function* tarEntries(chunks: AsyncGenerator<Buffer>): AsyncGenerator<TarEntry> {
  const reader = createByteReader(chunks);
  /** What stands before a header and replaces a field of it. */
  let longName: string | undefined;
  let longSize: number | undefined;
  try {
    for (;;) {
      const header = await reader.take(blockBytes, { mayEnd: true });
      // Nothing at all, or a block of zeros, is the end.
      if (header.length === 0 || header.every((byte) => byte === 0)) return;
      if (!isHeader(header)) throw new ArchiveProblem("It is damaged, or no tar archive.");
      const type = String.fromCharCode(header[156] ?? 0);
      const sizeBytes = longSize ?? numberAt(header, 124, 12);
      const padding = (blockBytes - (sizeBytes % blockBytes)) % blockBytes;
      if (type === "L" || type === "x") {
        if (sizeBytes > descriptionBytesMax) throw new ArchiveProblem("It is damaged: a name in it has no end.");
        const description = await reader.take(sizeBytes);
        await reader.skip(padding);
        if (type === "L") longName = textAt(description, 0, sizeBytes);
        else {
          const records = paxRecords(description);
          longName = records.get("path") ?? longName;
          longSize = records.has("size") ? Number(records.get("size")) : undefined;
          if (longSize !== undefined && !Number.isSafeInteger(longSize)) throw new ArchiveProblem("It is damaged.");
        }
        continue;
      }
      // Global records and the long targets of links say nothing that is shown.
      if (type !== "g" && type !== "K") {
        yield { name: longName ?? nameOf(header), kind: kindOfType(type), sizeBytes, offset: reader.position() };
        longName = undefined;
      }
      longSize = undefined;
      await reader.skip(sizeBytes + padding);
    }
  } finally {
    await reader.close();
  }
}

function kindOfType(type: string): ArchiveEntry["kind"] {
  if (type === "0" || type === "\0" || type === "7") return "file";
  return type === "5" ? "directory" : "other";
}

function isHeader(header: Buffer): boolean {
  let sum = 0;
  for (const [index, byte] of header.entries())
    sum += index >= checksumField.start && index < checksumField.end ? 0x20 : byte;
  return sum === numberAt(header, checksumField.start, checksumField.end - checksumField.start);
}

function nameOf(header: Buffer): string {
  const name = textAt(header, 0, 100);
  const prefix = header.toString("latin1", 257, 263) === "ustar\0" ? textAt(header, 345, 155) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

function textAt(bytes: Buffer, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? field.length : end);
}

/** In octal digits, or in the bytes themselves when the first bit is set. */
function numberAt(header: Buffer, start: number, length: number): number {
  const isBinary = ((header[start] ?? 0) & 0x80) !== 0;
  const value = isBinary
    ? Number(header.readBigUInt64BE(start + length - 8))
    : Number.parseInt(textAt(header, start, length).trim() || "0", 8);
  if (!Number.isSafeInteger(value)) throw new ArchiveProblem("It is damaged, or no tar archive.");
  return value;
}

/** Each record is `LENGTH KEY=VALUE` and a line feed, and the length counts all of it in bytes. */
function paxRecords(bytes: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let start = 0; start < bytes.length; ) {
    const length = Number.parseInt(bytes.toString("latin1", start, start + 12), 10);
    if (!(length > 0)) break;
    const record = bytes.toString("utf8", start, start + length - 1);
    const equals = record.indexOf("=");
    records.set(record.slice(record.indexOf(" ") + 1, equals), record.slice(equals + 1));
    start += length;
  }
  return records;
}

function createByteReader(chunks: AsyncGenerator<Buffer>) {
  let chunk: Buffer = Buffer.alloc(0);
  let position = 0;

  const next = async (bytesMax: number): Promise<Buffer | undefined> => {
    while (chunk.length === 0) {
      const result = await chunks.next();
      if (result.done === true) return undefined;
      chunk = result.value;
    }
    const piece = chunk.subarray(0, bytesMax);
    chunk = chunk.subarray(piece.length);
    position += piece.length;
    return piece;
  };
  const cutOff = () => new ArchiveProblem("It ends in the middle of an entry.");

  return {
    position: () => position,
    async take(bytes: number, { mayEnd = false } = {}): Promise<Buffer> {
      const pieces: Buffer[] = [];
      for (let left = bytes; left > 0; ) {
        const piece = await next(left);
        if (piece === undefined) {
          if (mayEnd && pieces.length === 0) break;
          throw cutOff();
        }
        pieces.push(piece);
        left -= piece.length;
      }
      return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    },
    async skip(bytes: number): Promise<void> {
      for (let left = bytes; left > 0; ) {
        const piece = await next(left);
        if (piece === undefined) throw cutOff();
        left -= piece.length;
      }
    },
    close: async () => {
      await chunks.return(undefined);
    },
  };
}
