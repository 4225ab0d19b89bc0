/** Follows the keys as they are pressed: remembers the beginning of a sequence and forgets it when nothing follows. */
import type { Action, KeyContext } from "./actions.ts";
import type { Keybinds } from "./keybinds.ts";

/** How long the next key of a sequence may take. */
export const sequenceTimeoutMs = 2_000;

export type KeyReading =
  | { readonly kind: "action"; readonly action: Action }
  | { readonly kind: "pending" }
  /** Ended a sequence that means nothing; the key is spent and must not be typed. */
  | { readonly kind: "dropped"; readonly keys: readonly string[] }
  /** Not ours: whoever has the focus gets the key. */
  | { readonly kind: "none" };

export interface KeyReader {
  read(key: string, context?: KeyContext): KeyReading;
  /** The keys so far, to be shown; empty when there are none or when the time is over. */
  pending(): readonly string[];
  cancel(): void;
}

/** Keybinds are asked for at every key, so that changed settings count at once. */
export function createKeyReader({
  keybinds,
  now,
}: {
  readonly keybinds: () => Keybinds;
  readonly now: () => number;
}): KeyReader {
  let keys: readonly string[] = [];
  let lastAtMs = 0;

  const pending = () => (now() - lastAtMs < sequenceTimeoutMs ? keys : []);

  return {
    read(key, context) {
      const before = pending();
      const match = keybinds().match(before, key, context);
      keys = match.kind === "pending" ? [...before, key] : [];
      lastAtMs = now();
      return match.kind === "none" && before.length > 0 ? { kind: "dropped", keys: [...before, key] } : match;
    },
    pending,
    cancel() {
      keys = [];
    },
  };
}
