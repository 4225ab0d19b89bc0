/** Redacts a text that arrives in pieces: what could still turn out to be part of a secret waits for more. */
import type { RedactionStream } from "@kedge/protocol";
import type { SecretFinder, Spans } from "./find-secrets.ts";
import { replaceSpans } from "./replace-spans.ts";

/** More than any secret has; beyond it the oldest part is let go, so that memory stays bounded. */
const heldCharactersMax = 24_000;
/** What stays then; as much as the longest secret on one line. */
const keptCharacters = 8_000;
/** What was passed on and may tell what follows: the name before a value, the character before a word. */
const contextCharacters = 80;

export function createRedactionStream(findOpen: SecretFinder["findOpen"]): RedactionStream {
  let context = "";
  let held = "";

  function release(spans: Spans, cut: number): string {
    const text = context + held;
    const from = context.length;
    const due = spans.filter(({ end }) => end > from && end <= cut).map((span) => clamped(span, from));
    const released = replaceSpans(text.slice(0, cut), due).slice(from);
    context = text.slice(Math.max(0, cut - contextCharacters), cut);
    held = text.slice(cut);
    return released;
  }

  return {
    write(chunk) {
      held += chunk;
      if (held === "") return "";
      const text = context + held;
      const { spans, settled } = findOpen(text);
      const cut = text.length - settled > heldCharactersMax ? forcedCut(text, spans) : settled;
      return cut <= context.length ? "" : release(spans, cut);
    },
    end: () => release(findOpen(context + held).spans, context.length + held.length),
  };
}

/** What was passed on stays as it was. */
function clamped<Place extends { readonly start: number }>(span: Place, from: number): Place {
  return span.start >= from ? span : { ...span, start: from };
}

/** Behind a secret that reaches over the place, and never between the halves of a character. */
function forcedCut(text: string, spans: Spans): number {
  const place = text.length - keptCharacters;
  const around = spans.find(({ start, end }) => start < place && place < end);
  if (around !== undefined) return around.end;
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff ? place - 1 : place;
}
