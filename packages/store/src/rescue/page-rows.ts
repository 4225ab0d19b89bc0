/** Reads the rows that lie on single pages of an SQLite file, whatever became of the pages that lead to them. */
import type { PageImages } from "./page-images.ts";

/** `lost` stands for a column whose bytes are out of reach. */
export const lost = Symbol("lost");

export type Value = string | number | null | typeof lost;

export type PageRow = {
  /** Of a table with row ids, or of an index or a table without them. */
  readonly kind: "table" | "index";
  readonly values: readonly Value[];
};

/** What page and which of its cells, to read the row again later instead of keeping it. */
export type Place = { readonly page: number; readonly cell: number };

const fileHeaderBytes = 100;
/** Type of page, with the size of its header and what stands before a cell's payload. */
const pageKinds: ReadonlyMap<number, PageKind> = new Map([
  [0x0d, { kind: "table", headerBytes: 8, childBytes: 0 }],
  [0x0a, { kind: "index", headerBytes: 8, childBytes: 0 }],
  [0x02, { kind: "index", headerBytes: 12, childBytes: 4 }],
]);

type PageKind = { readonly kind: PageRow["kind"]; readonly headerBytes: number; readonly childBytes: number };

export function* rowsOfPage(images: PageImages, number: number): Generator<Place & PageRow> {
  const page = images.page(number);
  if (page === undefined) return;
  const cells = cellCount(page, number);
  for (let cell = 0; cell < cells; cell += 1) {
    const row = readRowAt(images, { page: number, cell });
    if (row !== undefined) yield { page: number, cell, ...row };
  }
}

/** Undefined when nothing at this place can be a row. */
export function readRowAt(images: PageImages, place: Place): PageRow | undefined {
  const page = images.page(place.page);
  if (page === undefined) return undefined;
  const start = startOf(place.page);
  const kind = pageKinds.get(page[start] ?? 0);
  if (kind === undefined) return undefined;
  const pointerAt = start + kind.headerBytes + place.cell * 2;
  if (pointerAt + 2 > page.length) return undefined;
  const cellAt = page.readUInt16BE(pointerAt) + kind.childBytes;
  if (cellAt < pointerAt || cellAt >= page.length) return undefined;
  const size = readVarint(page, cellAt);
  if (size === undefined) return undefined;
  const rowId = kind.kind === "table" ? readVarint(page, size.next) : size;
  if (rowId === undefined) return undefined;
  const values = readRecord(readPayload(images, page, { at: rowId.next, bytes: size.value, kind: kind.kind }));
  return values === undefined ? undefined : { kind: kind.kind, values };
}

function startOf(page: number): number {
  return page === 1 ? fileHeaderBytes : 0;
}

function cellCount(page: Buffer, number: number): number {
  const start = startOf(number);
  const kind = pageKinds.get(page[start] ?? 0);
  if (kind === undefined) return 0;
  // A damaged count must not make us look for ever: no page holds more pointers than fit.
  const most = Math.floor((page.length - start - kind.headerBytes) / 2);
  return Math.min(page.readUInt16BE(start + 3), most);
}

type Payload = { readonly at: number; readonly bytes: number; readonly kind: PageRow["kind"] };

/**
 * What lies on the page and, as far as they can be followed, on the pages it flows over to. A damaged size may promise
 * more than there is: the first columns may be whole all the same.
 */
function readPayload(images: PageImages, page: Buffer, { at, bytes, kind }: Payload): Buffer {
  const usable = images.usableBytes;
  const localMax = kind === "table" ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (bytes <= localMax) return page.subarray(at, at + bytes);
  const localMin = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = localMin + ((bytes - localMin) % (usable - 4));
  const local = fitting <= localMax ? fitting : localMin;
  if (at + local + 4 > page.length) return page.subarray(at);
  const pieces = [page.subarray(at, at + local)];
  let left = bytes - local;
  let next = page.readUInt32BE(at + local);
  // No row has more pieces than there are pages, so that a ring of them ends as well.
  while (left > 0 && pieces.length <= images.count) {
    const overflow = images.page(next);
    if (overflow === undefined) break;
    pieces.push(overflow.subarray(4, 4 + Math.min(left, usable - 4)));
    left -= usable - 4;
    next = overflow.readUInt32BE(0);
  }
  return Buffer.concat(pieces);
}

function readRecord(payload: Buffer): readonly Value[] | undefined {
  const header = readVarint(payload, 0);
  if (header === undefined || header.value > payload.length || header.value < 1) return undefined;
  const values: Value[] = [];
  let at = header.value;
  for (let position = header.next; position < header.value; ) {
    const type = readVarint(payload, position);
    const bytes = type === undefined ? undefined : bytesOfType(type.value);
    // Where a damaged column begins is known, but not where it ends: those before it may be whole.
    if (type === undefined || bytes === undefined) return [...values, lost];
    position = type.next;
    values.push(at + bytes <= payload.length ? readValue(payload, at, type.value) : lost);
    at += bytes;
  }
  return values;
}

function bytesOfType(type: number): number | undefined {
  if (type <= 4) return type;
  if (type <= 9) return [6, 8, 8, 0, 0][type - 5];
  if (type < 12) return undefined;
  return Math.floor((type - 12) / 2);
}

/** No column of ours holds bytes; where one seems to, it is read as text and fits nothing. */
function readValue(bytes: Buffer, at: number, type: number): Value {
  if (type === 0) return null;
  if (type <= 6) return type === 6 ? Number(bytes.readBigInt64BE(at)) : bytes.readIntBE(at, type === 5 ? 6 : type);
  if (type === 7) return bytes.readDoubleBE(at);
  if (type <= 9) return type - 8;
  return bytes.toString("utf8", at, at + Math.floor((type - 12) / 2));
}

const varintBytesMax = 9;

/** Undefined where it runs out of the buffer or is larger than any size can be. */
function readVarint(bytes: Buffer, at: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let index = 0; index < varintBytesMax; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return undefined;
    if (index === varintBytesMax - 1) value = value * 256 + byte;
    else value = value * 128 + (byte & 0x7f);
    if (index === varintBytesMax - 1 || byte < 0x80) {
      return Number.isSafeInteger(value) ? { value, next: at + index + 1 } : undefined;
    }
  }
  return undefined;
}
