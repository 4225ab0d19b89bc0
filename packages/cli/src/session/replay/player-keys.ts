/** The keys of a player, read one by one from the terminal while it plays. */
import type { PlayerKey } from "./frames.ts";

export interface PlayerKeys {
  /** Undefined when the time is over; without a time it waits. The end of the input is a quit. */
  next(waitMs: number | undefined): Promise<PlayerKey | undefined>;
  /** Leaves the terminal as it was. */
  close(): void;
}

const named: { readonly [typed: string]: PlayerKey } = {
  " ": "pause",
  n: "forward",
  "\u001b[C": "forward",
  "\u001bOC": "forward",
  p: "back",
  "\u001b[D": "back",
  "\u001bOD": "back",
  "\r": "enter",
  "\n": "enter",
  "\u007f": "erase",
  "\b": "erase",
  "\u001b": "cancel",
  q: "quit",
  "\u0004": "quit",
  "\u0003": "interrupt",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send keys as control sequences.
const keyPattern = /\u001b[[O][0-9;]*[A-Za-z~]|[\s\S]/gu;

/** A paste or fast typing brings several at once. What no player knows is passed over. */
export function readKeys(chunk: string): readonly PlayerKey[] {
  return (chunk.match(keyPattern) ?? []).flatMap((typed) => {
    if (/^[0-9]$/.test(typed)) return [{ digit: typed }];
    const key = named[typed];
    return key === undefined ? [] : [key];
  });
}

export function openPlayerKeys(): PlayerKeys {
  const { stdin } = process;
  const waiting: PlayerKey[] = [];
  let wake = () => {};
  const add = (keys: readonly PlayerKey[]) => {
    waiting.push(...keys);
    if (keys.length > 0) wake();
  };
  const onData = (chunk: string) => add(readKeys(chunk));
  const onEnd = () => add(["quit"]);
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.on("data", onData);
  stdin.on("end", onEnd);
  stdin.resume();
  return {
    async next(waitMs) {
      if (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          const timer = waitMs === undefined ? undefined : setTimeout(resolve, waitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = () => {};
      }
      return waiting.shift();
    },
    close() {
      stdin.off("data", onData);
      stdin.off("end", onEnd);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
