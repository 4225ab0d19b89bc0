/** Writes the few forms of DER (X.690) that a certificate is made of. Reads nothing. */

const sequenceTag = 0x30;
const setTag = 0x31;

/** The bytes with the tag and the length before them. */
function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(sequenceTag, ...parts);
}

export function setOf(...parts: readonly Uint8Array[]): Buffer {
  return tagged(setTag, ...parts);
}

/** `[number]` around a whole value. */
export function explicit(number: number, ...parts: readonly Uint8Array[]): Buffer {
  return tagged(0xa0 | number, ...parts);
}

/** `[number]` in the place of the tag of a value without parts. */
export function implicit(number: number, content: Uint8Array): Buffer {
  return tagged(0x80 | number, content);
}

/** Positive, whatever its first bit is. */
export function integer(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const short = start === -1 ? Uint8Array.of(0) : bytes.subarray(start);
  return tagged(0x02, (short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short);
}

export function boolean(value: boolean): Buffer {
  return tagged(0x01, Uint8Array.of(value ? 0xff : 0));
}

export function octets(content: Uint8Array): Buffer {
  return tagged(0x04, content);
}

/** Whole bytes, but for the given number of bits at the end. */
export function bits(content: Uint8Array, unused = 0): Buffer {
  return tagged(0x03, Uint8Array.of(unused), content);
}

export function utf8(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text, "utf8"));
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** UTCTime until 2049 and GeneralizedTime after it, as RFC 5280 wants it. */
export function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, "");
  return Number(digits.slice(0, 4)) < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2), "ascii"))
    : tagged(0x18, Buffer.from(digits, "ascii"));
}

function base128(value: number): readonly number[] {
  const groups = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return groups;
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}
