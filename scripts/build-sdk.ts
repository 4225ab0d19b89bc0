/**
 * Makes `dist/sdk/`, or the folder that is named: the published SDK and the client alone, each one ES module, with
 * their types.
 *
 * It is a folder of its own because the files beside it are CommonJS. A build works in its own folder and puts the whole
 * in place at its end.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type BuildOptions, build as bundle } from "esbuild";
import { readVersion, unbundledPackages } from "./build.ts";
import { inlineProgram } from "./inline-program.ts";
import { inlineText } from "./inline-text.ts";
import { type OpenApiDocument, routeTypes } from "./route-types.ts";
import { findModuleReferences } from "./source-scan.ts";

type Entry = { readonly name: string; readonly source: string; readonly options: BuildOptions };

/** Modules that were written for CommonJS ask for Node's own by a function that ES modules do not have. */
const requireBanner =
  'import{createRequire as kedgeCreateRequire}from"node:module";const require=kedgeCreateRequire(import.meta.url);';

const entries: readonly Entry[] = [
  {
    name: "index",
    source: "cli/src/sdk/index.ts",
    options: { platform: "node", target: "node22", external: unbundledPackages, banner: { js: requireBanner } },
  },
  // For browsers: anything of Node in it fails the build.
  { name: "client", source: "sdk/src/client.ts", options: { platform: "browser", target: "es2024" } },
];

export async function buildSdk(root: string, outDirectory: string): Promise<void> {
  const work = `${outDirectory}.${process.pid}`;
  mkdirSync(join(work, "types"), { recursive: true });
  try {
    const version = readVersion(join(root, "package.json"));
    await Promise.all(entries.map((entry) => bundleEntry({ root, work, version }, entry)));
    writeFileSync(join(work, "package.json"), '{ "type": "module" }\n');
    writeTypes(root, work);
    rmSync(outDirectory, { recursive: true, force: true });
    renameSync(work, outDirectory);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

type Place = { readonly root: string; readonly work: string; readonly version: string };

async function bundleEntry({ root, work, version }: Place, { name, source, options }: Entry): Promise<void> {
  await bundle({
    entryPoints: [join(root, "packages", source)],
    outfile: join(work, `${name}.js`),
    bundle: true,
    format: "esm",
    mainFields: ["module", "main"],
    legalComments: "none",
    logLevel: "warning",
    plugins: [inlineProgram, inlineText],
    define: { KEDGE_VERSION: JSON.stringify(version) },
    ...options,
  });
}

/** Declarations of everything are made, and those kept that the entries lead to. */
function writeTypes(root: string, work: string): void {
  const packages = join(root, "packages");
  const made = join(work, "made");
  const project = join(work, "tsconfig.json");
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: packages, outDir: made },
        // `npm run check:types` has checked them, together with what lies outside of these files.
        noCheck: true,
        // What is found through node_modules counts as somebody else's, and gets no declarations. The compiler looks at
        // many files at once: if only one import leads there, it depends on chance which files do.
        paths: entryPaths(packages),
        typeRoots: [join(root, "node_modules/@types")],
      },
      include: [],
      files: entries.map(({ source }) => join(packages, source)),
    }),
  );
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project], { stdio: "inherit" });
  const kept = new Map<string, string>();
  for (const { source } of entries) keepDeclaration({ made, kept }, declarationOf(source));
  for (const [path, text] of kept) {
    mkdirSync(dirname(join(work, "types", path)), { recursive: true });
    writeFileSync(join(work, "types", path), text);
  }
  writeFileSync(join(work, "types/api-types.d.ts"), routeTypes(readDocument(root)));
  for (const { name, source } of entries) {
    const lines = [
      `export * from "./types/${moduleOf(declarationOf(source))}";`,
      'export type { ApiTypes } from "./types/api-types.js";',
      "",
    ];
    writeFileSync(join(work, `${name}.d.ts`), lines.join("\n"));
  }
  rmSync(made, { recursive: true });
  rmSync(project);
}

/** Every entry point of our packages by its name, as their `exports` say. */
function entryPaths(packages: string): { readonly [name: string]: readonly string[] } {
  const paths: Record<string, readonly string[]> = {};
  for (const name of readdirSync(packages)) {
    const { exports } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")) as {
      readonly exports: { readonly [entry: string]: string };
    };
    for (const [entry, file] of Object.entries(exports))
      paths[`@kedge/${name}${entry.slice(1)}`] = [join(packages, name, file)];
  }
  return paths;
}

function readDocument(root: string): OpenApiDocument {
  // A test holds it to what the server says of itself.
  return JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8")) as OpenApiDocument;
}

type Keeping = { readonly made: string; readonly kept: Map<string, string> };

/** Specifiers of our packages become relative, so that no consumer needs to know them. */
function keepDeclaration(keeping: Keeping, path: string): void {
  const { made, kept } = keeping;
  if (kept.has(path)) return;
  const text = readFileSync(join(made, path), "utf8");
  let rewritten = text;
  kept.set(path, text);
  for (const { specifier } of findModuleReferences(text)) {
    const target = targetOf(path, specifier);
    if (target === undefined) continue;
    const way = relative(dirname(path), moduleOf(target));
    rewritten = rewritten.replaceAll(`"${specifier}"`, `"${way.startsWith(".") ? way : `./${way}`}"`);
    keepDeclaration(keeping, target);
  }
  kept.set(path, rewritten);
}

/** Undefined for what is no file of ours. */
function targetOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return declarationOf(join(dirname(path), specifier));
  const name = /^@kedge\/([a-z]+)$/.exec(specifier)?.[1];
  return name === undefined ? undefined : declarationOf(`${name}/src/index.ts`);
}

function declarationOf(source: string): string {
  return source.replace(/\.ts$/, ".d.ts");
}

function moduleOf(declaration: string): string {
  return declaration.replace(/\.d\.ts$/, ".js");
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  const [given] = process.argv.slice(2);
  await buildSdk(root, given === undefined ? join(root, "dist/sdk") : resolve(given));
}
