/** The subjects that a path brings along: its other names, the directory outside that it leads into, its secrets. */
import { dirname, sep } from "node:path";
import type { OtherName } from "@kedge/protocol";
import { pathSpellings } from "./absolute-path.ts";
import { exactly } from "./glob.ts";
import type { Subject } from "./subject.ts";

const noTexts: readonly string[] = [];

/** With a final slash too, so that a rule for everything below a directory is met by who names the directory to read it. */
export function withBelow(spellings: readonly string[]): readonly string[] {
  return spellings.flatMap((spelling) => [spelling, `${spelling}/`]);
}

/** The same file by another name: nothing is asked about it again, but whatever a rule says of the name counts. */
export function otherName(
  name: OtherName,
  { permission, stated, place }: Pick<Subject, "permission" | "stated" | "place">,
  root: string,
): Subject {
  const names = name.flatMap((path) => pathSpellings(path, root));
  const spellings = permission === "read" ? withBelow(names) : names;
  return {
    permission,
    stated,
    spellings,
    commandTexts: noTexts,
    always: [],
    isCovered: true,
    path: name[0] ?? stated,
    ...(place !== undefined && { place }),
  };
}

/** Which names of a path that leads outside lie there; its own only if it is not merely a link in the workspace. */
export function namesOutside(path: string, otherNames: readonly OtherName[], root: string): readonly OtherName[] {
  const isInRoot = (name: string) => name === root || name.startsWith(root.endsWith(sep) ? root : root + sep);
  const names = [[path], ...otherNames].filter((name) => !name.some(isInRoot));
  return names.length === 0 ? [[path]] : names;
}

export function externalDirectory(name: OtherName, home: string | undefined): Subject {
  const directory = name[0] ?? "";
  const isWide = directory === dirname(directory) || directory === home;
  return {
    permission: "external_directory",
    stated: directory,
    spellings: withBelow(name),
    commandTexts: noTexts,
    always: isWide ? [directory] : exactly(directory).map((text) => `${text}/*`),
    path: directory,
  };
}

export function secretFile(path: string): Subject {
  return {
    permission: "secret_file",
    stated: path,
    spellings: [path],
    commandTexts: noTexts,
    always: exactly(path),
    path,
  };
}
