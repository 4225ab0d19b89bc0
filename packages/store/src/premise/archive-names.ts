/** Reads which files an archive holds, tar and zip alike, without unpacking one: bounded, and undefined for anything else. */
import { closeSync, createReadStream, lstatSync, openSync, readSync } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

export type ArchiveNames = { readonly names: readonly string[]; readonly isComplete: boolean };

export type ArchiveLimits = {
  readonly namesMax: number;
  /** Of what is read or unpacked on the way to the names. */
  readonly bytesMax: number;
};

export const archiveLimits: ArchiveLimits = { namesMax: 5_000, bytesMax: 64 * 1024 * 1024 };

const gzipStart = 0x8b1f;
const zipStart = 0x04034b50;
const block = 512;

/** Throws as the file system does when the file cannot be read. */
export async function readArchiveNames(
  path: string,
  limits: ArchiveLimits = archiveLimits,
): Promise<ArchiveNames | undefined> {
  // A pipe or a device would never end.
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const start = bytesAt(path, 0, block);
  if (start.length >= 4 && start.readUInt32LE(0) === zipStart) return zipNames(path, limits);
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const isPacked = start.length >= 2 && start.readUInt16LE(0) === gzipStart;
  try {
    return await tarNames(isPacked ? unpacked(file) : file, limits);
  } catch (error) {
    // Packed data that is damaged: what it holds is unknown.
    if (isPacked && error instanceof Error && "code" in error) return undefined;
    throw error;
  } finally {
    file.destroy();
  }
}

/** Whatever happens to the file happens to what is read of it. */
function unpacked(file: Readable): Readable {
  const plain = createGunzip();
  file.on("error", (error) => plain.destroy(error));
  return file.pipe(plain);
}

function bytesAt(path: string, position: number, length: number): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
  } finally {
    closeSync(descriptor);
  }
}

async function tarNames(stream: Readable, limits: ArchiveLimits): Promise<ArchiveNames | undefined> {
  const names: string[] = [];
  let pending: Buffer = Buffer.alloc(0);
  let skipped = 0;
  let seen = 0;
  let longName: string | undefined;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    seen += piece.length;
    pending = pending.length === 0 ? piece : Buffer.concat([pending, piece]);
    while (pending.length > 0) {
      if (skipped > 0) {
        const step = Math.min(skipped, pending.length);
        pending = pending.subarray(step);
        skipped -= step;
        continue;
      }
      if (pending.length < block) break;
      const header = readTarHeader(pending);
      if (header === "end") return { names, isComplete: true };
      if (header === undefined) return undefined;
      const length = Math.ceil(header.size / block) * block;
      const isName = header.type === "L" || header.type === "x";
      // A name of more than that is no name.
      if (isName && length > 64 * 1024) return undefined;
      if (isName && pending.length < block + length) break;
      if (isName) longName = longNameIn(header.type, pending.subarray(block, block + header.size)) ?? longName;
      else if (header.type !== "g") {
        if (header.type !== "5") names.push(longName ?? header.name);
        longName = undefined;
      }
      pending = pending.subarray(block);
      skipped = length;
      if (names.length >= limits.namesMax) return { names, isComplete: false };
    }
    if (seen > limits.bytesMax) return { names, isComplete: false };
  }
  return names.length === 0 ? undefined : { names, isComplete: pending.length === 0 && skipped === 0 };
}

type TarHeader = { readonly name: string; readonly size: number; readonly type: string };

/** Undefined for what is no header, which its checksum tells. */
function readTarHeader(bytes: Buffer): TarHeader | "end" | undefined {
  const header = bytes.subarray(0, block);
  if (header.every((byte) => byte === 0)) return "end";
  let sum = 8 * 32;
  for (const [place, byte] of header.entries()) if (place < 148 || place >= 156) sum += byte;
  if (Number.parseInt(textIn(header, 148, 8), 8) !== sum) return undefined;
  const prefix = textIn(header, 257, 5) === "ustar" ? textIn(header, 345, 155) : "";
  const name = textIn(header, 0, 100);
  const size = Number.parseInt(textIn(header, 124, 12), 8) || 0;
  return { name: prefix === "" ? name : `${prefix}/${name}`, size, type: textIn(header, 156, 1) || "0" };
}

function textIn(bytes: Buffer, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString("utf8");
}

/** GNU gives the name alone, POSIX in a record `length path=name`. */
function longNameIn(type: string, bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8").replace(/\0+$/, "");
  return type === "L" ? text : /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1];
}

const directoryEnd = 0x06054b50;
const directoryEntry = 0x02014b50;
const endBytes = 22;
const commentBytesMax = 0xffff;

function zipNames(path: string, { namesMax, bytesMax }: ArchiveLimits): ArchiveNames | undefined {
  const size = lstatSync(path).size;
  const tailStart = Math.max(0, size - endBytes - commentBytesMax);
  const tail = bytesAt(path, tailStart, size - tailStart);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end === -1 || tail.length < end + endBytes || tail.readUInt32LE(end) !== directoryEnd) return undefined;
  const length = tail.readUInt32LE(end + 12);
  if (length > bytesMax) return undefined;
  const directory = bytesAt(path, tail.readUInt32LE(end + 16), length);
  const names: string[] = [];
  for (let place = 0; place + 46 <= directory.length; ) {
    if (directory.readUInt32LE(place) !== directoryEntry) return undefined;
    if (names.length >= namesMax) return { names, isComplete: false };
    const nameLength = directory.readUInt16LE(place + 28);
    const name = directory.subarray(place + 46, place + 46 + nameLength).toString("utf8");
    if (!name.endsWith("/")) names.push(name);
    place += 46 + nameLength + directory.readUInt16LE(place + 30) + directory.readUInt16LE(place + 32);
  }
  return { names, isComplete: true };
}
