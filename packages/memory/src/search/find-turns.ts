/** Recognises notes that are single turns of conversations: who speaks, and which turns came before and after. */

type Note = { readonly id: string; readonly text: string };

export type Turns = {
  /** In small letters; empty where nobody is named. */
  readonly speakers: readonly string[];
  /** The turn before, by the number of its note; -1 at a beginning. */
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** What was said, without who and when. */
  readonly said: readonly string[];
  /** Turns that only ask: the answer is in the next one. */
  readonly isQuestion: readonly boolean[];
};

/** With fewer notes that have a speaker, a name and a colon mean something else. */
const spokenShare = 0.6;
const speakersMin = 2;
const turnsPerSpeaker = 3;
/** Of so many notes it is looked whether their speakers are names or words, such as `Decision`. */
const notesForNames = 200;
const textCharactersMax = 4_000;
const headCharactersMax = 400;

const frontmatter = /^---\n[\s\S]*?\n---\n/;
const bracketed = "(?:\\[[^\\]\\n]*\\]|\\([^)\\n]*\\))";
const name = "\\p{Lu}[\\p{L}\\p{M}.'’-]*(?: \\p{Lu}[\\p{L}\\p{M}.'’-]*){0,2}";
/** `Ann: …`, `**Ann** (10:15): …`, `- [2 May] Ann: …`, `Ann said, "…"` and `On 2 May, Ann said: "…"`. */
const spokenShape = `^[ \\t]*(?:[-*>][ \\t]+)?(?:${bracketed}[ \\t]*)?(?:On [^"“\\n]{1,40},[ \\t]+)?\\**(${name})\\**[ \\t]*(?:${bracketed}[ \\t]*)?(?:(?:said)?[ \\t]*:\\**[ \\t]+|said,[ \\t]+["“])`;
const spoken = new RegExp(spokenShape, "mu");
const spokenLine = new RegExp(spokenShape, "u");
const spokenLines = new RegExp(spokenShape, "gmu");
/** `speaker: Ann`, also as an entry of a list or in bold letters. */
const labelled =
  /^(?:[-*>][ \t]+)?\**(?:speaker|from|sender|author|who)\**[ \t]*:\**[ \t]*["']?([^"'\n]+?)["']?[ \t]*$/imu;
/** `# Ann` and `# Ann, 2 May`. */
const headed = new RegExp(`^#{1,6}[ \\t]+(${name})[ \\t]*(?:[,(\\[|–—-].*)?$`, "mu");

/** Undefined for notes that are no turns. */
export function findTurns(notes: readonly Note[]): Turns | undefined {
  const texts = notes.map(({ text }) => text.slice(0, textCharactersMax));
  const speakers = texts.map(speakerOf);
  const names = new Set(speakers.filter((speaker) => speaker !== ""));
  const isSpoken = speakers.filter((speaker) => speaker !== "").length >= notes.length * spokenShare;
  if (!isSpoken || names.size < speakersMin || names.size * turnsPerSpeaker > notes.length) return undefined;
  const said = texts.map((text) => text.replace(frontmatter, "").replace(spoken, "\n"));
  if (!areNames(names, said.slice(0, notesForNames).join("\n"))) return undefined;
  return { speakers, said, isQuestion: said.map(asksOnly), ...neighbours(notes) };
}

/** Empty for a note in which nobody or more than one speaks. */
function speakerOf(text: string): string {
  const label = labelled.exec(text.slice(0, headCharactersMax))?.[1];
  if (label !== undefined) return label.toLowerCase();
  const lines = text.replace(frontmatter, "").match(spokenLines) ?? [];
  if (lines.length > 1) return "";
  return ((lines.length === 1 ? spoken : headed).exec(text)?.[1] ?? "").toLowerCase();
}

/** Empty for a line that nobody says. */
export function speakerOfLine(line: string): string {
  return (spokenLine.exec(line)?.[1] ?? "").toLowerCase();
}

/** A name is never written small. */
export function areNames(names: ReadonlySet<string>, text: string): boolean {
  const words = new Set(text.match(/(?<![\p{L}\p{M}])\p{Ll}[\p{L}\p{M}]*/gu) ?? []);
  const small = [...names].filter((speaker) => speaker.split(" ").some((word) => words.has(word)));
  return small.length <= names.size / 2;
}

/** The last number of an id counts the turns; what stands around it names the session. */
function neighbours(notes: readonly Note[]): Pick<Turns, "before" | "after"> {
  const before = new Int32Array(notes.length).fill(-1);
  const after = new Int32Array(notes.length).fill(-1);
  const places = notes.map(({ id }) => /^(|[\s\S]*\D)(\d{1,9})(\D*)$/.exec(id));
  const keyOf = ([, start, , end]: RegExpExecArray, number: number) => `${start}\n${number}\n${end}`;
  const numbers = new Map(places.flatMap((place, note) => (place ? [[keyOf(place, Number(place[2])), note]] : [])));
  for (const [note, place] of places.entries()) {
    const previous = place === null ? undefined : numbers.get(keyOf(place, Number(place[2]) - 1));
    if (previous === undefined) continue;
    before[note] = previous;
    after[previous] = note;
  }
  return { before, after };
}

/** One question, perhaps after a word or two. */
function asksOnly(said: string): boolean {
  const text = said.trim();
  return text.endsWith("?") && text.split(/(?<=[.!?])\s+/u).length <= 2;
}
