/** Places the files that redirections and programs name, and tells which of them need a person. */
import { isAbsolute, normalize } from "node:path";
import { isNetworkShare, isProcessPattern, judgeDevice } from "./device-files.ts";
import { isProtectedPath } from "./protected-targets.ts";
import type { ShellWord } from "./shell-command.ts";
import { addConcern, type Places, type ShellWalk } from "./shell-walk.ts";

export type UsedFile = {
  readonly word: ShellWord;
  /** The path when it is a part of the word. */
  readonly path?: string;
  readonly access: "read" | "write";
  readonly by: string;
};

export function recordFile(walk: ShellWalk, file: UsedFile, places: Places): undefined {
  const text = file.path ?? file.word.text;
  if (file.word.isGlob) return recordPattern(walk, file, places);
  if (file.word.isPipe) return undefined;
  if (!file.word.isLiteral) return addUse(walk, file, { path: undefined, place: "outside", isProtected: false });
  if (isNetworkShare(text)) addConcern(walk, text, "A path to another machine can give credentials away.");
  for (const full of isAbsolute(text) ? [text] : joinEach(places, text)) recordPath(walk, file, full);
}

export function joinEach(places: Places, text: string): readonly (string | undefined)[] {
  return places.map((place) => (place === undefined ? undefined : `${place}/${text}`));
}

const ofProcess = "It shows variables, memory or files of a process, in which secrets can be.";

function recordPath(walk: ShellWalk, file: UsedFile, full: string | undefined): undefined {
  if (full === undefined) return addUse(walk, file, { path: undefined, place: "outside", isProtected: false });
  const path = normalize(full).replace(/(?<=.)\/$/, "");
  const device = judgeDevice(path, file.access);
  if (device === "free") return;
  if (device === "network") addConcern(walk, path, "It opens a connection to the network.");
  if (device === "refused") addConcern(walk, path, "It is a device and not a file.");
  if (device === "process") addConcern(walk, path, ofProcess);
  if (device === "disk") walk.guard ??= `It would write over the disk ${path}.`;
  const isProtected = file.access === "write" && isProtectedPath(path, walk.place);
  // As written, because `link/..` is another place for the kernel than for a reader of the text.
  addUse(walk, file, { path, place: walk.place.judgePath(full), isProtected });
}

/** Names of existing files take the place of a pattern: they lie below what stands before its first sign. */
function recordPattern(walk: ShellWalk, file: UsedFile, places: Places): undefined {
  const text = file.path ?? file.word.text;
  const steps = text.split("/");
  const first = steps.findIndex((step) => /[*?[]/.test(step));
  const rest = steps.slice(first);
  // Such a step can be `..`, or the name of a hidden file.
  const isHidden = rest.some((step) => step.startsWith("."));
  if (isHidden) return addUse(walk, file, { path: undefined, place: "outside", isProtected: file.access === "write" });
  for (const full of isAbsolute(text) ? [text] : joinEach(places, text)) {
    if (full !== undefined && isProcessPattern(normalize(full))) addConcern(walk, text, ofProcess);
  }
  const before = steps.slice(0, first).join("/");
  const fixed = before === "" && text.startsWith("/") ? "/" : before === "" ? "." : before;
  for (const full of isAbsolute(fixed) ? [fixed] : joinEach(places, fixed)) recordPath(walk, file, full);
}

type UsePlace = {
  readonly path: string | undefined;
  readonly place: "inside" | "outside";
  readonly isProtected: boolean;
};

function addUse(walk: ShellWalk, file: UsedFile, { path, place, isProtected }: UsePlace): undefined {
  const text = file.path ?? file.word.text;
  const isThere = walk.files.some(
    (use) => use.path === path && use.text === text && use.access === file.access && use.by === file.by,
  );
  if (!isThere) walk.files.push({ path, text, access: file.access, by: file.by, isProtected, place });
}
