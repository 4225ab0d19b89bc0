/**
 * Bundles the program into two texts: what every run loads, and what is loaded late, by the first dynamic import.
 *
 * The late part shares the modules of the first one instead of having copies: it asks for them by their path, and gets
 * the names that it uses. Which those are is only known when it was bundled, and each may bring further modules into the
 * first part; so both are bundled until nothing changes any more.
 */
import { relative, resolve, sep } from "node:path";
import {
  type BuildOptions,
  build as bundle,
  type Metafile,
  type OnResolveResult,
  type Plugin,
  type ResolveResult,
} from "esbuild";

export type SplitProgram = {
  readonly main: string;
  /** Absent where the program has no dynamic import of its own. */
  readonly late?: string;
  readonly metafiles: readonly Metafile[];
};

/** The start stub knows these names as well: `start/late-part.ts`. */
const latePrefix = "kedge-late:";
const mainPrefix = "kedge-main:";
export const latePartName = (buildId: string) => `late-${buildId}.cjs`;

const mainNamespace = "kedge-main";
const roundsMax = 8;

/** `options` are those of both parts; the entry exports `main`. */
export async function splitProgram(root: string, entry: string, options: BuildOptions): Promise<SplitProgram> {
  const at: Place = { root, known: new Map() };
  const exported = new Map<string, readonly string[]>();
  let names: ImportedNames = new Map();
  for (let round = 0; round < roundsMax; round += 1) {
    const targets = new Set<string>();
    const main = await bundleText(root, `${exportMain(entry)}${sharedModules(root, names)}`, options, [
      lateImports(at, targets),
    ]);
    if (targets.size === 0) return { main: main.text, metafiles: [main.metafile] };
    const unknown = modulesIn(main.metafile).filter((path) => !exported.has(path));
    for (const [path, list] of await exportedNames(root, unknown, options)) exported.set(path, list);
    const plugins = [mainImports(at, exported)];
    const found = importedNames((await bundleText(root, lateModules(root, targets), asModule(options), plugins)).text);
    const joined = joinNames(names, found);
    if (countOf(joined) > countOf(names)) {
      names = joined;
      continue;
    }
    const late = await bundleText(root, lateModules(root, targets), options, plugins);
    return { main: main.text, late: late.text, metafiles: [main.metafile, late.metafile] };
  }
  throw new Error(`The parts of the program still changed after ${roundsMax} rounds.`);
}

/** In one text, with what is imported dynamically in it. */
export async function wholeProgram(root: string, entry: string, options: BuildOptions): Promise<SplitProgram> {
  const { text, metafile } = await bundleText(root, exportMain(entry), options, []);
  return { main: text, metafiles: [metafile] };
}

/** Named like this, an entry without `main` fails the build and not the start. */
function exportMain(entry: string): string {
  return `export { main } from ${JSON.stringify(entry)};`;
}

/** Where everything lies, and what was found there for an import. */
type Place = { readonly root: string; readonly known: Map<string, ResolveResult> };

/** By the path of the module, from the root. */
type ImportedNames = ReadonlyMap<string, readonly string[]>;

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

/** In the first part: whatever of our own is imported dynamically is left to the late one. */
function lateImports(at: Place, targets: Set<string>): Plugin {
  return onOwnModules("late-imports", at, ({ path, kind }) => {
    if (kind !== "dynamic-import") return undefined;
    targets.add(path);
    return { path: `${latePrefix}${path}`, external: true };
  });
}

/** In the late part: a module of the first one is a list of its names, each taken from there. */
function mainImports(at: Place, exported: ImportedNames): Plugin {
  const named = onOwnModules("main-imports", at, ({ path }) =>
    exported.has(path) ? { path, namespace: mainNamespace, sideEffects: false } : undefined,
  );
  return {
    name: named.name,
    async setup(build) {
      build.onResolve({ filter: /./, namespace: mainNamespace }, ({ path }) => ({ path, external: true }));
      build.onLoad({ filter: /./, namespace: mainNamespace }, ({ path }) => {
        return { contents: `export { ${exported.get(path)?.join(", ")} } from "${mainPrefix}${path}";` };
      });
      await named.setup(build);
    },
  };
}

