/**
 * Makes `dist/`: the start stub, the program, and the part of it that a screen needs, each one file.
 *
 * No lock is needed: every build works in a folder of its own, each file is put in place by one rename, and the program
 * carries its build id inside, so that any mixture of two builds that finish together is a working one.
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
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type BuildOptions, build as bundle, type Metafile } from "esbuild";
import { inlineText } from "./inline-text.ts";
import { lateMeasures } from "./late-measures.ts";
import { noticesOf } from "./notices.ts";
import { unusedModules } from "./unused-modules.ts";

export type Build = {
  readonly root: string;
  /** The program; exports `main`. */
  readonly entry: string;
  /** What a terminal starts with in its place; exports `main` too. The program does without it. */
  readonly screenEntry?: string;
  readonly outDirectory: string;
};

/**
 * These find their own binaries beside themselves, or are large and needed by few calls only (PDF, web pages, the
 * server), so they stay in node_modules.
 */
export const unbundledPackages = [
  "@agentclientprotocol/sdk",
  "@hono/node-server",
  "@hono/zod-openapi",
  "@opentelemetry/*",
  "hono",
  "pg",
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
const buildIdMark = "@build-id-here@@";

/** Those of kedge itself. */
export function programEntries(root: string): Pick<Build, "entry"> & { readonly screenEntry: string } {
  const sources = join(root, "packages/cli/src");
  return { entry: join(sources, "main.ts"), screenEntry: join(sources, "start/screen-program.ts") };
}

export async function build({ root, entry, screenEntry, outDirectory }: Build): Promise<Metafile> {
  const startedAt = new Date();
  const work = join(outDirectory, `${workPrefix}${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    const version = readVersion(join(root, "package.json"));
    const program = await bundleProgram(root, entry, version);
    writeFileSync(join(work, "package.json"), '{ "type": "commonjs" }\n');
    writeFileSync(join(work, "main.cjs"), program.code);
    const screen = screenEntry === undefined ? undefined : await bundleProgram(root, screenEntry, version);
    if (screen !== undefined) writeFileSync(join(work, "screen.cjs"), screen.code);
    const notices = noticesOf(root, [program.metafile, ...(screen === undefined ? [] : [screen.metafile])]);
    if (notices !== "") writeFileSync(join(work, "NOTICES.txt"), notices);
    writeFileSync(join(work, "kedge.js"), await bundleStub(join(root, "packages/cli/src/start/stub.ts"), version));
    chmodSync(join(work, "kedge.js"), 0o755);
    // `./kedge` compares sources with this file; what is edited while the build runs must count as newer.
    utimesSync(join(work, "kedge.js"), startedAt, startedAt);
    // The stub last: who sees it sees the rest.
    const names = ["package.json", "NOTICES.txt", "main.cjs", "screen.cjs", "kedge.js"];
    for (const name of names) if (existsSync(join(work, name))) renameSync(join(work, name), join(outDirectory, name));
    return program.metafile;
  } finally {
    rmSync(work, { recursive: true, force: true });
    removeAbandonedWork(outDirectory);
  }
}

async function bundleProgram(
  root: string,
  entry: string,
  version: string,
): Promise<{ code: string; metafile: Metafile }> {
  const result = await bundle({
    ...bundleOptions,
    // What it tells of its inputs is then the same, wherever it is started.
    absWorkingDir: root,
    // Named here, so that an entry without `main` fails the build and not the start.
    stdin: { contents: `export { main } from ${JSON.stringify(entry)};`, resolveDir: dirname(entry) },
    metafile: true,
    external: unbundledPackages,
    // `import()` inside a vm.Script makes Node warn about its loader; a lazy require loads the same modules silently.
    supported: { "dynamic-import": false },
    plugins: [inlineText, lateMeasures, unusedModules],
    banner: { js: 'const kedgeModuleUrl=require("node:url").pathToFileURL(__filename).href;' },
    define: {
      KEDGE_VERSION: JSON.stringify(version),
      KEDGE_BUILD_ID: JSON.stringify(buildIdMark),
      "import.meta.url": "kedgeModuleUrl",
      "import.meta.dirname": "__dirname",
      "import.meta.filename": "__filename",
    },
  });
  const text = inAscii(onlyOutput(result.outputFiles));
  const buildId = createHash("sha256").update(text).digest("hex").slice(0, buildIdMark.length);
  // Written as the function that the stub runs: putting it together there would cost a second copy in memory. Modules are
  // strict; the one function they are bundled into is strict only when it says so.
  const head = `/*${buildId}*/(function(exports,require,module,__filename,__dirname){"use strict";`;
  return { code: `${head}${text.replaceAll(buildIdMark, buildId)}\n})`, metafile: result.metafile };
}

async function bundleStub(entry: string, version: string): Promise<string> {
  const define = { KEDGE_VERSION: JSON.stringify(version) };
  // The older target lets an old Node read far enough to be told that it is too old.
  const result = await bundle({ ...bundleOptions, entryPoints: [entry], target: "node14", define });
  return `#!/usr/bin/env node\n${onlyOutput(result.outputFiles)}`;
}

const bundleOptions = {
  bundle: true,
  write: false,
  outfile: "out.cjs",
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

/** Folders of builds that were killed. */
function removeAbandonedWork(outDirectory: string): void {
  for (const name of readdirSync(outDirectory)) {
    if (!name.startsWith(workPrefix) || existsSync(`/proc/${name.slice(workPrefix.length)}`)) continue;
    rmSync(join(outDirectory, name), { recursive: true, force: true });
  }
}

function describeInputs(metafile: Metafile): string {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const largest = inputs.sort(([, left], [, right]) => right.bytesInOutput - left.bytesInOutput).slice(0, 25);
  const total = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  const lines = largest.map(([path, { bytesInOutput }]) => `${String(bytesInOutput).padStart(9)}  ${path}`);
  return [`${String(total).padStart(9)}  in all`, ...lines].join("\n");
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  try {
    const metafile = await build({ root, ...programEntries(root), outDirectory: join(root, "dist") });
    if (process.argv.includes("--meta")) process.stdout.write(`${describeInputs(metafile)}\n`);
  } catch (error) {
    // The bundler has already printed what is wrong with the sources.
    if (!(error instanceof Error && "errors" in error)) throw error;
    process.exitCode = 1;
  }
}
