/** Places the files that redirections and programs name, and tells which of them need a person. */
import { lstatSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { type FileUse, isNetworkShare, type PathLook } from "@kedge/protocol";
import { isProcessPattern, judgeDevice } from "./device-files.ts";
import { findMatches, isPattern } from "./glob-matches.ts";
import { isProtectedPath } from "./protected-targets.ts";
import type { ShellWord } from "./shell-command.ts";
import { addConcern, type Places, type ShellWalk } from "./shell-walk.ts";

export type UsedFile = {
  readonly word: ShellWord;
  /** The path when it is a part of the word. */
  readonly path?: string;
  readonly access: "read" | "write";
  readonly by: string;
  /** A word names it, or the text in one, and nobody knows whether the program reads it. */
  readonly isMentioned?: "word" | "text";
  /** Nothing of its content is shown. */
  readonly onlyNames?: true;
};

export function recordFile(walk: ShellWalk, file: UsedFile, places: Places): undefined {
  const text = file.path ?? file.word.text;
  if (file.word.isGlob) return recordPattern(walk, file, places);
  if (file.word.isPipe) return undefined;
  if (!file.word.isLiteral) return addUse(walk, { ...unknownPlace, ...asNamed(file) });
  if (isNetworkShare(text)) addConcern(walk, text, "A path to another machine can give credentials away.");
  for (const full of isAbsolute(text) ? [text] : joinEach(places, text)) recordPath(walk, file, full);
}

function joinEach(places: Places, text: string): readonly (string | undefined)[] {
  return places.map((place) => (place === undefined ? undefined : `${place}/${text}`));
}

const ofProcess = "It shows variables, memory or files of a process, in which secrets can be.";

function recordPath(walk: ShellWalk, file: UsedFile, full: string | undefined): undefined {
  if (full === undefined) return addUse(walk, { ...unknownPlace, ...asNamed(file) });
  const path = normalize(full).replace(/(?<=.)\/$/, "");
  // A command has descriptors of its own, which say nothing about files.
  if (judgeDevice(path, file.access) === "free") return;
  // As written, because `link/..` is another place for the kernel than for a reader of the text.
  addUse(walk, useOf(walk, file, { path, look: walk.place.lookAtPath(full) }));
}

type Looked = { readonly path: string; readonly look: PathLook };

/** What is said of a file is said of each of its names. */
function useOf(walk: ShellWalk, file: UsedFile, { path, look }: Looked): FileUse {
  const { place, otherNames } = look;
  const names = otherNames.length === 0 ? [path] : [path, ...otherNames.flat()];
  for (const name of names) noteDevice(walk, name, file.access);
  const isProtected = file.access === "write" && names.some((name) => isProtectedPath(name, walk.place));
  return {
    ...{ path, place, isProtected },
    ...(otherNames.length > 0 && { otherNames }),
    ...(file.onlyNames && { onlyNames: true }),
    ...(file.isMentioned !== undefined && { isMentioned: file.isMentioned }),
    ...asNamed(file),
  };
}

function noteDevice(walk: ShellWalk, path: string, access: "read" | "write"): void {
  const device = judgeDevice(path, access);
  if (device === "network") addConcern(walk, path, "It opens a connection to the network.");
  if (device === "refused") addConcern(walk, path, "It is a device, not a file.");
  if (device === "process") addConcern(walk, path, ofProcess);
  if (device === "disk") walk.guard ??= `It would write over the disk ${path}.`;
}

/** Names of existing files take the place of a pattern: they lie below what stands before its first sign. */
function recordPattern(walk: ShellWalk, file: UsedFile, places: Places): undefined {
  const text = file.path ?? file.word.text;
  const steps = text.split("/");
  const first = steps.findIndex(isPattern);
  const rest = steps.slice(first);
  // Such a step can be `..`, or the name of a hidden file.
  const isHidden = rest.some((step) => step.startsWith("."));
  if (isHidden) addUse(walk, { ...unknownPlace, ...asNamed(file), isProtected: file.access === "write" });
  for (const full of isAbsolute(text) ? [text] : joinEach(places, text)) {
    if (full === undefined) continue;
    if (isProcessPattern(normalize(full))) addConcern(walk, text, ofProcess);
    recordMatches(walk, file, full);
  }
  if (isHidden) return undefined;
  const before = steps.slice(0, first).join("/");
  const fixed = before === "" && text.startsWith("/") ? "/" : before === "" ? "." : before;
  for (const full of isAbsolute(fixed) ? [fixed] : joinEach(places, fixed)) recordPath(walk, file, full);
}

/** Each file that is there now. One with a single name is where its directory is, so only the directory is looked at. */
function recordMatches(walk: ShellWalk, file: UsedFile, pattern: string): undefined {
  const matches = findMatches(pattern);
  if (matches === undefined) return addUse(walk, { ...unknownPlace, ...asNamed(file) });
  const looks = new Map<string, PathLook>();
  // There can be thousands, too many to compare each with each.
  const known = new Set(walk.files.flatMap((use) => (isSameUse(use, asNamed(file)) ? [use.path] : [])));
  for (const { directory, name, isLink } of matches) {
    const path = join(directory, name);
    if (known.has(path)) continue;
    const isNamedTwice = isLink || hasSeveralNames(path);
    const look = isNamedTwice ? walk.place.lookAtPath(`${directory}/${name}`) : lookAtEntry(name, lookOnce(directory));
    walk.files.push(useOf(walk, file, { path, look }));
  }
  function lookOnce(directory: string): PathLook {
    const look = looks.get(directory) ?? walk.place.lookAtPath(directory);
    looks.set(directory, look);
    return look;
  }
}

function hasSeveralNames(path: string): boolean {
  try {
    return (lstatSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1;
  } catch (error) {
    // What cannot be looked at is looked at once more by whoever judges paths, and counts as outside there.
    if (error instanceof Error && "code" in error) return true;
    throw error;
  }
}

function lookAtEntry(name: string, { place, otherNames }: PathLook): PathLook {
  return { place, otherNames: otherNames.map((spellings) => spellings.map((spelling) => join(spelling, name))) };
}

const unknownPlace = { path: undefined, place: "outside", isProtected: false } as const;

type Naming = Pick<FileUse, "text" | "access" | "by">;

function asNamed({ path, word, access, by }: UsedFile): Naming {
  return { text: path ?? word.text, access, by };
}

function isSameUse(use: FileUse, { text, access, by }: Naming): boolean {
  return use.text === text && use.access === access && use.by === by;
}

function addUse(walk: ShellWalk, use: FileUse): undefined {
  if (!walk.files.some((one) => one.path === use.path && isSameUse(one, use))) walk.files.push(use);
}
