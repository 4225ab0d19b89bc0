/** Server-sent events on bytes: finds where events end, however the bytes were cut, and reads the data of one. */
import { Buffer } from "node:buffer";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const colon = 0x3a;
const dataField = Buffer.from("data");
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;
const noBytes: Buffer = Buffer.alloc(0);
/** Not that of `Buffer`, which takes longer on its way there than the search in an event does. */
const findByte = Uint8Array.prototype.indexOf;

/** Longer than nearly every event: so much of a chunk is copied to complete the event that the chunk before began. */
const spanBytes = 4096;
/** Larger than any answer a vendor puts into one event. */
const eventBytesMax = 8 * 1024 * 1024;

export type EventSink = {
  /** May take the event that starts at `from` without decoding it: returns where it ends, or -1 to have it found. */
  readonly take: (bytes: Buffer, from: number) => number;
  /** One whole event, its closing blank line included; without returns its lines end with line feeds alone. */
  readonly event: (bytes: Buffer, hasReturns: boolean) => void;
  readonly tooLarge: () => void;
};

export type EventSplitter = {
  readonly push: (chunk: Buffer) => void;
  /** The bytes of an event that no blank line has closed yet. */
  readonly rest: () => Buffer;
};

export function createEventSplitter(sink: EventSink): EventSplitter {
  let rest = noBytes;
  let started = false;

  /** Where the event that starts at `from` ends once it has been handed on; -1 when its end has not arrived. */
  function pass(bytes: Buffer, from: number, hasReturns: boolean): number {
    const taken = sink.take(bytes, from);
    if (taken !== -1) return taken;
    const end = findEventEnd(bytes, from, hasReturns);
    if (end !== -1) sink.event(bytes.subarray(from, end), hasReturns);
    return end;
  }

  /** What is left to read once the event that the last chunk began is complete, without a copy of the whole chunk. */
  function afterBegun(chunk: Buffer): Buffer {
    if (rest.length === 0) return chunk;
    if (started && rest.length < spanBytes && chunk.length > spanBytes) {
      const span = Buffer.concat([rest, chunk.subarray(0, spanBytes)]);
      const end = pass(span, 0, span.includes(carriageReturn));
      if (end !== -1) return chunk.subarray(end - rest.length);
    }
    return Buffer.concat([rest, chunk]);
  }

  return {
    push(chunk) {
      let bytes = afterBegun(chunk);
      if (!started) {
        if (bytes.length < byteOrderMark.length) {
          rest = bytes;
          return;
        }
        started = true;
        if (startsWithMark(bytes)) bytes = bytes.subarray(byteOrderMark.length);
      }
      const hasReturns = bytes.includes(carriageReturn);
      let from = 0;
      while (from < bytes.length) {
        const end = pass(bytes, from, hasReturns);
        if (end === -1) break;
        from = end;
      }
      // Nearly every chunk ends with an event; a view of nothing costs as much as one of something.
      rest = from === bytes.length ? noBytes : bytes.subarray(from);
      if (rest.length > eventBytesMax) {
        rest = noBytes;
        sink.tooLarge();
      }
    },
    rest: () => rest,
  };
}

function startsWithMark(bytes: Buffer): boolean {
  return bytes[0] === byteOrderMark[0] && bytes[1] === byteOrderMark[1] && bytes[2] === byteOrderMark[2];
}

/** Where the blank line that closes the event ends, or -1 when it has not arrived. */
function findEventEnd(bytes: Buffer, from: number, hasReturns: boolean): number {
  for (let lineStart = from; ; ) {
    if (bytes[lineStart] === lineFeed) return lineStart + 1;
    const lineEnd = findLineEnd(bytes, lineStart, hasReturns);
    if (lineEnd === -1) return -1;
    const next = afterLineEnd(bytes, lineEnd);
    if (lineEnd === lineStart) return next;
    lineStart = next;
  }
}

/** A line ends with a line feed, a carriage return or both. Few streams have returns, so most need one search only. */
function findLineEnd(bytes: Buffer, from: number, hasReturns: boolean): number {
  const feed = findByte.call(bytes, lineFeed, from);
  if (!hasReturns) return feed;
  const carriage = findByte.call(bytes, carriageReturn, from);
  return carriage === -1 || (feed !== -1 && feed < carriage) ? feed : carriage;
}

/** A return that ends the bytes may have its line feed in the next ones, which then read as one more blank line. */
function afterLineEnd(bytes: Buffer, lineEnd: number): number {
  return bytes[lineEnd] === carriageReturn && bytes[lineEnd + 1] === lineFeed ? lineEnd + 2 : lineEnd + 1;
}

/** The event's `data` lines joined, or undefined when it has none (comments, other fields). */
export function eventData(event: Buffer, hasReturns = event.includes(carriageReturn)): string | undefined {
  const firstEnd = findByte.call(event, lineFeed);
  // Nearly every event is one line of data and the blank line that closes it.
  if (firstEnd === event.length - 2 && !hasReturns) return dataIn(event, 0, firstEnd);
  let data: string | undefined;
  for (let lineStart = 0; lineStart < event.length; ) {
    const found = findLineEnd(event, lineStart, hasReturns);
    const lineEnd = found === -1 ? event.length : found;
    const value = dataIn(event, lineStart, lineEnd);
    if (value !== undefined) data = data === undefined ? value : `${data}\n${value}`;
    lineStart = found === -1 ? event.length : afterLineEnd(event, lineEnd);
  }
  return data;
}

/** The value of a `data` field, which is empty where the colon is missing; undefined for every other line. */
function dataIn(event: Buffer, lineStart: number, lineEnd: number): string | undefined {
  const afterName = lineStart + dataField.length;
  if (afterName > lineEnd || !matchesField(event, lineStart)) return undefined;
  if (afterName === lineEnd) return "";
  if (event[afterName] !== colon) return undefined;
  return event.toString("utf8", event[afterName + 1] === space ? afterName + 2 : afterName + 1, lineEnd);
}

function matchesField(event: Buffer, lineStart: number): boolean {
  for (let index = 0; index < dataField.length; index++) {
    if (event[lineStart + index] !== dataField[index]) return false;
  }
  return true;
}
