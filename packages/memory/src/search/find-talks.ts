/** Recognises notes that are whole conversations: who speaks in which passage. */
import { areNames, speakerOfLine } from "./find-turns.ts";

export type Talks = {
  /** By passage, counted through all notes, in small letters; empty where nobody is named. */
  readonly speakers: readonly string[];
  /** Who speaks in each note. */
  readonly speakersOf: readonly ReadonlySet<string>[];
};

type Passage = { readonly note: number; readonly text: string };

/** With fewer lines that have a speaker, a name and a colon mean something else. */
const spokenShare = 0.5;
const linesPerSpeaker = 2;
const linesPerTalk = 4;
/** Of so many lines it is looked whether their speakers are names or words. */
const linesForNames = 2_000;

/** Undefined for notes that are no conversations. */
export function findTalks(passages: readonly Passage[], noteTotal: number): Talks | undefined {
  const speakers = passages.map(({ text }) => speakerOfLine(text));
  const spoken = speakers.filter((speaker) => speaker !== "").length;
  const names = new Set(speakers);
  names.delete("");
  if (spoken < passages.length * spokenShare || names.size < 2) return undefined;
  if (names.size * linesPerSpeaker > spoken || spoken < noteTotal * linesPerTalk) return undefined;
  const said = passages.slice(0, linesForNames).map(({ text }) => text);
  if (!areNames(names, said.join("\n"))) return undefined;
  const speakersOf = Array.from({ length: noteTotal }, () => new Set<string>());
  for (const [at, { note }] of passages.entries()) {
    const speaker = speakers[at] ?? "";
    if (speaker !== "") speakersOf[note]?.add(speaker);
  }
  return { speakers, speakersOf };
}
