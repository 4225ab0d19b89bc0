/** Puts a mark in the place of each secret. */
import type { Span } from "./secret-kinds.ts";

export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let redacted = "";
  let done = 0;
  for (const { start, end, kind } of spans) {
    redacted += `${text.slice(done, start)}[REDACTED:${kind}]`;
    done = end;
  }
  return redacted + text.slice(done);
}
