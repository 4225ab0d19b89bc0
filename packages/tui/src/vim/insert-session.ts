/** What was typed between entering INSERT and leaving it, learnt from the texts at both ends. */
import type { Change } from "./change.ts";

export type InsertSession = {
  /** The change that entered INSERT; the typed text belongs to it. */
  readonly change: Change;
  /** Text and cursor when INSERT began. */
  readonly text: string;
  readonly cursor: number;
};

export function typedText({ text: before, cursor }: InsertSession, after: string): string {
  const head = before.slice(0, cursor);
  const tail = before.slice(cursor);
  // Typing that repeats its neighbours can be cut out in several ways; only this one is what was typed.
  const isInsertion = after.length >= before.length && after.startsWith(head) && after.endsWith(tail);
  if (isInsertion) return after.slice(head.length, after.length - tail.length);
  return differentMiddle(Array.from(before), Array.from(after));
}

/** By code points, as two emoji may share their first half. */
function differentMiddle(before: readonly string[], after: readonly string[]): string {
  const lengthMax = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < lengthMax && before[prefix] === after[prefix]) prefix++;
  let suffix = 0;
  while (suffix < lengthMax - prefix && before.at(-1 - suffix) === after.at(-1 - suffix)) suffix++;
  return after.slice(prefix, after.length - suffix).join("");
}
