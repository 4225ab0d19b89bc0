/** Finds the existing files that the words of a command name, for programs of which nobody knows what they read. */
import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { findMatches } from "./glob-matches.ts";
import { isPlaceless } from "./known-names.ts";
import { recordFile } from "./record-file.ts";
import type { ProgramInsight, ShellWord } from "./shell-command.ts";
import type { Places, ShellWalk } from "./shell-walk.ts";

/** They use names and never show what is in a file. */
const nameUsers: ReadonlySet<string> = new Set(
  "basename chgrp chmod chown dirname kill ls mkdir pgrep pkill readlink realpath rm rmdir shred stat touch unlink which".split(
    " ",
  ),
);

/** Text in quotes is a message to people there, which names files and reads none. */
const messengers: ReadonlySet<string> = new Set("git gh glab hg jj svn tea".split(" "));

/** More words are not looked at one by one: a list of files that long was made by a pattern. */
const wordsMax = 500;

export type MentioningCommand = {
  readonly name: string;
  readonly words: readonly ShellWord[];
  readonly insight: ProgramInsight;
};

/** What a row says of a program that only looks is the whole of what it reads; of others it may be a part. */
export function recordMentions(walk: ShellWalk, { name, words, insight }: MentioningCommand, places: Places): void {
  if (insight.readOnly || insight.isTransparent || isPlaceless(name) || nameUsers.has(name)) return;
  for (const word of words.slice(1, wordsMax)) {
    const { isGlob } = word;
    const texts = isGlob ? new Set([word.text]) : namesIn(word.text);
    for (const text of texts) recordMention(walk, { name, text, isGlob, isMentioned: "word" }, places);
    if (isGlob || messengers.has(name)) continue;
    for (const part of word.text.split(/[\s'"`(),;<>|&]+/)) {
      for (const text of namesIn(part)) {
        if (!texts.has(text)) recordMention(walk, { name, text, isGlob, isMentioned: "text" }, places);
      }
    }
  }
}

type Mention = {
  readonly name: string;
  readonly text: string;
  readonly isGlob: boolean;
  readonly isMentioned: "word" | "text";
};

function recordMention(walk: ShellWalk, { name, text, isGlob, isMentioned }: Mention, places: Places): void {
  const found = places.flatMap((place) => filesAt(isAbsolute(text) ? "/" : place, text, isGlob));
  for (const path of new Set(found)) {
    if (walk.files.some((use) => use.path === path && use.by === name)) continue;
    const literal = { text: path, isLiteral: true, isSplit: false, isGlob: false };
    recordFile(walk, { word: literal, access: "read", by: name, isMentioned }, [undefined]);
  }
}

function filesAt(place: string | undefined, text: string, isGlob: boolean): readonly string[] {
  if (place === undefined) return [];
  const whole = isAbsolute(text) ? text : join(place, text);
  if (!isGlob) return isFile(whole) ? [whole] : [];
  const matches = findMatches(whole) ?? [];
  return matches.map(({ directory, name }) => join(directory, name)).filter(isFile);
}

/** The word itself, the value of an option or a setting, and `@file`. */
function namesIn(word: string): ReadonlySet<string> {
  const values = [word, ...word.split(/[=@:]/), ...(/^-[^-]/.test(word) ? [word.slice(2)] : [])];
  return new Set(values.filter((value) => value !== "" && value.length < charactersMax && !value.includes("\0")));
}

/** No system opens a longer name. */
const charactersMax = 4_096;

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    // What cannot be looked at cannot be read by a command of the same user.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
