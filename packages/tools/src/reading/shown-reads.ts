/** Remembers which lines of which content the reads of a session have shown, so that nothing need be shown twice. */
import type { ToolContext } from "@kedge/protocol";
import { findTruePath } from "../tool-path.ts";

export type ShownRead = {
  /** Absolute. */
  readonly path: string;
  readonly contentHash: string;
  /** Which lines, in words that are the same for the same lines. */
  readonly lines: string;
};

export interface ShownReads {
  /**
   * Whether the model still sees the same lines of the same content in an earlier result and knows of no other
   * content since. To be asked before the file is remembered again.
   */
  isSeen(read: ShownRead, context: ToolContext): boolean;
  /** The result of this call shows them. */
  add(read: ShownRead, callId: string): void;
}

type Entry = { readonly contentHash: string; readonly callId: string };

const entriesMax = 1_000;

export function createShownReads(): ShownReads {
  const entries = new Map<string, Entry>();

  return {
    isSeen({ path, contentHash, lines }, context) {
      const entry = entries.get(keyOf(path, lines));
      if (entry === undefined || entry.contentHash !== contentHash) return false;
      return isKnown(context, path, contentHash) && context.isShown(entry.callId);
    },
    add({ path, contentHash, lines }, callId) {
      const key = keyOf(path, lines);
      entries.delete(key);
      entries.set(key, { contentHash, callId });
      if (entries.size > entriesMax) dropOldest(entries);
    },
  };
}

function keyOf(path: string, lines: string): string {
  return `${lines}\0${path}`;
}

/** An edit that somebody undid brings the old content back, while the model believes in the new one. */
function isKnown({ files }: ToolContext, path: string, contentHash: string): boolean {
  const place = findTruePath(path);
  return place.ok && files.known(place.path) === contentHash;
}

function dropOldest(entries: Map<string, Entry>): void {
  for (const key of entries.keys()) {
    entries.delete(key);
    return;
  }
}
