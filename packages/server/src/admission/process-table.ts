/** Reads from `/proc` which process holds a socket, what it was started with and by whom. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isIPv4 } from "node:net";
import { endianness } from "node:os";
import { join } from "node:path";
import { wordsOfIpv6 } from "./addresses.ts";
import { marksIn } from "./agent-mark.ts";

export type SocketEnd = { readonly address: string; readonly port: number };
export type SocketRow = { readonly inode: string; readonly uid: number };

/** The table itself could not be read, for lack of free files for example. Nothing may be concluded from that. */
export class TableUnreadableError extends Error {
  override readonly name = "TableUnreadableError";
}

/**
 * Every look may throw a TableUnreadableError.
 *
 * All of it at once, without waiting: such a file is made when it is read, and to wait for it costs five
 * times more.
 */
export type ProcessTable = {
  /** The socket that has `own` as its end and `other` as the opposite one. */
  findSocket(own: SocketEnd, other: SocketEnd): SocketRow | undefined | "unreadable";
  list(): readonly number[];
  /** None for a process of somebody else, whose environment is closed to us. */
  marksOf(pid: number): readonly string[] | "vanished";
  parentOf(pid: number): number | undefined;
  nameOf(pid: number): string;
  /** By its threads too, which can have files of their own. */
  listSocketHolders(pid: number): readonly string[];
  /** False also for a process that does not show its files. */
  holdsSocket(holder: string, inode: string): boolean;
};

const parentField = 1;
const flagsField = 6;
/** The threads of the kernel are listed among the processes, and have no environment. */
const kernelThread = 0x20_0000;

export function createProcessTable(directory: string): ProcessTable {
  const read = (path: string) => attempt(() => readFileSync(join(directory, path), "latin1"));
  const names = (path: string) => attempt(() => readdirSync(join(directory, path)));

  /** The fields after the name, which stands in brackets and may itself hold brackets and spaces. */
  const statOf = (pid: number): readonly string[] => {
    const stat = read(`${pid}/stat`);
    return stat.ok ? stat.value.slice(stat.value.lastIndexOf(")") + 2).split(" ") : [];
  };

  return {
    findSocket(own, other) {
      const wanted = pairsOf(own, other);
      let isReadable = false;
      // To read one costs 2 ms. A socket for both families is among those of IPv6 also when it speaks IPv4.
      for (const path of isIPv4(own.address) ? ["net/tcp", "net/tcp6"] : ["net/tcp6"]) {
        const table = read(path);
        const row = table.ok ? findRow(table.value, wanted) : undefined;
        if (row !== undefined) return row;
        isReadable ||= table.ok;
      }
      return isReadable ? undefined : "unreadable";
    },
    list() {
      const entries = names(".");
      if (!entries.ok) throw new TableUnreadableError(`the processes cannot be listed (${entries.code})`);
      return entries.value.map(Number).filter((pid) => pid > 0);
    },
    marksOf(pid) {
      const environ = read(`${pid}/environ`);
      if (environ.ok) return marksIn(environ.value);
      return endedCodes.has(environ.code) && (Number(statOf(pid)[flagsField]) & kernelThread) === 0 ? "vanished" : [];
    },
    parentOf(pid) {
      const parent = Number(statOf(pid)[parentField]);
      return parent > 0 ? parent : undefined;
    },
    nameOf(pid) {
      const name = read(`${pid}/comm`);
      return name.ok ? name.value.trim() : "";
    },
    listSocketHolders(pid) {
      const threads = names(`${pid}/task`);
      return threads.ok ? threads.value.map((thread) => `${pid}/task/${thread}`) : [];
    },
    holdsSocket(holder, inode) {
      const files = names(`${holder}/fd`);
      if (!files.ok) return false;
      return files.value.some((file) => {
        const link = attempt(() => readlinkSync(join(directory, holder, "fd", file)));
        return link.ok && link.value === `socket:[${inode}]`;
      });
    },
  };
}

type Attempt<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly code: string };

const endedCodes: ReadonlySet<string> = new Set(["ENOENT", "ESRCH"]);
const closedCodes: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);

/** Processes end, and those of others are closed: such a look fails for this one alone, and says by its code why. */
function attempt<Value>(look: () => Value): Attempt<Value> {
  try {
    return { ok: true, value: look() };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const code = String(error.code);
    if (endedCodes.has(code) || closedCodes.has(code)) return { ok: false, code };
    throw new TableUnreadableError(`the process table cannot be read (${code})`, { cause: error });
  }
}

const addressColumn = 1;
const uidColumn = 7;
const inodeColumn = 9;

function findRow(table: string, wanted: readonly string[]): SocketRow | undefined {
  for (const pair of wanted) {
    const found = table.indexOf(pair);
    if (found === -1) continue;
    const line = table.slice(table.lastIndexOf("\n", found) + 1, table.indexOf("\n", found));
    const columns = line.trim().split(/ +/);
    const inode = columns[inodeColumn];
    const isWhole = `${columns[addressColumn]} ${columns[addressColumn + 1]}` === pair;
    if (isWhole && inode !== undefined) return { inode, uid: Number(columns[uidColumn]) };
  }
  return undefined;
}

/** Both ends as the kernel writes them. */
function pairsOf(own: SocketEnd, other: SocketEnd): readonly string[] {
  const inOrder = (address: (text: string) => readonly number[]) =>
    [own, other].map((end) => `${hexOf(address(end.address))}:${hexOf([end.port >> 8, end.port & 0xff], 2)}`).join(" ");
  if (!isIPv4(own.address)) return [inOrder(wideBytes)];
  return [inOrder(plainBytes), inOrder((address) => [...mappedPrefix, ...plainBytes(address)])];
}

const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

function plainBytes(address: string): readonly number[] {
  return address.split(".").map(Number);
}

function wideBytes(address: string): readonly number[] {
  return wordsOfIpv6(address).flatMap((word) => [word >> 8, word & 0xff]);
}

/** Addresses are written word by word as the machine holds them in memory, ports as numbers. */
function hexOf(bytes: readonly number[], wordBytes = 4): string {
  const isTurned = wordBytes === 4 && endianness() === "LE";
  let text = "";
  for (let start = 0; start < bytes.length; start += wordBytes) {
    const word = bytes.slice(start, start + wordBytes);
    for (const byte of isTurned ? word.reverse() : word) text += byte.toString(16).toUpperCase().padStart(2, "0");
  }
  return text;
}
