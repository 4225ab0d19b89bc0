/** Names the files that unpacking an archive would overwrite, for the question about it. */

import { isAbsolute, join, normalize, relative, resolve } from "node:path";
import { counted } from "@kedge/protocol";
import { shapeOf } from "./command-rows.ts";
import type { MachineLook } from "./machine-look.ts";
import { plainText } from "./plain-text.ts";

/** What is unpacked, and where to. */
type Unpacking = {
  readonly archive: string;
  readonly into: string;
  /** Only these, where some are named. */
  readonly members: readonly string[];
};

/** More would bury the rest of the question. */
const shownMax = 8;

export function isUnpacking(text: string): boolean {
  return unpackingIn(text) !== undefined;
}

/** Nothing for archives that cannot be read: then the question says what it always says. */
export async function unpackedLines(
  text: string,
  { machine, directory }: { readonly machine: MachineLook; readonly directory: string },
): Promise<readonly string[]> {
  const unpacking = unpackingIn(text);
  if (unpacking === undefined) return [];
  const found = await machine.archiveNames?.(resolve(directory, unpacking.archive));
  if (found === undefined) return [];
  const into = resolve(directory, unpacking.into);
  const wanted = unpacking.members.map((name) => normalize(name));
  const isWanted = (name: string) =>
    wanted.length === 0 || wanted.some((one) => name === one || name.startsWith(one.endsWith("/") ? one : `${one}/`));
  const inside = found.items
    .map((name) => normalize(name))
    .filter((name) => !isAbsolute(name) && !/^\.\.(?:\/|$)/.test(name) && isWanted(name));
  const there = await machine.lookAt([...new Set(inside)].map((name) => join(into, name)));
  const shown = there.slice(0, shownMax).map(({ path }) => `overwrites: ${plainText(relative(directory, path))}`);
  return [
    ...shown,
    ...(there.length > shownMax ? [`overwrites ${counted(there.length - shownMax, "more file")}`] : []),
    ...(found.isComplete ? [] : [`${plainText(unpacking.archive)} contains more files than were checked`]),
  ];
}

function unpackingIn(text: string): Unpacking | undefined {
  // Words that a shell would still change are not guessed.
  if (/["'\\$`*?[{~]/.test(text)) return undefined;
  const { program } = shapeOf(text);
  const words = text.split(/\s+/).slice(1);
  if (program === "tar" || program === "bsdtar") return unpackingByTar(words);
  return program === "unzip" ? unpackingByUnzip(words) : undefined;
}

/** Options that give members other names, or write them nowhere. */
const elsewhere =
  /^(?:--strip-components|--transform|--xform|--to-stdout|--to-command|-O$|--one-top-level|--keep-old-files|--skip-old-files)/;

function unpackingByTar(words: readonly string[]): Unpacking | undefined {
  let archive: string | undefined;
  let into = ".";
  let isExtracting = false;
  const members: string[] = [];
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place] ?? "";
    const next = words[place + 1];
    if (elsewhere.test(word)) return undefined;
    if (word === "--extract" || word === "--get") isExtracting = true;
    else if (word.startsWith("--file=")) archive = word.slice("--file=".length);
    else if (word.startsWith("--directory=")) into = word.slice("--directory=".length);
    else if (word === "--file" || word === "--directory" || word === "-C") {
      if (word === "--file") archive = next;
      else into = next ?? into;
      place += 1;
    } else if (/^-?[A-Za-z]+$/.test(word) && (place === 0 || word.startsWith("-"))) {
      const letters = word.replace("-", "");
      if (letters.includes("O") || letters.includes("k")) return undefined;
      isExtracting ||= letters.includes("x");
      if (!letters.endsWith("f")) continue;
      archive = next;
      place += 1;
    } else if (!word.startsWith("-")) members.push(word);
  }
  return isExtracting && archive !== undefined && archive !== "-" ? { archive, into, members } : undefined;
}

function unpackingByUnzip(words: readonly string[]): Unpacking | undefined {
  const options = words.filter((word) => word.startsWith("-"));
  if (options.some((word) => word !== "-d" && /[ltpvzZcn]/.test(word.slice(1)))) return undefined;
  const at = words.indexOf("-d");
  const operands = words.filter((word, place) => !word.startsWith("-") && (at === -1 || place !== at + 1));
  const [archive, ...members] = operands;
  return archive === undefined ? undefined : { archive, members, into: (at === -1 ? undefined : words[at + 1]) ?? "." };
}
