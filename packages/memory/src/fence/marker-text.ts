/** Finds texts that look like the marks by which kedge itself speaks to a model, however they are disguised. */

/** Names of kedge's own tags and of those that models take for such, as bare letters. */
const everyName = [
  "systemreminder",
  "systemmessage",
  "systemprompt",
  "systeminstructions",
  "webcontent",
  "memorydata",
  "memoryrecord",
  "memoryfence",
  "kedgedata",
  "kedgememory",
  "untrusteddata",
  "untrustedcontent",
  "pastruns",
  "instructionfile",
  "restoredfile",
  "sessiontorecord",
  "conversationrecord",
  "handoffrecord",
  "branchrecord",
  "importedrecord",
  "previoussummary",
  "userwords",
  "toolresult",
  "toolcall",
  "functionresults",
  "functioncalls",
  "assistantmessage",
  "usermessage",
];

const openings: ReadonlySet<string> = new Set("<＜﹤‹⟨〈«❮");
const closings: ReadonlySet<string> = new Set(">＞﹥›⟩〉»❯");
/** What may stand between the letters of a name, and how often. */
const gaps: ReadonlySet<string> = new Set(" \t\n_-.:\u2010\u2011\u2012\u2013\u2014\u2015");
const gapMax = 12;
const anyGap = `[${[...gaps].join("").replace("-", "\\-")}]{0,${gapMax}}`;
const attributesMax = 300;

/** Names that are looked for, in the forms in which they are needed. */
export type MarkerSet = {
  readonly names: readonly string[];
  /** A name with anything between its letters that may stand there; made with the first text that needs it. */
  anyName: RegExp | undefined;
};

export const everyMarker = markerSet(everyName);
/** For a text that stands in its frame already. */
export const markersInFrame = markerSet(everyName.filter((name) => name !== "instructionfile"));

function markerSet(names: readonly string[]): MarkerSet {
  return { names, anyName: undefined };
}

/** Turns of chat templates. */
const everyTurn = /<\|[\w-]{1,40}\|?>|\[\/?INST\]|<<\/?SYS>>/giu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range begins with control characters
const anyUnusual = /[^\u0000-\u007f]/;
const anyBracket = /[<＜﹤‹⟨〈«❮>＞﹥›⟩〉»❯]|\[\/?INST\]/iu;

/** In texts up to this length letters alone are compared: the pattern takes longer to make than they take to read. */
const shortCharactersMax = 16_000;
const gapRun = new RegExp(`${anyGap.replace(/\{.*/, "")}+`, "g");

/** Texts without one, which are nearly all, end here; it may be said too often, and never too rarely. */
function holdsName(text: string, markers: MarkerSet): boolean {
  if (text.length <= shortCharactersMax) {
    const letters = text.toLowerCase().replaceAll(gapRun, "");
    return markers.names.some((name) => letters.includes(name));
  }
  return nextName(text, 0, markers) !== undefined;
}

/** Where a name may begin, from a place on. */
function nextName(text: string, from: number, markers: MarkerSet): number | undefined {
  markers.anyName ??= new RegExp(spelled(markers.names), "gi");
  markers.anyName.lastIndex = from;
  return markers.anyName.exec(text)?.index;
}

/** As a tree, so that each letter of the text is looked at once for all names that begin alike. */
function spelled(names: readonly string[]): string {
  const branches = [...new Set(names.map((name) => name.charAt(0)))].map((letter) => {
    const rests = names.filter((name) => name.startsWith(letter)).map((name) => name.slice(1));
    return rests.includes("") ? letter : `${letter}${anyGap}${spelled(rests)}`;
  });
  return branches.length === 1 ? branches.join("") : `(?:${branches.join("|")})`;
}

type Span = { readonly start: number; readonly end: number };

export function countMarkers(text: string, markers = everyMarker): number {
  if (!hasBracket(text)) return 0;
  return (holdsName(text, markers) ? tagsIn(text, markers).length : 0) + countTurns(text);
}

/** To compile the expressions takes longer than to read most texts, which are plain. */
function hasBracket(text: string): boolean {
  if (text.includes("<") || text.includes(">")) return true;
  return (text.includes("[") || anyUnusual.test(text)) && anyBracket.test(text);
}

function countTurns(text: string): number {
  const mayHoldTurn = text.includes("<|") || text.includes("<<") || text.includes("[");
  return mayHoldTurn ? (text.match(everyTurn)?.length ?? 0) : 0;
}

/** Again and again, because what remains could close up to a new one. */
export function removeMarkers(text: string, markers: MarkerSet): string {
  if (!hasBracket(text)) return text;
  for (let before = text; ; ) {
    const after = withoutTags(before, markers).replaceAll(everyTurn, "");
    if (after === before) return after;
    before = after;
  }
}

function withoutTags(text: string, markers: MarkerSet): string {
  if (!holdsName(text, markers)) return text;
  let kept = "";
  let from = 0;
  for (const { start, end } of tagsIn(text, markers)) {
    kept += text.slice(from, start);
    from = end;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** In one pass, from name to name: walking through every letter of a long text would take seconds. */
function tagsIn(text: string, markers: MarkerSet): readonly Span[] {
  const lower = text.toLowerCase();
  // Some letters have no single small one; then nothing can be said about places.
  const letters = lower.length === text.length ? lower : text;
  const tags: Span[] = [];
  let done = 0;
  for (let at = nextName(letters, 0, markers); at !== undefined; ) {
    const end = nameEnd(letters, at, markers.names);
    const span = end === undefined ? undefined : tagAround(letters, { start: at, end }, done);
    if (span !== undefined) {
      tags.push(span);
      done = span.end;
    }
    at = nextName(letters, span?.end ?? at + 1, markers);
  }
  return tags;
}

/** Where the longest name that begins here ends. */
function nameEnd(text: string, start: number, names: readonly string[]): number | undefined {
  const ends = names.map((name) => endOf(name, text, start)).filter((end) => end !== undefined);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

function endOf(name: string, text: string, start: number): number | undefined {
  let at = start;
  for (let letter = 0; letter < name.length; letter++) {
    if (letter > 0) at = skip(text, at, gaps, gapMax);
    if (text.charAt(at) !== name.charAt(letter)) return undefined;
    at += 1;
  }
  return at;
}

/** A name is a tag if a bracket stands on one side of it; undefined if none does. */
function tagAround(text: string, name: Span, from: number): Span | undefined {
  let start = name.start;
  while (start > from && (text.charAt(start - 1) === "/" || gaps.has(text.charAt(start - 1)))) start -= 1;
  const beforeBrackets = start;
  while (start > from && openings.has(text.charAt(start - 1))) start -= 1;
  const isOpened = start < beforeBrackets;
  const closed = closingAfter(text, name.end);
  if (isOpened) return { start, end: closed ?? name.end };
  return closed === undefined ? undefined : { start: name.start, end: closed };
}

/** Behind the brackets that end the tag, over its attributes; undefined if it is not ended. */
function closingAfter(text: string, start: number): number | undefined {
  for (let at = start; at < text.length && at - start <= attributesMax; at++) {
    const character = text.charAt(at);
    if (closings.has(character)) return skip(text, at, closings, text.length);
    if (character === "\n" || openings.has(character)) return undefined;
  }
  return undefined;
}

function skip(text: string, start: number, characters: ReadonlySet<string>, most: number): number {
  let at = start;
  while (at - start < most && characters.has(text.charAt(at))) at += 1;
  return at;
}
