/** The last lines of what running calls write, as far as they were told. */
import type { ViewEventOf } from "@kedge/protocol";
import type { ToolTail } from "./client-state.ts";

/** More is never shown while a call runs; its result has everything. */
const linesMax = 200;
const lineCharactersMax = 4_000;

type Tails = ReadonlyMap<string, ToolTail>;

export function growTail(tails: Tails, { callId, text, stream }: ViewEventOf<"task.progress">): Tails {
  const lines = [...(tails.get(callId)?.lines ?? [])];
  const [first = "", ...rest] = text.split("\n");
  const open = lines.at(-1);
  // An empty line at the end is one that the next words begin, whoever says them.
  if (open !== undefined && (open.text === "" || open.stream === stream)) {
    lines[lines.length - 1] = { stream, text: `${open.text}${first}`.slice(-lineCharactersMax) };
  } else if (open === undefined || first !== "") lines.push({ stream, text: first.slice(-lineCharactersMax) });
  for (const line of rest) lines.push({ stream, text: line.slice(-lineCharactersMax) });
  return new Map(tails).set(callId, { lines: lines.slice(-linesMax) });
}

export function dropTail(tails: Tails, callId: string): Tails {
  if (!tails.has(callId)) return tails;
  const left = new Map(tails);
  left.delete(callId);
  return left;
}
