/** Which installed packages the program needs beside it at run time, and which of their files. */
import { cpSync, existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What npm writes about one package; its place is the key. */
export type LockedPackage = {
  readonly dependencies?: { readonly [name: string]: string };
  readonly optionalDependencies?: { readonly [name: string]: string };
  readonly peerDependencies?: { readonly [name: string]: string };
  readonly peerDependenciesMeta?: { readonly [name: string]: { readonly optional?: boolean } };
  /** Leads to a folder of this repository. */
  readonly link?: boolean;
};

/** By place: `""` is the repository, the others are such as `node_modules/a/node_modules/b`. */
export type LockedPackages = { readonly [place: string]: LockedPackage };

const lockVersion = 3;

export function readLock(path: string): LockedPackages {
  // npm writes this file, and its version says in which form.
  const lock = JSON.parse(readFileSync(path, "utf8")) as { lockfileVersion: number; packages: LockedPackages };
  if (lock.lockfileVersion !== lockVersion) {
    throw new Error(`${path} has version ${lock.lockfileVersion}; this script reads version ${lockVersion}.`);
  }
  return lock.packages;
}

export type Wanted = {
  readonly root: string;
  readonly lock: LockedPackages;
  /** Dependencies of the repository that are inside of the bundle, or brought along otherwise. */
  readonly isLeftOut: (name: string) => boolean;
};

/** The places of all packages that production needs, sorted; none of them is there for development only. */
export function findShippedPackages({ root, lock, isLeftOut }: Wanted): readonly string[] {
  const found = new Set<string>();
  const waiting: string[] = [];
  const take = (from: string, name: string, { isOptional }: { readonly isOptional: boolean }) => {
    const place = placeOf(lock, from, name);
    if (place !== undefined && found.has(place)) return;
    if (place === undefined || !existsSync(join(root, place))) {
      // Binaries for other systems are named as well, and are not installed.
      if (isOptional) return;
      throw new Error(`${name} is not installed; run npm ci and start again.`);
    }
    if (lock[place]?.link === true) throw new Error(`${name} is a folder of this repository and cannot be shipped.`);
    found.add(place);
    if (!isGrammar(place)) waiting.push(place);
  };
  const { dependencies = {}, optionalDependencies = {} } = lock[""] ?? {};
  for (const name of Object.keys(dependencies)) if (!isLeftOut(name)) take("", name, { isOptional: false });
  for (const name of Object.keys(optionalDependencies)) if (!isLeftOut(name)) take("", name, { isOptional: true });
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const locked = lock[place] ?? {};
    for (const name of Object.keys(locked.dependencies ?? {})) take(place, name, { isOptional: false });
    for (const name of Object.keys(locked.optionalDependencies ?? {})) take(place, name, { isOptional: true });
    for (const name of Object.keys(locked.peerDependencies ?? {})) {
      if (locked.peerDependenciesMeta?.[name]?.optional !== true) take(place, name, { isOptional: false });
    }
  }
  return [...found].sort();
}

/** Looked for as Node does: beside the package itself, then in every folder above it. */
function placeOf(lock: LockedPackages, from: string, name: string): string | undefined {
  for (let above = from; ; above = above.slice(0, Math.max(0, above.lastIndexOf("/node_modules/")))) {
    const place = above === "" ? `node_modules/${name}` : `${above}/node_modules/${name}`;
    if (lock[place] !== undefined) return place;
    if (above === "") return undefined;
  }
}

/** A grammar is used for its one WebAssembly file; the sources and binaries beside it are ten times as large. */
function isGrammar(place: string): boolean {
  return basename(place).startsWith("tree-sitter-");
}

const legal = /^(?:licen[cs]e|notice|copying)/i;
const forDevelopment = /\.(?:map|md|markdown|ts|mts|cts|flow)$/;
/** Only the uppermost ones: deeper down, these may be names of parts. */
const foldersForDevelopment = new Set(["test", "tests"]);

/** Copies what runs and what its licence asks for; nested packages are places of their own. */
export function copyShippedPackage(from: string, to: string): void {
  const isNeeded = isGrammar(from) ? isNeededOfGrammar : (name: string) => !forDevelopment.test(name);
  cpSync(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => {
      if (path === from) return true;
      const name = basename(path);
      if (name.startsWith(".") || name === "node_modules") return false;
      if (!statSync(path).isDirectory()) return legal.test(name) || isNeeded(name);
      return !isGrammar(from) && !(dirname(path) === from && foldersForDevelopment.has(name));
    },
  });
}

function isNeededOfGrammar(name: string): boolean {
  return name === "package.json" || name.endsWith(".wasm");
}
