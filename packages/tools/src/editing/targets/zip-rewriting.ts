/** Puts one member into a zip archive and leaves the bytes of all others as they are. */
import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import { ArchiveProblem } from "../../reading/archive/archive-entry.ts";
import type { NewMember } from "./new-member.ts";

/** What the list at the end says of one member, as it stands there. */
type DirectoryRecord = { readonly bytes: Buffer; readonly offset: number };

type Layout = {
  readonly records: readonly DirectoryRecord[];
  readonly directoryOffset: number;
  readonly comment: Buffer;
};

const deflate = promisify(deflateRaw);
const endSignature = 0x06054b50;
const endBytes = 22;
const recordSignature = 0x02014b50;
const recordBytes = 46;
const localSignature = 0x04034b50;
const localBytes = 30;
const versionNeeded = 20;
const madeByUnix = (3 << 8) | versionNeeded;
const utf8Flag = 0x0800;
const stored = 0;
const deflated = 8;
/** The next count has another meaning. */
const recordsMax = 0xfffe;
/** The first moment that the format knows, as a date and a time of day. */
const earliest = { date: (1 << 5) | 1, time: 0 };
const unixTimeExtra = 0x5455;

/** Without an archive a new one is made. */
export async function rewriteZip(archive: Buffer | undefined, member: NewMember): Promise<readonly Buffer[]> {
  const layout = archive === undefined ? emptyLayout : layoutOf(archive);
  const bytes = archive ?? Buffer.alloc(0);
  const { records, directoryOffset, comment } = layout;
  const old = member.replaces === undefined ? undefined : findRecord(records, member.replaces.offset);
  if (old === undefined && records.length >= recordsMax) throw new ArchiveProblem("It has too many members; use bash.");

  const start = old?.offset ?? directoryOffset;
  const nextOffsets = records.map(({ offset }) => offset).filter((offset) => offset > start);
  const end = old === undefined ? start : Math.min(directoryOffset, ...nextOffsets);
  const packed = await packMember(member, old, start);
  const shift = packed.local.length - (end - start);
  const moved = records.map((record) => (record === old ? packed.record : moveRecord(record, start, shift)));
  const directory = Buffer.concat(old === undefined ? [...moved, packed.record] : moved);
  return [
    bytes.subarray(0, start),
    packed.local,
    bytes.subarray(end, directoryOffset),
    directory,
    endOf(
      { count: old === undefined ? records.length + 1 : records.length, directory, comment },
      directoryOffset + shift,
    ),
  ];
}

const emptyLayout: Layout = { records: [], directoryOffset: 0, comment: Buffer.alloc(0) };

function layoutOf(archive: Buffer): Layout {
  const at = findEnd(archive);
  const directoryOffset = archive.readUInt32LE(at + 16);
  // Anything between the list and its end, or before the first byte, would shift what the offsets mean.
  if (directoryOffset + archive.readUInt32LE(at + 12) !== at)
    throw new ArchiveProblem("It is laid out in an unusual way; change it with bash (zip).");
  const records: DirectoryRecord[] = [];
  for (let start = directoryOffset; start < at; ) {
    if (at - start < recordBytes || archive.readUInt32LE(start) !== recordSignature)
      throw new ArchiveProblem("It is damaged: its list of entries is truncated.");
    const lengths = [28, 30, 32].map((field) => archive.readUInt16LE(start + field));
    const length = lengths.reduce((sum, length) => sum + length, recordBytes);
    records.push({ bytes: archive.subarray(start, start + length), offset: archive.readUInt32LE(start + 42) });
    start += length;
  }
  return { records, directoryOffset, comment: archive.subarray(at + endBytes) };
}

function findEnd(archive: Buffer): number {
  for (let at = archive.length - endBytes; at >= 0 && at >= archive.length - endBytes - 0xffff; at -= 1) {
    const isEnd = archive.readUInt32LE(at) === endSignature;
    if (isEnd && at + endBytes + archive.readUInt16LE(at + 20) === archive.length) return at;
  }
  throw new ArchiveProblem("It is damaged: its list of entries is missing.");
}

