/**
 * Finds the delta of a Responses event without parsing its JSON. Events of one item differ in the delta, in their
 * running number and in padding that hides the delta's length; all other bytes, once seen, form the template.
 */
import { Buffer } from "node:buffer";
import { matchesAt } from "../wire/delta-template.ts";

const quote = 0x22;
const backslash = 0x5c;
const firstPrintable = 0x20;
const digitZero = 0x30;
const digitNine = 0x39;

/** Events with more than this are rare, so learning from them gains nothing. */
const learnableBytesMax = 64 * 1024;

type Hole = "number" | "padding";

/** Fixed bytes, then any number of holes with the fixed bytes after each. */
type Passage = { readonly first: Buffer; readonly rest: readonly { readonly hole: Hole; readonly fixed: Buffer }[] };

/** `before` ends with the quote that opens the delta, `after` begins with the one that closes it. */
export type ResponsesDeltaTemplate = { readonly before: Passage; readonly after: Passage };

/** Where the delta of the event at `from` starts; -1 when what precedes it does not fit the template. */
export function deltaStart(template: ResponsesDeltaTemplate, bytes: Buffer, from: number): number {
  return passageEnd(template.before, bytes, from);
}

/** Where the event ends whose delta starts at `start`; -1 when it does not fit the template or is not all there. */
export function eventEnd(template: ResponsesDeltaTemplate, bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) return passageEnd(template.after, bytes, at);
    if (byte === backslash) at++;
  }
  return -1;
}

function passageEnd(passage: Passage, bytes: Buffer, from: number): number {
  let at = fixedEnd(passage.first, bytes, from);
  for (const { hole, fixed } of passage.rest) {
    if (at === -1) return -1;
    const holeEnd = hole === "number" ? numberEnd(bytes, at) : paddingEnd(bytes, at);
    at = holeEnd === -1 ? -1 : fixedEnd(fixed, bytes, holeEnd);
  }
  return at;
}

function fixedEnd(fixed: Buffer, bytes: Buffer, from: number): number {
  return from + fixed.length <= bytes.length && matchesAt(bytes, from, fixed) ? from + fixed.length : -1;
}

function numberEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== undefined && byte >= digitZero && byte <= digitNine; byte = bytes[at]) at++;
  return at === from ? -1 : at;
}

/** Padding with an escape is left to the parser. */
function paddingEnd(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) return at;
    if (byte === backslash || byte < firstPrintable) return -1;
  }
  return -1;
}

/** Inside a JSON string quotes are escaped, so these names with their quotes and colon can only be keys. */
const variableMembers = /"(sequence_number|delta|obfuscation)":\s*(?:(\d+)|"((?:[^"\\]|\\.)*)")/g;

type VariableMember = { readonly name: string; readonly hole: Hole; readonly start: number; readonly end: number };

/**
 * The template of which `event` is an instance, or undefined when its variable members do not stand in it once each.
 * `reads` must say whether a similar event with another number and other padding gives just the delta `value`.
 */
export function learnResponsesTemplate(
  event: Buffer,
  reads: (event: Buffer, value: string) => boolean,
): ResponsesDeltaTemplate | undefined {
  if (event.length > learnableBytesMax) return undefined;
  const members = findVariableMembers(event);
  const deltaAt = members.findIndex(({ name }) => name === "delta");
  const delta = members[deltaAt];
  if (delta === undefined || new Set(members.map(({ name }) => name)).size < members.length) return undefined;
  const template = {
    before: passageOf(event.subarray(0, delta.start), 0, members.slice(0, deltaAt)),
    after: passageOf(event, delta.end, members.slice(deltaAt + 1)),
  };
  return reads(instanceOf(template, "probe."), "probe.") ? template : undefined;
}

function findVariableMembers(event: Buffer): readonly VariableMember[] {
  // One character per byte, so that places in the text are places in the bytes.
  return [...event.toString("latin1").matchAll(variableMembers)].map((match) => {
    const [whole, name = "", digits, string = ""] = match;
    const matchEnd = match.index + whole.length;
    if (digits !== undefined) return { name, hole: "number", start: matchEnd - digits.length, end: matchEnd };
    return { name, hole: "padding", start: matchEnd - 1 - string.length, end: matchEnd - 1 };
  });
}

/** Copies, because the event's bytes belong to a network chunk. */
function passageOf(bytes: Buffer, from: number, holes: readonly VariableMember[]): Passage {
  return {
    first: Buffer.from(bytes.subarray(from, holes[0]?.start)),
    rest: holes.map(({ hole, end }, index) => ({
      hole,
      fixed: Buffer.from(bytes.subarray(end, holes[index + 1]?.start)),
    })),
  };
}

function instanceOf({ before, after }: ResponsesDeltaTemplate, delta: string): Buffer {
  const written = (passage: Passage) => [
    passage.first,
    ...passage.rest.flatMap(({ hole, fixed }) => [Buffer.from(hole === "number" ? "1" : "pad"), fixed]),
  ];
  return Buffer.concat([...written(before), Buffer.from(delta), ...written(after)]);
}
