/**
 * Makes `dist/`: the start stub, the program in three files, the part of it that a screen needs, and the web app.
 *
 * No lock is needed: every build works in a folder of its own, each file is put in place by one rename, and the program
 * carries its build id inside and in the names of its later files, so that any mixture of two builds is a working one.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { type BuildOptions, build as bundle, type Metafile } from "esbuild";
import { buildWeb } from "./build-web.ts";
import { inlineProgram } from "./inline-program.ts";
import { inlineText } from "./inline-text.ts";
import { lateMeasures } from "./late-measures.ts";
import { readLateModules } from "./late-modules.ts";
import { noticesOf } from "./notices.ts";
import { partFile } from "./part-imports.ts";
import { type LateModules, type ProgramPart, splitProgram, wholeProgram } from "./split-program.ts";
import { unusedModules } from "./unused-modules.ts";

export type Build = {
  readonly root: string;
  /** The program; exports `main`. */
  readonly entry: string;
  /** What a terminal starts with in its place; exports `main` too. The program does without it. */
  readonly screenEntry?: string;
  /** Whether the web app is made as well, from `packages/web` of the root. */
  readonly hasWeb?: boolean;
  readonly outDirectory: string;
  /** Which modules the first part does without; without any, it has all but what is imported dynamically. */
  readonly lateModules?: LateModules;
  readonly isReadable?: boolean;
};

/**
 * These find their own binaries beside themselves, or are large and needed by few calls only (PDF, web pages, the
 * server), so they stay in node_modules.
 */
export const unbundledPackages = [
  "@agentclientprotocol/sdk",
  "@hono/node-server",
  "@modelcontextprotocol/*",
  "@opentelemetry/*",
  "hono",
  "pg",
  "semver",
  "tar",
  "web-push",
  "ws",
  "yaml",
  "zod",
  "@vscode/ripgrep",
  "@lydell/node-pty",
  "unpdf",
  "linkedom",
  "turndown",
  "@mozilla/readability",
];
const workPrefix = ".build-";
const latePartsMax = 3;
const buildIdMark = "@build-id-here@@";

/** Those of kedge itself. */
export function programEntries(root: string) {
  const sources = join(root, "packages/cli/src");
  const screenEntry = join(sources, "start/screen-program.ts");
  return { entry: join(sources, "main.ts"), screenEntry, hasWeb: true } satisfies Omit<Build, "root" | "outDirectory">;
}