function findRecord(records: readonly DirectoryRecord[], offset: number): DirectoryRecord {
  const found = records.filter((record) => record.offset === offset);
  const [record] = found;
  if (record === undefined || found.length > 1) throw new ArchiveProblem("It is damaged: its members overlap.");
  return record;
}

function moveRecord({ bytes, offset }: DirectoryRecord, start: number, shift: number): Buffer {
  if (offset <= start) return bytes;
  const moved = Buffer.from(bytes);
  moved.writeUInt32LE(offset + shift, 42);
  return moved;
}

type Packed = { readonly local: Buffer; readonly record: Buffer };

/** The old record gives the name as it was encoded, the mode, and the comment. */
async function packMember(member: NewMember, old: DirectoryRecord | undefined, offset: number): Promise<Packed> {
  const { content } = member;
  const smaller = await deflate(content);
  const isPacked = smaller.length < content.length;
  const data = isPacked ? smaller : content;
  const name = old?.bytes.subarray(recordBytes, recordBytes + old.bytes.readUInt16LE(28)) ?? Buffer.from(member.name);
  const comment =
    old === undefined ? Buffer.alloc(0) : old.bytes.subarray(old.bytes.length - old.bytes.readUInt16LE(32));
  const isWide = old === undefined ? name.length !== member.name.length : (old.bytes.readUInt16LE(8) & utf8Flag) !== 0;
  const { date, time } = dosTime(member.modifiedMs);
  const extra = timeExtra(member.modifiedMs);

  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(versionNeeded, 0);
  fields.writeUInt16LE(isWide ? utf8Flag : 0, 2);
  fields.writeUInt16LE(isPacked ? deflated : stored, 4);
  fields.writeUInt16LE(time, 6);
  fields.writeUInt16LE(date, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  fields.writeUInt16LE(extra.length, 24);

  const before = Buffer.alloc(6);
  before.writeUInt32LE(recordSignature, 0);
  before.writeUInt16LE(old?.bytes.readUInt16LE(4) ?? madeByUnix, 4);
  const after = Buffer.alloc(14);
  after.writeUInt16LE(comment.length, 0);
  after.writeUInt16LE(old?.bytes.readUInt16LE(36) ?? 0, 4);
  after.writeUInt32LE(old?.bytes.readUInt32LE(38) ?? ((0o100000 | member.mode) << 16) >>> 0, 6);
  after.writeUInt32LE(offset, 10);

  const signature = Buffer.alloc(localBytes - fields.length);
  signature.writeUInt32LE(localSignature, 0);
  return {
    local: Buffer.concat([signature, fields, name, extra, data]),
    record: Buffer.concat([before, fields, after, name, extra, comment]),
  };
}

/** In local time, as the format has it; the exact moment stands beside it. */
function dosTime(modifiedMs: number | undefined): typeof earliest {
  if (modifiedMs === undefined) return earliest;
  const day = new Date(modifiedMs);
  if (day.getFullYear() < 1980) return earliest;
  return {
    date: ((day.getFullYear() - 1980) << 9) | ((day.getMonth() + 1) << 5) | day.getDate(),
    time: (day.getHours() << 11) | (day.getMinutes() << 5) | (day.getSeconds() >> 1),
  };
}

function timeExtra(modifiedMs: number | undefined): Buffer {
  if (modifiedMs === undefined) return Buffer.alloc(0);
  const extra = Buffer.alloc(9);
  extra.writeUInt16LE(unixTimeExtra, 0);
  extra.writeUInt16LE(5, 2);
  extra.writeUInt8(1, 4);
  extra.writeUInt32LE(Math.floor(modifiedMs / 1_000) >>> 0, 5);
  return extra;
}

type Ending = { readonly count: number; readonly directory: Buffer; readonly comment: Buffer };

function endOf({ count, directory, comment }: Ending, directoryOffset: number): Buffer {
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(directoryOffset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, comment]);
}
