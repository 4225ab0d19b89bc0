/** The pages of an SQLite file as its write-ahead log leaves them, read without SQLite, so that damage elsewhere does not matter. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";

export type PageImages = {
  /** Pages are numbered from 1. */
  readonly count: number;
  readonly usableBytes: number;
  /** Undefined for a page that the file does not hold whole. */
  page(number: number): Buffer | undefined;
  close(): void;
};

const fileMagic = "SQLite format 3\0";
const pageBytesUsual = 4096;
const pageBytesMin = 512;
const pageBytesMax = 65_536;
const logHeaderBytes = 32;
const frameHeaderBytes = 24;
/** The part of a frame's header that its checksum covers. */
const frameSummedBytes = 8;
const logMagicLittle = 0x377f0682;
const logMagicBig = 0x377f0683;

export function openPageImages(path: string): PageImages {
  const file = openSync(path, "r");
  try {
    const log = readLog(`${path}-wal`);
    const header = readAt(file, 0, 100);
    const pageBytes = pageBytesOf(header) ?? log?.pageBytes ?? pageBytesUsual;
    const frames = log?.pageBytes === pageBytes ? log.frames : new Map<number, Buffer>();
    const isWhole = header.toString("latin1", 0, fileMagic.length) === fileMagic;
    const reservedBytes = isWhole ? (header[20] ?? 0) : 0;
    const pagesInFile = Math.floor(fstatSync(file).size / pageBytes);
    return {
      count: [...frames.keys()].reduce((most, number) => Math.max(most, number), pagesInFile),
      usableBytes: pageBytes - reservedBytes,
      page(number) {
        const frame = frames.get(number);
        if (frame !== undefined) return frame;
        if (number < 1 || number > pagesInFile) return undefined;
        return readAt(file, (number - 1) * pageBytes, pageBytes);
      },
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function readAt(file: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  readSync(file, buffer, 0, bytes, position);
  return buffer;
}

/** Undefined when the header does not say, or says what no database can have. */
function pageBytesOf(header: Buffer): number | undefined {
  if (header.toString("latin1", 0, fileMagic.length) !== fileMagic) return undefined;
  const stated = header.readUInt16BE(16);
  return checkedPageBytes(stated === 1 ? pageBytesMax : stated);
}

function checkedPageBytes(stated: number): number | undefined {
  const isPower = stated >= pageBytesMin && stated <= pageBytesMax && (stated & (stated - 1)) === 0;
  return isPower ? stated : undefined;
}

type Log = { readonly pageBytes: number; readonly frames: ReadonlyMap<number, Buffer> };

/** The newest image of every page up to the last whole commit; what follows a frame with a wrong checksum never counted. */
function readLog(path: string): Log | undefined {
  const bytes = readIfThere(path);
  if (bytes === undefined || bytes.length < logHeaderBytes) return undefined;
  const magic = bytes.readUInt32BE(0);
  if (magic !== logMagicLittle && magic !== logMagicBig) return undefined;
  const pageBytes = checkedPageBytes(bytes.readUInt32BE(8));
  if (pageBytes === undefined) return undefined;
  const add = createChecksum({ bigEndian: magic === logMagicBig });
  if (!isSum(add(bytes.subarray(0, 24)), bytes, 24)) return undefined;
  const salts = bytes.subarray(16, 24);
  const frames = new Map<number, Buffer>();
  let uncommitted = new Map<number, Buffer>();
  const step = frameHeaderBytes + pageBytes;
  for (let at = logHeaderBytes; at + step <= bytes.length; at += step) {
    if (!bytes.subarray(at + 8, at + 16).equals(salts)) break;
    const page = bytes.subarray(at + frameHeaderBytes, at + step);
    add(bytes.subarray(at, at + frameSummedBytes));
    if (!isSum(add(page), bytes, at + 16)) break;
    uncommitted.set(bytes.readUInt32BE(at), page);
    const isCommit = bytes.readUInt32BE(at + 4) > 0;
    if (!isCommit) continue;
    for (const [number, image] of uncommitted) frames.set(number, image);
    uncommitted = new Map();
  }
  return { pageBytes, frames };
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

type Sum = readonly [number, number];

/** SQLite's running sum over pairs of 32-bit words. */
function createChecksum({ bigEndian }: { readonly bigEndian: boolean }): (bytes: Buffer) => Sum {
  let first = 0;
  let second = 0;
  return (bytes) => {
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      first = (first + (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + second) >>> 0;
      second = (second + (bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + first) >>> 0;
    }
    return [first, second];
  };
}

function isSum([first, second]: Sum, bytes: Buffer, at: number): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}