type OwnImport = { readonly path: string; readonly kind: string };

/** Where `place` says nothing, a module is bundled as usual. */
function onOwnModules(
  name: string,
  { root, known }: Place,
  place: (found: OwnImport) => OnResolveResult | undefined,
): Plugin {
  return {
    name,
    setup(build) {
      build.onResolve({ filter: /./ }, async ({ path, pluginData, ...options }) => {
        // Asked again, by this plugin or by another one; two that ask each other would never end.
        if (pluginData !== undefined || options.kind === "entry-point" || path.startsWith("node:")) return undefined;
        const from = `${path} ${path.startsWith(".") ? options.resolveDir : ""}`;
        const found = known.get(from) ?? (await build.resolve(path, { ...options, pluginData: name }));
        known.set(from, found);
        if (found.external || found.errors.length > 0 || found.namespace !== "file") return found;
        return place({ path: relativePath(root, found.path), kind: options.kind }) ?? found;
      });
    },
  };
}

/** Those of which something is left in the text; modules that only pass names on are not among them. */
function modulesIn({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([path, { bytesInOutput }]) => path !== "<stdin>" && bytesInOutput > 0).map(([path]) => path);
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

/** `shared(path)` gives the names that the late part imports from a module. Getters, since some are assigned later. */
function sharedModules(root: string, names: ImportedNames): string {
  const imports: string[] = [];
  const cases: string[] = [];
  for (const [index, [path, imported]] of [...names].entries()) {
    const local = (name: string) => `shared${index}_${name}`;
    const list = imported.map((name) => `${name} as ${local(name)}`).join(", ");
    imports.push(`import { ${list} } from ${JSON.stringify(resolve(root, path))};`);
    const getters = imported.map(
      (name) => `get ${name === "default" ? '"default"' : name}() { return ${local(name)}; }`,
    );
    cases.push(`case ${JSON.stringify(path)}: return { ${getters.join(", ")} };`);
  }
  if (cases.length === 0) return "";
  return `\n${imports.join("\n")}\nexport function shared(path) { switch (path) { ${cases.join("\n")} } }`;
}

/** `late(path)` gives the module; it is evaluated with the first call. */
function lateModules(root: string, targets: ReadonlySet<string>): string {
  const cases = [...targets].sort().map((path) => {
    const file = JSON.stringify(resolve(root, path));
    return `case ${JSON.stringify(path)}: return require(${file});`;
  });
  return `export function late(path) { switch (path) { ${cases.join("\n")} } }`;
}

function importedNames(text: string): ImportedNames {
  const names = new Map<string, readonly string[]>();
  for (const [, clause = "", path = ""] of text.matchAll(importStatement)) {
    const [, standard, list = ""] = /^([\w$]+)?[, ]*(?:\{(.*)\})?$/s.exec(clause) ?? [];
    if (standard === undefined && list === "") throw new Error(`the late part imports ${path} as a whole: ${clause}`);
    const listed = list.split(",").map((item) => item.trim().split(" as ", 1)[0] ?? "");
    const found = [...(names.get(path) ?? []), ...(standard === undefined ? [] : ["default"]), ...listed];
    names.set(
      path,
      found.filter((name) => name !== ""),
    );
  }
  return names;
}

const importStatement = new RegExp(`^import ([^"]+?) from "${mainPrefix}([^"]+)";$`, "gm");

/** They only become more, so that the rounds come to an end. */
function joinNames(left: ImportedNames, right: ImportedNames): ImportedNames {
  const joined = new Map(left);
  for (const [path, names] of right) joined.set(path, [...new Set([...(left.get(path) ?? []), ...names])].sort());
  return new Map([...joined].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function countOf(names: ImportedNames): number {
  return [...names.values()].reduce((sum, list) => sum + list.length, 0);
}

function relativePath(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}
