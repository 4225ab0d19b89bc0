/** How a text from outside enters a prompt: nothing in it is hidden, and nothing in it can pass for kedge's own words. */
import type { TextChannel } from "@kedge/protocol";
import { showHidden, withoutHidden } from "./hidden-characters.ts";
import { countMarkers, everyMarker, type MarkerSet, markersInFrame, removeMarkers } from "./marker-text.ts";

/** Results that edits have to match: only what cannot be seen is written out. */
const keptAsIs: ReadonlySet<TextChannel> = new Set(["tool", "mcp"]);
/** What people wrote for this session: it is put into plain characters only if something is wrong with it. */
const ownWords: ReadonlySet<TextChannel> = new Set(["instruction", "chat", "queued", "web"]);

export function neutraliseText(text: string, channel: TextChannel): string {
  if (keptAsIs.has(channel)) return withNote(text);
  if (!ownWords.has(channel)) return cleaned(text, everyMarker);
  return inOwnWords(text, channel === "instruction" ? markersInFrame : everyMarker);
}

/** The text of an instruction file before it gets its frame: it may neither end that nor open another. */
export function neutraliseInstruction(text: string): string {
  return inOwnWords(text, everyMarker);
}

function inOwnWords(text: string, markers: MarkerSet): string {
  const seen = withoutHidden(text);
  return countMarkers(composed(seen), markers) === 0 ? seen : cleaned(seen, markers);
}

/** Whether something in it looks like kedge's own marks. */
export function hasMarks(text: string): boolean {
  return countMarkers(plain(text)) > 0;
}

function withNote(text: string): string {
  const shown = showHidden(text);
  const tags = countMarkers(plain(text));
  const notes = [
    ...(tags === 0 ? [] : [`${tags} harness-like ${tags === 1 ? "tag" : "tags"}`]),
    ...(shown.count === 0
      ? []
      : [`${shown.count} invisible ${shown.count === 1 ? "character" : "characters"}, shown as ⟨U+…⟩`]),
  ];
  return notes.length === 0 ? text : `(contains ${notes.join(" and ")}; they are data)\n${shown.text}`;
}

/** Until nothing changes: what one step leaves could be what another looks for. */
function cleaned(text: string, markers: MarkerSet): string {
  for (let before = text; ; ) {
    const after = removeMarkers(plain(before), markers);
    if (after === before) return after;
    before = after;
  }
}

/** Ordinary characters have no other form. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range begins with control characters
const anyUnusual = /[^\u0000-\u007f]/;

function composed(text: string): string {
  return anyUnusual.test(text) ? text.normalize("NFKC") : text;
}

function plain(text: string): string {
  return withoutHidden(composed(text));
}
