/** Finds out whether the other end of a connection on this machine is a process that was started for the agent. */
import type { Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { setImmediate } from "node:timers/promises";
import { isLoopbackAddress, plainAddress } from "./addresses.ts";
import { createProcessTable, type ProcessTable, TableUnreadableError } from "./process-table.ts";

export type PeerVerdict =
  | { readonly kind: "welcome" }
  | { readonly kind: "agent"; readonly pid: number; readonly program: string }
  /** Nobody holds the other end any more, whoever does hides while commands of the agent run, or the look failed. */
  | { readonly kind: "hidden" };

export type PeerSocket = Pick<Socket, "remoteAddress" | "remotePort" | "localAddress" | "localPort">;

export type PeerParts = {
  /** The marks of the server itself, see `ownMarks`. */
  readonly ownMarks: ReadonlySet<string>;
  /** `/proc`, but for tests of machines without one. */
  readonly procDirectory?: string;
};

const welcome: PeerVerdict = { kind: "welcome" };
const hidden: PeerVerdict = { kind: "hidden" };

/**
 * Looked up once per connection: 7 ms for 100 processes, in pieces of 2 ms. A command that cleans its environment is
 * still known by the processes above it, and a daemon by its environment. One that does both at once is not; against it
 * stands the sandbox, which gives commands a process-id namespace of their own.
 */
export function createPeerLookUp(parts: PeerParts): (socket: PeerSocket) => Promise<PeerVerdict> {
  const verdicts = new WeakMap<PeerSocket, Promise<PeerVerdict>>();
  // Once, because later the agent could bring about that a look fails.
  const canTell = canTellCallers(parts.procDirectory);
  return (socket) => {
    const known = verdicts.get(socket);
    if (known !== undefined) return known;
    const verdict = lookUp(socket, { ...parts, canTell }).catch((error: unknown) => {
      if (!(error instanceof TableUnreadableError)) throw error;
      verdicts.delete(socket);
      return hidden;
    });
    verdicts.set(socket, verdict);
    return verdict;
  };
}

/** Where it is false, commands of the agent that hold a token come in like everybody else. */
export function canTellCallers(procDirectory = "/proc"): boolean {
  const table = createProcessTable(procDirectory);
  const nowhere = { address: "127.0.0.1", port: 0 };
  try {
    return table.findSocket(nowhere, nowhere) !== "unreadable" && table.list().includes(process.pid);
  } catch (error) {
    if (error instanceof TableUnreadableError) return false;
    throw error;
  }
}

type LookParts = PeerParts & { readonly canTell: boolean };

async function lookUp(
  socket: PeerSocket,
  { ownMarks, procDirectory = "/proc", canTell }: LookParts,
): Promise<PeerVerdict> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (
    remoteAddress === undefined ||
    remotePort === undefined ||
    localAddress === undefined ||
    localPort === undefined
  ) {
    return hidden;
  }
  if (!canTell || !isThisMachine(remoteAddress)) return welcome;
  const table = createProcessTable(procDirectory);
  const peer = { address: plainAddress(remoteAddress), port: remotePort };
  const own = { address: plainAddress(localAddress), port: localPort };
  const row = table.findSocket(peer, own);
  // Whoever sends a request and leaves does not want the answer, but perhaps what the request does.
  if (row === "unreadable" || row === undefined || row.inode === "0") return hidden;
  const { agents, others, hasVanished } = await findAgents(table, ownMarks);
  if (agents.length === 0 && !hasVanished) {
    // Only who held it all the time was among those that were looked at.
    const later = table.findSocket(peer, own);
    return later !== "unreadable" && later?.inode === row.inode ? welcome : hidden;
  }
  for await (const pid of withPauses(agents)) {
    const isHolder = table.listSocketHolders(pid).some((holder) => table.holdsSocket(holder, row.inode));
    if (isHolder) return { kind: "agent", pid, program: table.nameOf(pid) };
  }
  if (row.uid !== process.getuid?.()) return welcome;
  // A chain of short-lived processes could hand the socket on between two looks, so somebody must be seen to hold it.
  for await (const pid of withPauses(others)) if (table.holdsSocket(String(pid), row.inode)) return welcome;
  return hidden;
}

type Agents = {
  readonly agents: readonly number[];
  readonly others: readonly number[];
  /** Somebody ended before it could be looked at. */
  readonly hasVanished: boolean;
};

async function findAgents(table: ProcessTable, ownMarks: ReadonlySet<string>): Promise<Agents> {
  // Whoever calls has mostly been started not long ago.
  const pids = table.list().toReversed();
  const marked = new Set<number>();
  let hasVanished = false;
  for await (const pid of withPauses(pids)) {
    const marks = table.marksOf(pid);
    if (marks === "vanished") hasVanished = true;
    else if (marks.some((mark) => !ownMarks.has(mark))) marked.add(pid);
  }
  if (marked.size === 0) return { agents: [], others: pids, hasVanished };
  const parents = new Map<number, number | undefined>();
  for await (const pid of withPauses(pids)) parents.set(pid, table.parentOf(pid));
  const isAgent = (pid: number) => {
    const seen = new Set<number>();
    for (let at: number | undefined = pid; at !== undefined && !seen.has(at); at = parents.get(at)) {
      if (marked.has(at)) return true;
      seen.add(at);
    }
    return false;
  };
  return { agents: pids.filter(isAgent), others: pids.filter((pid) => !isAgent(pid)), hasVanished };
}

const pauseMs = 2;

/** Lets others have their turn in between, however many processes there are. */
async function* withPauses(pids: readonly number[]): AsyncGenerator<number> {
  let pausedAt = performance.now();
  for (const pid of pids) {
    if (performance.now() - pausedAt > pauseMs) {
      await setImmediate();
      pausedAt = performance.now();
    }
    yield pid;
  }
}

/** Commands of the agent can call the machine by any of its addresses. */
function isThisMachine(address: string): boolean {
  const plain = plainAddress(address);
  if (isLoopbackAddress(plain)) return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((known) => known.address === plain));
}
