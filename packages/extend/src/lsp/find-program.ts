/** Finds the program of a language server or formatter, and says whose it is: the machine's, the project's or kedge's. */
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { isRunnable } from "../is-runnable.ts";

export type ProgramPlaces = {
  readonly searchPath: string;
  /** Where the project keeps programs of its own, nearest first. */
  readonly projectFolders: readonly string[];
  /** Whether a path lies in the workspace, links followed. */
  readonly isInside: (path: string) => boolean;
  /** Programs of the project are code of strangers until somebody trusted it. */
  readonly mayRunProject: boolean;
  /** The package of TypeScript that kedge was installed with. */
  readonly ownTypeScript?: string;
};

export type FoundProgram = {
  readonly file: string;
  readonly args: readonly string[];
  readonly owner: "machine" | "project" | "kedge";
};

export type Searched =
  | { readonly found: FoundProgram }
  /** A sentence part. */
  | { readonly found: undefined; readonly why: string };

/** The first major version of TypeScript that is a language server. */
const languageServerMajor = 7;

export function findProgram(commands: readonly (readonly string[])[], places: ProgramPlaces): Searched {
  let why: string | undefined;
  for (const [name, ...args] of commands) {
    if (name === undefined) continue;
    const searched = name === "tsc" ? findTypeScript(places) : findNamed(name, places);
    if (searched.found !== undefined) return { found: { ...searched.found, args } };
    why ??= searched.why;
  }
  return { found: undefined, why: why ?? "no command is configured" };
}

type Named = { readonly found: Omit<FoundProgram, "args"> } | { readonly found: undefined; readonly why: string };

function findNamed(name: string, places: ProgramPlaces): Named {
  const { searchPath, projectFolders, isInside, mayRunProject } = places;
  const machineFolders = searchPath.split(delimiter).filter(isAbsolute);
  const folders = name.includes("/") ? [""] : [...projectFolders, ...machineFolders];
  let isHeldBack = false;
  for (const folder of folders) {
    const file = join(folder, name);
    if (!isAbsolute(file) || !isRunnable(file)) continue;
    // What the project links to is the project's choice, wherever it lies.
    const isOfProject = projectFolders.includes(folder) || isInside(file);
    if (!isOfProject || mayRunProject) return { found: { file, owner: isOfProject ? "project" : "machine" } };
    isHeldBack = true;
  }
  if (isHeldBack) return { found: undefined, why: `${name} belongs to this project, which is not trusted` };
  return { found: undefined, why: `${name} is not installed` };
}

/** Started without Node in between, which saves a process and 50 ms. */
function findTypeScript(places: ProgramPlaces): Named {
  const { projectFolders, mayRunProject, ownTypeScript } = places;
  for (const folder of mayRunProject ? projectFolders : []) {
    const file = languageServerOf(join(dirname(folder), "typescript"));
    if (file !== undefined) return { found: { file, owner: "project" } };
  }
  const named = findNamed("tsc", { ...places, projectFolders: [] });
  if (named.found !== undefined) {
    const file = languageServerOf(resolve(realpathSync(named.found.file), "../.."));
    if (file !== undefined) return { found: { ...named.found, file } };
  }
  const own = ownTypeScript === undefined ? undefined : languageServerOf(ownTypeScript);
  if (own !== undefined) return { found: { file: own, owner: "kedge" } };
  return { found: undefined, why: `tsc ${languageServerMajor} or later is not installed` };
}

/** Undefined where the package is missing, too old, or was not made for this machine. */
function languageServerOf(directory: string): string | undefined {
  const version = packageVersion(directory);
  if (version === undefined || Number.parseInt(version, 10) < languageServerMajor) return undefined;
  try {
    const native = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    const file = join(dirname(createRequire(join(directory, "package.json")).resolve(native)), "lib", "tsc");
    return isRunnable(file) ? file : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function packageVersion(directory: string): string | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    return isJsonObject(read) && read["name"] === "typescript" && typeof read["version"] === "string"
      ? read["version"]
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}
