/** Finds the sections of an instruction file that serve one part of the project, and how they would read as rules for it. */
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

export type SplitSection = {
  readonly title: string;
  /** Of its heading, counted from 1. */
  readonly line: number;
  /** As written, with its line end. */
  readonly text: string;
  /** Which files it is about, relative to the directory of the instruction file. */
  readonly patterns: readonly string[];
};

/** Less is not worth a file of its own. */
const charactersMin = 200;
const mentionsMax = 200;
const titleCharactersMax = 60;

/** `directory` is the one that the instruction file counts for. In the order of the file. */
export function sectionsForOnePlace(text: string, directory: string): readonly SplitSection[] {
  return sectionsOf(text).flatMap((section) => {
    if (section.text.length < charactersMin) return [];
    const patterns = patternsOf(section.text, directory);
    return patterns.length === 0 ? [] : [{ ...section, patterns }];
  });
}

/** As the text of a rule file. */
export function ruleTextOf({ text, patterns }: SplitSection): string {
  const paths = patterns.map((pattern) => `  - ${JSON.stringify(pattern)}\n`).join("");
  return `---\npaths:\n${paths}---\n${text.trimEnd()}\n`;
}

/** Second-level headings, with everything below them; those in code are none. */
export function sectionsOf(text: string): readonly Omit<SplitSection, "patterns">[] {
  const sections: { title: string; line: number; text: string }[] = [];
  let fence: string | undefined;
  let isInside = false;
  for (const [index, line] of text.split(/(?<=\n)/).entries()) {
    const [mark] = /^\s{0,3}(?:`{3,}|~{3,})/.exec(line)?.map((found) => found.trim().slice(0, 3)) ?? [];
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    const heading = fence === undefined ? /^(#{1,2})\s+(.*)$/.exec(line.trimEnd()) : null;
    if (heading !== null) {
      isInside = heading[1] === "##";
      if (isInside)
        sections.push({ title: (heading[2] ?? "").slice(0, titleCharactersMax), line: index + 1, text: line });
    } else if (isInside) {
      const last = sections.at(-1);
      if (last !== undefined) last.text += line;
    }
  }
  return sections;
}

/** One directory that holds all files which the section names, or else the endings of which alone it speaks. */
function patternsOf(text: string, directory: string): readonly string[] {
  const words = [...text.matchAll(/(?<![\w/:.@])(?:\.\/)?([\w.@*-]+(?:\/[\w.@*-]+)*\/?)/g)].slice(0, mentionsMax);
  const mentioned = words.map(([, word = ""]) => word.replace(/[.,:]+$/, ""));
  const places = mentioned.filter((word) => word.includes("/")).flatMap((word) => placeOf(word, directory));
  if (places.length > 0) {
    const common = commonPlace(places);
    return common === "" ? [] : [`${common}/**`];
  }
  const endings = new Set(mentioned.filter((word) => /^\*(?:\.[a-z0-9]+)+$/i.test(word)));
  return endings.size >= 1 && endings.size <= 3 ? [...endings].map((ending) => `**/${ending}`) : [];
}

/** The directory that a word names or lies in; none for what is not there. */
function placeOf(word: string, directory: string): readonly string[] {
  const plain = word.split("*")[0] ?? "";
  const path = plain === word ? plain.replace(/\/$/, "") : plain.slice(0, Math.max(0, plain.lastIndexOf("/")));
  if (path === "" || path.split("/").includes("..") || !existsSync(join(directory, path))) return [];
  const isDirectory = statSync(join(directory, path), { throwIfNoEntry: false })?.isDirectory() === true;
  const place = isDirectory ? path : dirname(path);
  return [place === "." ? "" : place];
}

function commonPlace(places: readonly string[]): string {
  const [first = "", ...others] = places;
  const steps = first.split("/");
  const isShared = (count: number) =>
    others.every((place) => `${place}/`.startsWith(`${steps.slice(0, count).join("/")}/`));
  let count = steps.length;
  while (count > 0 && !isShared(count)) count -= 1;
  return steps.slice(0, count).join("/");
}
