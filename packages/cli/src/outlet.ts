/** One standard stream to write to: at once and in order, and without ever making the process wait for its reader. */
import { constants, fstatSync, openSync, type Stats, writeSync } from "node:fs";

export type Written = "written" | "reader-gone";

export interface Outlet {
  /** What a reader does not take yet is kept and follows later. */
  write(text: string): Written;
  /** For what may come without end: a reader who already lets too much wait has gone without a word. */
  writeFlowing(text: string): Written;
  /** Resolves when nothing is kept any more, because it was written or because nobody will read it. */
  drained(): Promise<void>;
}

const keptBytesMax = 64 * 1024 * 1024;
const firstDelayMs = 1;
const delayMsMax = 50;

/** Does not load Node's streams, which take longer than a whole short run. */
export function openOutlet(descriptor: number): Outlet {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let target: Target | undefined;
  let isGone = false;
  let draining: Promise<void> | undefined;

  /** Gives back what the reader does not take now. */
  function writeNow(bytes: Buffer): Buffer {
    target ??= targetOf(descriptor);
    let rest = bytes;
    while (rest.length > 0 && !isGone) {
      try {
        target.prepare(rest.length);
        rest = rest.subarray(writeSync(target.descriptor, rest));
      } catch (error) {
        const code = error instanceof Error && "code" in error ? error.code : undefined;
        if (code === "EAGAIN") return rest;
        // A reader that went away has seen enough, as has a terminal that is closed; a closed descriptor never had one.
        if (code !== "EPIPE" && code !== "EBADF" && code !== "EIO") throw error;
        giveUp();
      }
    }
    return rest.subarray(rest.length);
  }

  function giveUp(): void {
    isGone = true;
    kept.length = 0;
    keptBytes = 0;
  }

  function keep(bytes: Buffer): void {
    kept.push(bytes);
    keptBytes += bytes.length;
    draining ??= drain().finally(() => (draining = undefined));
  }

  async function drain(): Promise<void> {
    for (let delayMs = firstDelayMs; kept.length > 0; delayMs = Math.min(2 * delayMs, delayMsMax)) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      for (let first = kept[0]; first !== undefined; first = kept[0]) {
        const rest = writeNow(first);
        if (isGone) return;
        keptBytes -= first.length - rest.length;
        if (rest.length < first.length) delayMs = firstDelayMs;
        if (rest.length > 0) {
          kept[0] = rest;
          break;
        }
        kept.shift();
      }
    }
  }

  function write(text: string): Written {
    const bytes = Buffer.from(text, "utf8");
    const rest = isGone || kept.length > 0 ? bytes : writeNow(bytes);
    if (!isGone && rest.length > 0) keep(rest);
    return isGone ? "reader-gone" : "written";
  }

  return {
    write,
    writeFlowing(text) {
      if (keptBytes > keptBytesMax) giveUp();
      return write(text);
    },
    drained: async () => draining,
  };
}

type Target = {
  readonly descriptor: number;
  /** Before a write of so many bytes. */
  prepare(bytes: number): void;
};

/** A full pipe, socket or terminal must say so instead of holding the process, which hears no signal meanwhile. */
function targetOf(descriptor: number): Target {
  const stats = statsOf(descriptor);
  if (stats?.isSocket()) return socketTarget(descriptor);
  const canWait = stats !== undefined && (stats.isFIFO() || stats.isCharacterDevice());
  return { descriptor: canWait ? (openAgain(descriptor) ?? descriptor) : descriptor, prepare: () => undefined };
}

/** Undefined for a descriptor that is closed; writing will say so. */
function statsOf(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** For this process alone: the mode of the descriptor itself is shared with everybody who writes there. */
function openAgain(descriptor: number): number | undefined {
  try {
    const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    return openSync(`/proc/self/fd/${descriptor}`, flags);
  } catch (error) {
    // No /proc, no reader any more, or the terminal of another user: then it is written to as it is.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** Surely taken by the system itself, which keeps about 200 kB, and counts a kilobyte for the shortest line. */
const socketBytesFree = 32 * 1024;
const socketWritesFree = 64;

/** A socket cannot be opened again. One of Node's own makes it say when it is full; short answers do without. */
function socketTarget(descriptor: number): Target {
  let bytesWritten = 0;
  let writes = 0;
  let keeper: object | undefined;
  return {
    descriptor,
    prepare(bytes) {
      bytesWritten += bytes;
      writes += 1;
      if (keeper !== undefined || (bytesWritten <= socketBytesFree && writes <= socketWritesFree)) return;
      const { Socket } = process.getBuiltinModule("node:net");
      // Never written to. What goes wrong there is met by our own writes.
      keeper = new Socket({ fd: descriptor, readable: false }).on("error", () => undefined).unref();
    },
  };
}
