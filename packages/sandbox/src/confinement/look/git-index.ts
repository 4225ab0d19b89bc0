/** Reads from the index of a git repository which content it keeps for a few files; the format is that of git itself. */

/** Two times, device, inode, mode, owner, group and size. */
const statBytes = 40;
const nameBytes = 20;
const flagsBytes = 2;
const extendedFlag = 0x4000;
const stageMask = 0x3000;
const headerBytes = 12;
const signature = "DIRC";

/** By path, in hexadecimal. Empty for what is no index of repositories with SHA-1, or broken. */
export function blobNames(index: Buffer, wanted: ReadonlySet<string>): ReadonlyMap<string, string> {
  return readEntries(index, (path, stage) => stage === 0 && wanted.has(path))?.found ?? new Map();
}

/** Every path that it has; undefined where that cannot be told. */
export function trackedPaths(index: Buffer): readonly string[] | undefined {
  const entries = readEntries(index, () => true);
  return entries !== undefined && endsInExtensions(index, entries.end) ? [...entries.found.keys()] : undefined;
}

/** Each with a name and a length, up to the checksum. Of a split index the entries are elsewhere. */
function endsInExtensions(index: Buffer, from: number): boolean {
  const end = index.length - nameBytes;
  let at = from;
  while (at + 8 <= end) {
    if (index.toString("latin1", at, at + 4) === "link") return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === end;
}

function readEntries(
  index: Buffer,
  isWanted: (path: string, stage: number) => boolean,
): { readonly found: ReadonlyMap<string, string>; readonly end: number } | undefined {
  const found = new Map<string, string>();
  if (index.length < headerBytes || index.toString("latin1", 0, 4) !== signature) return undefined;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  let at = headerBytes;
  let path: Buffer = Buffer.alloc(0);
  for (let number = 0; number < count; number += 1) {
    const flagsAt = at + statBytes + nameBytes;
    if (flagsAt + flagsBytes > index.length) return undefined;
    const flags = index.readUInt16BE(flagsAt);
    let pathAt = flagsAt + flagsBytes + ((flags & extendedFlag) === 0 ? 0 : flagsBytes);
    let shared: Buffer = Buffer.alloc(0);
    if (version === 4) {
      const removed = readVariableNumber(index, pathAt);
      if (removed === undefined || removed.value > path.length) return undefined;
      shared = path.subarray(0, path.length - removed.value);
      pathAt = removed.end;
    }
    const end = index.indexOf(0, pathAt);
    if (end < 0) return undefined;
    const own = index.subarray(pathAt, end);
    path = version === 4 ? Buffer.concat([shared, own]) : own;
    const text = path.toString("utf8");
    if (isWanted(text, flags & stageMask)) {
      found.set(text, index.toString("hex", at + statBytes, at + statBytes + nameBytes));
    }
    // Up to version 3 an entry is filled up to a multiple of eight, with at least one zero.
    at = version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8;
  }
  return { found, end: at };
}

/** As offsets in packs: seven bits at a time, each further one counting one more. */
function readVariableNumber(
  bytes: Buffer,
  start: number,
): { readonly value: number; readonly end: number } | undefined {
  let at = start;
  let byte = bytes[at];
  if (byte === undefined) return undefined;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = bytes[at];
    if (byte === undefined) return undefined;
    value = (value + 1) * 0x80 + (byte & 0x7f);
  }
  return { value, end: at + 1 };
}
