/**
 * Reads a delta without parsing its JSON. Events of one stream differ only in one string; the bytes around it, once
 * seen, form a template, and an event that repeats them exactly holds nothing but a new value of that string.
 */
import { Buffer } from "node:buffer";

const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;

export type DeltaTemplate = { readonly prefix: Buffer; readonly suffix: Buffer };

/** Text gathered as bytes from many events, decoded once. */
export type DeltaText = {
  /**
   * Adds the text of the event at `from` and returns where the event ends. Returns -1 and adds nothing when the event
   * does not fit the template, is not all there, or has an escape that only a JSON parser should read.
   */
  readonly take: (template: DeltaTemplate, bytes: Buffer, from: number) => number;
  readonly drain: () => string;
};

const initialTextBytes = 16 * 1024;
const noBytes: Buffer<ArrayBuffer> = Buffer.alloc(0);

export function createDeltaText(): DeltaText {
  // Most answers are too short for a template, so room is made with the first text.
  let text = noBytes;
  let length = 0;
  return {
    take(template, bytes, from) {
      const { prefix, suffix } = template;
      if (from + prefix.length + suffix.length > bytes.length || !matchesAt(bytes, from, prefix)) return -1;
      if (length + bytes.length > text.length) text = enlarge(text, length, bytes.length);
      let at = from + prefix.length;
      let written = length;
      for (; ; at++) {
        if (at >= bytes.length) return -1;
        let byte = bytes[at] ?? 0;
        if (byte === quote) break;
        if (byte < firstPrintable) return -1;
        if (byte === backslash) {
          at++;
          byte = unescaped(bytes[at] ?? 0);
          if (byte === 0) return -1;
        }
        text[written++] = byte;
      }
      if (at + suffix.length > bytes.length || !matchesAt(bytes, at, suffix)) return -1;
      length = written;
      return at + suffix.length;
    },
    drain() {
      if (length === 0) return "";
      const drained = text.toString("utf8", 0, length);
      length = 0;
      return drained;
    },
  };
}

function enlarge(text: Buffer, length: number, more: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.max(initialTextBytes, length + more, text.length * 2));
  text.copy(larger, 0, 0, length);
  return larger;
}

/**
 * The template of which `event` is an instance with the string `value`, or undefined when the value does not stand in
 * it exactly once. `reads` must say whether a similar event would be understood the same way, save for its value.
 */
export function learnTemplate(
  event: Buffer,
  value: string,
  reads: (event: Buffer, value: string) => boolean,
): DeltaTemplate | undefined {
  const encoded = Buffer.from(JSON.stringify(value));
  const at = event.indexOf(encoded);
  if (at === -1 || at !== event.lastIndexOf(encoded)) return undefined;
  const template = {
    prefix: Buffer.from(event.subarray(0, at + 1)),
    suffix: Buffer.from(event.subarray(at + encoded.length - 1)),
  };
  const probe = `${value}${value}.`;
  const probeBytes = Buffer.from(JSON.stringify(probe).slice(1, -1));
  return reads(Buffer.concat([template.prefix, probeBytes, template.suffix]), probe) ? template : undefined;
}

export function matchesAt(bytes: Buffer, at: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (bytes[at + index] !== expected[index]) return false;
  }
  return true;
}

/** The byte an escape of one letter stands for; 0 for escapes of several bytes, which are left to the parser. */
function unescaped(letter: number): number {
  switch (letter) {
    case 0x6e: // n
      return 0x0a;
    case 0x74: // t
      return 0x09;
    case 0x72: // r
      return 0x0d;
    case 0x62: // b
      return 0x08;
    case 0x66: // f
      return 0x0c;
    case quote:
    case backslash:
    case 0x2f: // slash
      return letter;
    default:
      return 0;
  }
}
