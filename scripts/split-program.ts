/**
 * Bundles the program into texts that are loaded one after the other: what every run needs, what a start with extensions
 * needs, what a run at work needs, and the rest.
 *
 * A module is in one part only. A later part asks an earlier one for its modules by their path, and gets the names that
 * it uses; an earlier part asks a later one when it calls a function of it. Which modules and names those are is only
 * known when the parts are bundled, and each may bring further modules into an earlier part; so all are bundled until
 * nothing changes any more.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type BuildOptions, build as bundle, type Metafile, type Plugin } from "esbuild";
import { exportedFunctions, onlyPassesOn } from "./exported-functions.ts";
import { type ImportedNames, type LatePart, type PartName, partImports, partNames, prefixOf } from "./part-imports.ts";

export type ProgramPart = { readonly name: PartName; readonly text: string; readonly metafile: Metafile };

/** By their path from the root: modules that only define functions, and what is imported dynamically. */
export type LateModules = ReadonlyMap<string, LatePart>;

const roundsMax = 12;

/** What one part is made of, as far as the rounds have found out. */
type Draft = {
  readonly name: PartName;
  /** Modules that earlier parts ask for. */
  readonly asked: Set<string>;
  /** Names that later parts import from modules of this one. */
  names: ImportedNames;
};

/** `options` are those of all parts; the entry exports `main`. Parts that nobody asks for are left out. */
export async function splitProgram(
  root: string,
  entry: string,
  options: BuildOptions,
  lateModules: LateModules = new Map(),
): Promise<readonly ProgramPart[]> {
  const drafts = partNames.map((name): Draft => ({ name, asked: new Set(), names: new Map() }));
  const place = { root, resolved: new Map(), lateModules };
  const exported = new Map<string, readonly string[]>();
  for (let round = 0; round < roundsMax; round += 1) {
    const countBefore = drafts.reduce((sum, { names }) => sum + countOf(names), 0);
    const held = new Map<string, PartName>();
    const parts: ProgramPart[] = [];
    for (const draft of drafts) {
      if (draft.name !== "main" && draft.asked.size === 0) continue;
      const ask = (name: LatePart, path: string) => drafts.find((other) => other.name === name)?.asked.add(path);
      const plugins = [partImports(draft.name, place, { held, exported, ask })];
      const contents = draft.name === "main" ? mainText(root, entry, draft) : laterText(root, draft);
      if (draft.name !== "main") {
        const text = await bundleText(root, contents, asModule(options), plugins);
        const found =
          draft.name === "work" ? inFirstPart(importedNames(text.text), lateModules) : importedNames(text.text);
        for (const other of drafts) other.names = joinNames(other.names, found.get(other.name) ?? new Map());
      }
      const bundled = await bundleText(root, contents, options, plugins);
      parts.push({ name: draft.name, ...bundled });
      const modules = modulesIn(root, bundled.metafile).filter((path) => !held.has(path));
      const unknown = modules.filter((path) => !exported.has(path));
      for (const [path, list] of await exportedNames(root, unknown, options)) exported.set(path, list);
      // A module of types has nothing to share.
      for (const path of modules) if ((exported.get(path)?.length ?? 0) > 0) held.set(path, draft.name);
    }
    if (drafts.reduce((sum, { names }) => sum + countOf(names), 0) === countBefore) return parts;
  }
  throw new Error(`The parts of the program still changed after ${roundsMax} rounds.`);
}

/** In one text, with what is imported dynamically in it. */
export async function wholeProgram(
  root: string,
  entry: string,
  options: BuildOptions,
): Promise<readonly ProgramPart[]> {
  return [{ name: "main", ...(await bundleText(root, exportMain(entry), options, [])) }];
}

/** Named like this, an entry without `main` fails the build and not the start. */
function exportMain(entry: string): string {
  return `export { main } from ${JSON.stringify(entry)};`;
}

async function bundleText(root: string, contents: string, options: BuildOptions, plugins: readonly Plugin[]) {
  const stdin = { contents, resolveDir: root };
  const { outputFiles = [], metafile } = await bundle({
    ...options,
    ...{ absWorkingDir: root, bundle: true, write: false, metafile: true, outfile: "out.js", stdin },
    plugins: [...(options.plugins ?? []), ...plugins],
  });
  const [file] = outputFiles;
  if (file === undefined || outputFiles.length !== 1) throw new Error(`expected one file, got ${outputFiles.length}`);
  return { text: file.text, metafile };
}

/** In this form all imports stand at the beginning, with the names that are left of them. */
function asModule(options: BuildOptions): BuildOptions {
  return { ...options, format: "esm", minify: false, banner: {} };
}