export async function build({
  root,
  entry,
  screenEntry,
  hasWeb = false,
  outDirectory,
  lateModules = readLateModules(),
  isReadable = false,
}: Build): Promise<readonly Metafile[]> {
  const startedAt = new Date();
  const work = join(outDirectory, `${workPrefix}${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    const version = readVersion(join(root, "package.json"));
    const options = { ...programOptions(version), minify: !isReadable };
    const parts = await splitProgram(root, entry, options, lateModules);
    const program = asFiles(parts, "main.cjs");
    const screen =
      screenEntry === undefined ? noFiles : asFiles(await wholeProgram(root, screenEntry, options), "screen.cjs");
    // What is loaded late stands before what asks for it.
    const files = [...program.files, ...screen.files];
    for (const { name, code } of files) writeFileSync(join(work, name), code);
    writeFileSync(join(work, "package.json"), '{ "type": "commonjs" }\n');
    const metafiles = [...program.metafiles, ...screen.metafiles];
    const web = hasWeb
      ? await buildWeb({ root, outDirectory: join(outDirectory, "web"), work: join(work, "web") })
      : [];
    const notices = noticesOf(root, metafiles, web);
    if (notices !== "") writeFileSync(join(work, "NOTICES.txt"), notices);
    writeFileSync(join(work, "kedge.js"), await bundleStub(join(root, "packages/cli/src/start/stub.ts"), version));
    chmodSync(join(work, "kedge.js"), 0o755);
    // `./kedge` compares sources with this file; what is edited while the build runs must count as newer.
    utimesSync(join(work, "kedge.js"), startedAt, startedAt);
    // The stub last: who sees it sees the rest.
    const names = ["package.json", "NOTICES.txt", ...files.map(({ name }) => name), "kedge.js"];
    for (const name of names) if (existsSync(join(work, name))) renameSync(join(work, name), join(outDirectory, name));
    removeOldLateParts(outDirectory);
    return metafiles;
  } finally {
    rmSync(work, { recursive: true, force: true });
    removeAbandonedWork(outDirectory);
  }
}

function programOptions(version: string): BuildOptions {
  return {
    ...bundleOptions,
    external: unbundledPackages,
    // `import()` inside a vm.Script makes Node warn about its loader; a lazy require loads the same modules silently.
    supported: { "dynamic-import": false },
    plugins: [inlineProgram, inlineText, lateMeasures, unusedModules],
    banner: { js: 'const kedgeModule={get url(){return require("node:url").pathToFileURL(__filename).href}};' },
    define: {
      KEDGE_VERSION: JSON.stringify(version),
      KEDGE_BUILD_ID: JSON.stringify(buildIdMark),
      "import.meta.url": "kedgeModule.url",
      "import.meta.dirname": "__dirname",
      "import.meta.filename": "__filename",
    },
  };
}

type ProgramFiles = {
  readonly files: readonly { readonly name: string; readonly code: string }[];
  readonly metafiles: readonly Metafile[];
};

const noFiles: ProgramFiles = { files: [], metafiles: [] };

function asFiles(parts: readonly ProgramPart[], mainName: string): ProgramFiles {
  const texts = parts.map(({ name, text }) => ({ name, text: inAscii(text) }));
  const hash = createHash("sha256");
  for (const { text } of texts) hash.update(text);
  const buildId = hash.digest("hex").slice(0, buildIdMark.length);
  // Written as the function that the stub runs: putting it together there would cost a second copy in memory. Modules are
  // strict; the one function they are bundled into is strict only when it says so.
  const head = `/*${buildId}*/(function(exports,require,module,__filename,__dirname){"use strict";`;
  const files = texts.map(({ name, text }) => ({
    name: name === "main" ? mainName : partFile(name, buildId),
    code: `${head}${text.replaceAll(buildIdMark, buildId)}\n})`,
  }));
  return { files: files.reverse(), metafiles: parts.map(({ metafile }) => metafile) };
}

async function bundleStub(entry: string, version: string): Promise<string> {
  const define = { KEDGE_VERSION: JSON.stringify(version) };
  // The older target lets an old Node read far enough to be told that it is too old.
  const result = await bundle({
    ...bundleOptions,
    ...{ entryPoints: [entry], bundle: true, write: false, outfile: "out.cjs", target: "node14", define },
  });
  return `#!/usr/bin/env node\n${onlyOutput(result.outputFiles)}`;
}

const bundleOptions = {
  platform: "node",
  // The first form of some packages is one that cannot be bundled (jsonc-parser).
  mainFields: ["module", "main"],
  format: "cjs",
  target: "node22",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  // Paths in there lead to types only.
  tsconfigRaw: "{}",
} as const satisfies BuildOptions;

function onlyOutput(files: readonly { readonly text: string }[]): string {
  const [file] = files;
  if (file === undefined || files.length !== 1) throw new Error(`expected one bundled file, got ${files.length}`);
  return file.text;
}

export function readVersion(packageFile: string): string {
  const parsed: unknown = JSON.parse(readFileSync(packageFile, "utf8"));
  if (typeof parsed === "object" && parsed !== null && "version" in parsed && typeof parsed.version === "string") {
    return parsed.version;
  }
  throw new Error(`${packageFile} has no version`);
}

/** The bundler leaves other characters inside of regular expressions, where the stub would read each as several. */
function inAscii(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Programs that still run may not have loaded theirs yet. */
function removeOldLateParts(outDirectory: string): void {
  const parts = readdirSync(outDirectory)
    .filter((name) => lateFile.test(name))
    .map((name) => ({ path: join(outDirectory, name), writtenMs: statSync(join(outDirectory, name)).mtimeMs }))
    .sort((left, right) => right.writtenMs - left.writtenMs);
  for (const part of ["extras", "work", "late"]) {
    const ofPart = parts.filter(({ path }) => basename(path).startsWith(part));
    for (const { path } of ofPart.slice(latePartsMax)) rmSync(path, { force: true });
  }
}

const lateFile = /^(?:extras|work|late)-\w+\.cjs$/;

/** Folders of builds that were killed. */
function removeAbandonedWork(outDirectory: string): void {
  for (const name of readdirSync(outDirectory)) {
    if (!name.startsWith(workPrefix) || existsSync(`/proc/${name.slice(workPrefix.length)}`)) continue;
    rmSync(join(outDirectory, name), { recursive: true, force: true });
  }
}

function describeInputs(metafiles: readonly Metafile[]): string {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  const largest = inputs.sort(([, left], [, right]) => right.bytesInOutput - left.bytesInOutput).slice(0, 25);
  const total = outputs.reduce((sum, output) => sum + output.bytes, 0);
  const lines = largest.map(([path, { bytesInOutput }]) => `${String(bytesInOutput).padStart(9)}  ${path}`);
  return [`${String(total).padStart(9)}  in all`, ...lines].join("\n");
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  try {
    const metafiles = await build({ root, ...programEntries(root), outDirectory: join(root, "dist") });
    if (process.argv.includes("--meta")) process.stdout.write(`${describeInputs(metafiles)}\n`);
  } catch (error) {
    // The bundler has already printed what is wrong with the sources.
    if (!(error instanceof Error && "errors" in error)) throw error;
    process.exitCode = 1;
  }
}
