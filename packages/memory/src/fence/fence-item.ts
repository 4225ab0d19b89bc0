/** Fences one remembered item for a prompt: cleaned, cut where it is inserted, and marked with where it comes from. */
import { fenceText } from "@kedge/protocol";
import { neutraliseText } from "./neutralise-text.ts";

export type FencedItem = {
  /** What it is, such as `topic`, `index`, `lesson` or `note`. */
  readonly kind: string;
  /** The file or another name. */
  readonly name: string;
  /** Who said it, as the harness recorded it: `user-stated`, `agent-inferred`, `tool-derived`, `plugin` or `team`. */
  readonly origin: string;
  /** The day on which it was saved. */
  readonly saved?: string;
  /** The session that saved it. */
  readonly sessionId?: string;
  /** 128 bits, the same for the whole session that reads it. */
  readonly nonce: string;
  readonly text: string;
  /** What is longer is cut here, whatever the store allows. */
  readonly bytesMax?: number;
  readonly linesMax?: number;
};

const markCharactersMax = 120;

export function fenceItem(item: FencedItem): string {
  const { kind, name, origin, saved, sessionId, nonce } = item;
  const marks = {
    kind: mark(kind),
    name: mark(name),
    origin: mark(origin),
    ...(saved !== undefined && { saved: mark(saved) }),
    ...(sessionId !== undefined && { session: mark(sessionId) }),
  };
  return fenceText(withinCaps(neutraliseText(item.text, "memory"), item), marks, nonce);
}

function mark(value: string): string {
  return neutraliseText(value, "memory").replaceAll(/\s+/g, " ").slice(0, markCharactersMax);
}

function withinCaps(text: string, { bytesMax, linesMax }: FencedItem): string {
  const lines = linesMax === undefined ? text : text.split("\n").slice(0, linesMax).join("\n");
  const kept = bytesMax === undefined ? lines : startWithinBytes(lines, bytesMax);
  return kept === text ? text : `${kept}\n[cut: ${text.length - kept.length} characters not shown]`;
}

/** The longest start that has at most so many bytes, ending between two characters. */
export function startWithinBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  // A byte that continues a character is not a place to cut.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString("utf8");
}