/** Those of which something is left in the text; modules that only pass names on are not among them. */
function modulesIn(root: string, { outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const paths = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  // What has a colon in its name was made by the build.
  const files = paths.filter((path) => !/[<:]/.test(path));
  return files.filter((path) => !onlyPassesOn(readFileSync(resolve(root, path), "utf8")));
}

async function exportedNames(root: string, modules: readonly string[], options: BuildOptions): Promise<ImportedNames> {
  if (modules.length === 0) return new Map();
  const alone: Plugin = {
    name: "alone",
    setup(build) {
      build.onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === "entry-point" ? undefined : { path, external: true },
      );
    },
  };
  const { metafile } = await bundle({
    ...asModule(options),
    ...{
      absWorkingDir: root,
      bundle: true,
      entryPoints: [...modules],
      outdir: "out",
      outbase: root,
      write: false,
      metafile: true,
    },
    plugins: [alone, ...(options.plugins ?? [])],
  });
  const found = Object.values(metafile.outputs).map(({ entryPoint = "", exports }) => [entryPoint, exports] as const);
  return new Map(found);
}

/**
 * `give(path)` gives the names that later parts import from a module. Getters, since some are assigned later; not for
 * modules of functions, which later parts call at every turn.
 */
function mainText(root: string, entry: string, { names }: Draft): string {
  const imports: string[] = [exportMain(entry)];
  const cases: string[] = [];
  for (const [index, [path, imported]] of [...names].entries()) {
    const local = (name: string) => `shared${index}_${name}`;
    const list = imported.map((name) => `${name} as ${local(name)}`).join(", ");
    imports.push(`import { ${list} } from ${JSON.stringify(resolve(root, path))};`);
    const areFixed = path.endsWith(".ts") && exportedFunctions(readFileSync(resolve(root, path), "utf8")) !== undefined;
    const members = imported.map((name) => {
      const key = name === "default" ? '"default"' : name;
      return areFixed ? `${key}: ${local(name)}` : `get ${key}() { return ${local(name)}; }`;
    });
    cases.push(`case ${JSON.stringify(path)}: return { ${members.join(", ")} };`);
  }
  return `${imports.join("\n")}\n${cases.length === 0 ? "" : giveFunction(cases)}`;
}

/** `give(path)` gives a module, which is evaluated with the first call. */
function laterText(root: string, { asked, names }: Draft): string {
  const cases = [...new Set([...asked, ...names.keys()])].sort().map((path) => {
    const file = JSON.stringify(resolve(root, path));
    return `case ${JSON.stringify(path)}: return require(${file});`;
  });
  return giveFunction(cases);
}

function giveFunction(cases: readonly string[]): string {
  return `export function give(path) { switch (path) { ${cases.join("\n")} } }`;
}

/** By part, then by module. */
function importedNames(text: string): ReadonlyMap<PartName, ImportedNames> {
  return new Map(partNames.map((part) => [part, namesImportedFrom(part, text)]));
}

/**
 * What a run at work would take from the part for extensions only because both import it goes to the first part: no run
 * without extensions loads theirs.
 */
function inFirstPart(
  found: ReadonlyMap<PartName, ImportedNames>,
  lateModules: LateModules,
): ReadonlyMap<PartName, ImportedNames> {
  const ofExtras = [...(found.get("extras") ?? new Map<string, readonly string[]>())];
  const shared = new Map(ofExtras.filter(([path]) => lateModules.get(path) !== "extras"));
  return new Map(found).set("main", joinNames(found.get("main") ?? new Map(), shared));
}

function namesImportedFrom(part: PartName, text: string): ImportedNames {
  const names = new Map<string, readonly string[]>();
  for (const [, clause = "", path = ""] of text.matchAll(importStatement(part))) {
    const [, standard, list = ""] = /^([\w$]+)?[, ]*(?:\{(.*)\})?$/s.exec(clause) ?? [];
    if (standard === undefined && list === "") throw new Error(`a part imports ${path} as a whole: ${clause}`);
    const listed = list.split(",").map((item) => item.trim().split(" as ", 1)[0] ?? "");
    const found = [...(names.get(path) ?? []), ...(standard === undefined ? [] : ["default"]), ...listed];
    names.set(
      path,
      found.filter((name) => name !== ""),
    );
  }
  return names;
}

const importStatement = (part: PartName) => new RegExp(`^import ([^"]+?) from "${prefixOf(part)}([^"]+)";$`, "gm");

/** They only become more, so that the rounds come to an end. */
function joinNames(left: ImportedNames, right: ImportedNames): ImportedNames {
  const joined = new Map(left);
  for (const [path, names] of right) joined.set(path, [...new Set([...(left.get(path) ?? []), ...names])].sort());
  return new Map([...joined].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function countOf(names: ImportedNames): number {
  return [...names.values()].reduce((sum, list) => sum + list.length, 0);
}
