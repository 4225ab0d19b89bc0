/** Server-sent events on bytes: finds where events end, however the bytes were cut, and reads the data of one. */
import { Buffer } from "node:buffer";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const dataField = Buffer.from("data:");
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;
const noBytes: Buffer = Buffer.alloc(0);

/** Larger than any answer a vendor puts into one event. */
const eventBytesMax = 8 * 1024 * 1024;

export type EventSink = {
  /** May take the event that starts at `from` without decoding it: returns where it ends, or -1 to have it found. */
  readonly take: (bytes: Buffer, from: number) => number;
  /** One whole event, its closing blank line included. */
  readonly event: (bytes: Buffer) => void;
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
  return {
    push(chunk) {
      let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!started) {
        if (bytes.length < byteOrderMark.length) {
          rest = bytes;
          return;
        }
        started = true;
        if (startsWithMark(bytes)) bytes = bytes.subarray(byteOrderMark.length);
      }
      let from = 0;
      while (from < bytes.length) {
        const taken = sink.take(bytes, from);
        const end = taken === -1 ? findEventEnd(bytes, from) : taken;
        if (end === -1) break;
        if (taken === -1) sink.event(bytes.subarray(from, end));
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
function findEventEnd(bytes: Buffer, from: number): number {
  for (let lineStart = from; ; ) {
    const lineEnd = bytes.indexOf(lineFeed, lineStart);
    if (lineEnd === -1) return -1;
    const blank = lineEnd === lineStart || (lineEnd === lineStart + 1 && bytes[lineStart] === carriageReturn);
    if (blank) return lineEnd + 1;
    lineStart = lineEnd + 1;
  }
}

/** The event's `data` lines joined, or undefined when it has none (comments, other fields). */
export function eventData(event: Buffer): string | undefined {
  const firstEnd = event.indexOf(lineFeed);
  // Nearly every event is one line of data and the blank line that closes it.
  if (firstEnd === event.length - 2 && isDataLine(event, 0)) return dataIn(event, 0, firstEnd);
  let data: string | undefined;
  for (let lineStart = 0; lineStart < event.length; ) {
    const lineFeedAt = event.indexOf(lineFeed, lineStart);
    const next = lineFeedAt === -1 ? event.length : lineFeedAt + 1;
    if (isDataLine(event, lineStart)) {
      const value = dataIn(event, lineStart, lineFeedAt === -1 ? event.length : lineFeedAt);
      data = data === undefined ? value : `${data}\n${value}`;
    }
    lineStart = next;
  }
  return data;
}

function isDataLine(event: Buffer, lineStart: number): boolean {
  for (let index = 0; index < dataField.length; index++) {
    if (event[lineStart + index] !== dataField[index]) return false;
  }
  return true;
}

function dataIn(event: Buffer, lineStart: number, lineFeedAt: number): string {
  const afterField = lineStart + dataField.length;
  const valueStart = event[afterField] === space ? afterField + 1 : afterField;
  return event.toString("utf8", valueStart, event[lineFeedAt - 1] === carriageReturn ? lineFeedAt - 1 : lineFeedAt);
}
