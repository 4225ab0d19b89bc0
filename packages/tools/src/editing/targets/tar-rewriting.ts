/** Puts one member into an unpacked tar archive and leaves the bytes of all others as they are. */
import { ArchiveProblem } from "../../reading/archive/archive-entry.ts";
import type { NewMember } from "./new-member.ts";

/** A member with the descriptions before its header. */
type Span = { readonly start: number; readonly end: number; readonly header: Buffer };

type Layout = { readonly replaced: Span | undefined; readonly endOfMembers: number };

const blockBytes = 512;
/** Programs read and write this many bytes at once, and end an archive at a multiple of it. */
const recordBytes = 20 * blockBytes;
const endingBytes = 2 * blockBytes;
const nameBytesMax = 100;
const prefixBytesMax = 155;
const sizeField = { start: 124, length: 12 };
/** Long names, long targets of links, and records for one member. */
const descriptionTypes = "LKx";

/** Without an archive a new one is made. */
export function rewriteTar(archive: Buffer | undefined, member: NewMember): readonly Buffer[] {
  const bytes = archive ?? Buffer.alloc(0);
  const { replaced, endOfMembers } = layoutOf(bytes, member.replaces?.offset);
  if (member.replaces !== undefined && replaced === undefined)
    throw new ArchiveProblem("It changed while it was read; try again.");
  const parts = [
    bytes.subarray(0, replaced?.start ?? endOfMembers),
    ...packMember(member, replaced?.header),
    bytes.subarray(replaced?.end ?? endOfMembers, endOfMembers),
  ];
  const tail = bytes.subarray(endOfMembers);
  // Whatever somebody put behind the end stays there.
  const isBlank = tail.every((byte) => byte === 0);
  return [...parts, isBlank ? endingAfter(parts.reduce((sum, { length }) => sum + length, 0)) : tail];
}

/** The reader has checked the headers already, so only their sizes are needed to walk over them. */
function layoutOf(archive: Buffer, wantedOffset: number | undefined): Layout {
  let replaced: Span | undefined;
  let groupStart = 0;
  let at = 0;
  while (at + blockBytes <= archive.length) {
    const header = archive.subarray(at, at + blockBytes);
    if (header.every((byte) => byte === 0)) break;
    const data = at + blockBytes;
    const end = data + padded(sizeOf(header));
    if (end > archive.length) throw new ArchiveProblem("It ends in the middle of an entry.");
    if (!descriptionTypes.includes(String.fromCharCode(header[156] ?? 0))) {
      if (data === wantedOffset) replaced = { start: groupStart, end, header };
      groupStart = end;
    }
    at = end;
  }
  return { replaced, endOfMembers: at };
}

function sizeOf(header: Buffer): number {
  const { start, length } = sizeField;
  // The first bit says that a number too long for its digits stands in the bytes themselves.
  if (((header[start] ?? 0) & 0x80) !== 0) return header.readUIntBE(start + length - 6, 6);
  return Number.parseInt(header.toString("latin1", start, start + length).trim() || "0", 8);
}

function padded(bytes: number): number {
  return Math.ceil(bytes / blockBytes) * blockBytes;
}

function endingAfter(bytes: number): Buffer {
  const whole = Math.ceil((bytes + endingBytes) / recordBytes) * recordBytes;
  return Buffer.alloc(whole - bytes);
}

function packMember(member: NewMember, old: Buffer | undefined): readonly Buffer[] {
  const split = splitName(member.name);
  const header = headerOf(member, { split: split ?? { prefix: "", name: shortened(member.name) }, type: "0", old });
  const data = [header, member.content, paddingAfter(member.content)];
  if (split !== undefined) return data;
  const records = Buffer.from(paxRecord("path", member.name));
  const description = { ...member, content: records, name: "PaxHeader", mode: 0o644 };
  const paxHeader = headerOf(description, { split: { prefix: "", name: "PaxHeader" }, type: "x", old: undefined });
  return [paxHeader, records, paddingAfter(records), ...data];
}

function paddingAfter(content: Buffer): Buffer {
  return Buffer.alloc(padded(content.length) - content.length);
}

type SplitName = { readonly prefix: string; readonly name: string };

/** Undefined when the fields of a header cannot hold the name. */
function splitName(path: string): SplitName | undefined {
  if (Buffer.byteLength(path) <= nameBytesMax) return { prefix: "", name: path };
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    const split = { prefix: path.slice(0, slash), name: path.slice(slash + 1) };
    if (Buffer.byteLength(split.prefix) <= prefixBytesMax && Buffer.byteLength(split.name) <= nameBytesMax)
      return split;
  }
  return undefined;
}

/** For programs that do not know the record with the whole name. */
function shortened(name: string): string {
  return Buffer.from(name)
    .subarray(0, nameBytesMax)
    .toString("latin1")
    .replaceAll(/[^ -~]/g, "_");
}

/** The length counts its own digits too. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (Buffer.byteLength(`${length}${rest}`) !== length) length = Buffer.byteLength(`${length}${rest}`);
  return `${length}${rest}`;
}

type HeaderParts = { readonly split: SplitName; readonly type: "0" | "x"; readonly old: Buffer | undefined };

/** Mode and owner are those of the old header. */
function headerOf({ content, mode, modifiedMs }: NewMember, { split, type, old }: HeaderParts): Buffer {
  const header = Buffer.alloc(blockBytes);
  header.write(split.name, 0);
  header.write(`${octal(mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  if (old !== undefined) old.copy(header, 100, 100, 124);
  header.write(`${octal(content.length, 11)}\0${octal(Math.max(0, Math.floor((modifiedMs ?? 0) / 1_000)), 11)}\0`, 124);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  // The names of the owner; an older format has nothing there.
  if (old?.toString("latin1", 257, 262) === "ustar") old.copy(header, 265, 265, 329);
  header.write(split.prefix, 345);
  header.write("        ", 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
