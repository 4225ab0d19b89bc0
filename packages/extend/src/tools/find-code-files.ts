/** Finds the files of tool and plugin folders: those that run, those that are only named, and what they import. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, resolve, sep } from "node:path";
import { namesIn } from "../names-in.ts";

/** What runs. Everything else in such a folder is only named. */
const codeEndings: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts"]);
const namedEndings: ReadonlySet<string> = new Set([".md", ".json", ".sh", ".bash", ".py"]);
const filesMax = 100;
const importsMax = 500;
const bytesMax = 2 * 1024 * 1024;

export type FolderFiles = {
  /** Absolute real paths, sorted by name. */
  readonly code: readonly string[];
  /** Files that are listed and never run. */
  readonly metadata: readonly string[];
};

/** `weather.ts` and `weather/index.ts`; nothing where there is no folder. Nothing outside of `within` is followed. */
export function findCodeFiles(folder: string, within: string): FolderFiles {
  const code: string[] = [];
  const metadata: string[] = [];
  for (const name of namesIn(folder).slice(0, filesMax)) {
    const path = join(folder, name);
    const ending = extname(name);
    if (isFile(path)) {
      if (codeEndings.has(ending) && !/\.(?:d|test|spec)\.[cm]?[jt]s$/.test(name)) code.push(path);
      else if (namedEndings.has(ending)) metadata.push(path);
      continue;
    }
    const index = ["index.ts", "index.js"].map((each) => join(path, each)).find(isFile);
    if (index !== undefined) code.push(index);
  }
  const inside = (path: string) => realPathWithin(path, within) ?? [];
  return { code: [...new Set(code.flatMap(inside))], metadata };
}

/** The files and everything that they import by a relative path, as far as their text says so. */
export function withImports(files: readonly string[], within: string): readonly string[] {
  const found = new Set<string>();
  const open = [...files];
  for (let path = open.pop(); path !== undefined && found.size < importsMax; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const specifier of relativeImports(textOf(path))) {
      const target = importedFile(dirname(path), specifier);
      const real = target === undefined ? undefined : realPathWithin(target, within);
      if (real !== undefined) open.push(real);
    }
  }
  return [...found];
}

function relativeImports(text: string): readonly string[] {
  const pattern = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
  return [...text.matchAll(pattern)].flatMap(([, specifier]) => specifier ?? []);
}

const importEndings = ["", ".ts", ".js", ".mts", ".mjs", ".cjs", "/index.ts", "/index.js"];

function importedFile(folder: string, specifier: string): string | undefined {
  const path = resolve(folder, specifier);
  return [...importEndings.map((ending) => path + ending), path.replace(/\.js$/, ".ts")].find(isFile);
}

function textOf(path: string): string {
  try {
    return statSync(path).size <= bytesMax ? readFileSync(path, "utf8") : "";
  } catch {
    // Gone or unreadable by now; whoever loads it says so.
    return "";
  }
}

/** What leads out of the project is somebody else's file. */
function realPathWithin(path: string, within: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return real.startsWith(within + sep) ? real : undefined;
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
