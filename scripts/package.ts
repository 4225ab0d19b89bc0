/**
 * Makes what is given to others: the package for npm, and an archive with the program, its Node and all it needs, which
 * runs where nothing is installed.
 *
 * Everything comes from the installed node_modules. The work is done in a folder of its own, so `dist/` stays as it is.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import type { Metafile } from "esbuild";
import { build, programEntries } from "./build.ts";
import { copyShippedPackage, findShippedPackages, readLock } from "./shipped-packages.ts";

export type Packaging = {
  readonly root: string;
  readonly outDirectory: string;
  /** From 1, fast, to 9, small. */
  readonly compressionLevel: number;
};

export type MadePackage = { readonly path: string; readonly bytes: number; readonly unpackedBytes: number };

/** More costs three times the time for one part in three hundred. */
const compressionLevelDefault = 6;

/** The time of every file in the archive: the one that npm gives to every file. */
const fileTime = "1985-10-26T08:15:00Z";

export async function makePackages(packaging: Packaging): Promise<readonly MadePackage[]> {
  const { root, outDirectory } = packaging;
  mkdirSync(outDirectory, { recursive: true });
  const work = mkdtempSync(join(outDirectory, ".package-"));
  try {
    const published = join(work, "published");
    mkdirSync(published);
    for (const name of ["package.json", "README.md", "LICENSE"]) copyFileSync(join(root, name), join(published, name));
    const metafiles = await build({
      root,
      ...programEntries(root),
      outDirectory: join(published, "dist"),
    });
    // In a process of its own: comments of the SDK name its sources as they are seen from the working directory.
    const sdk = [join(root, "scripts/build-sdk.ts"), join(published, "dist/sdk")];
    execFileSync(process.execPath, sdk, { cwd: root, stdio: "inherit" });

    const standalone = join(work, `kedge-${process.platform}-${process.arch}`);
    gatherStandalone({ root, published, standalone, metafiles });
    refuseMachinePaths(root, [published, standalone]);

    const npmFile = packForNpm(published, work);
    const archiveFile = `${standalone}.tar.gz`;
    await writeArchive(standalone, archiveFile, packaging.compressionLevel);
    return [
      { file: npmFile, source: published },
      { file: archiveFile, source: standalone },
    ].map(({ file, source }) => {
      const path = join(outDirectory, basename(file));
      renameSync(file, path);
      return {
        path,
        bytes: statSync(path).size,
        unpackedBytes: filesIn(source).reduce((sum, { size }) => sum + size, 0),
      };
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

type Gathering = {
  readonly root: string;
  /** What goes to npm, already built. */
  readonly published: string;
  /** The folder to fill. */
  readonly standalone: string;
  readonly metafiles: readonly Metafile[];
};

/** The SDK stays out: programs import it by the name of an installed package, which an unpacked folder has not. */
function gatherStandalone({ root, published, standalone, metafiles }: Gathering): void {
  const put = (from: string, to: string) => {
    mkdirSync(dirname(join(standalone, to)), { recursive: true });
    copyFileSync(from, join(standalone, to));
  };
  put(join(import.meta.dirname, "launcher.sh"), "kedge");
  chmodSync(join(standalone, "kedge"), 0o755);
  const program = readdirSync(join(published, "dist"), { withFileTypes: true }).filter((entry) => entry.isFile());
  const web = filesIn(join(published, "dist/web")).map(({ path }) => relative(published, path));
  for (const name of ["LICENSE", "README.md", ...program.map((entry) => `dist/${entry.name}`), ...web]) {
    put(join(published, name), name);
  }
  const node = findRuntime(root);
  put(node.binary, "runtime/bin/node");
  if (existsSync(node.license)) put(node.license, "runtime/LICENSE");

  const bundled = bundledFiles(realpathSync(root), metafiles);
  const isBundled = (name: string) => {
    const folder = join(root, "node_modules", name);
    if (!existsSync(folder)) return false;
    const prefix = realpathSync(folder) + sep;
    return bundled.some((path) => path.startsWith(prefix));
  };
  const isLeftOut = (name: string) => isRuntime(name) || isBundled(name);
  for (const place of findShippedPackages({ root, lock: readLock(join(root, "package-lock.json")), isLeftOut })) {
    copyShippedPackage(join(root, place), join(standalone, place));
  }
}

const isRuntime = (name: string) => name.startsWith("node-linux-");

/** The Node that was installed with the dependencies, else the one that runs this. */
function findRuntime(root: string): { readonly binary: string; readonly license: string } {
  const installed = join(root, "node_modules", `node-${process.platform}-${process.arch}`);
  const binary = join(installed, "bin/node");
  if (existsSync(binary)) return { binary, license: join(installed, "LICENSE") };
  const running = realpathSync(process.execPath);
  return { binary: running, license: join(dirname(running), "../LICENSE") };
}

function bundledFiles(root: string, metafiles: readonly Metafile[]): readonly string[] {
  return metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => resolve(root, path));
}

/** The names of this checkout would tell of the machine, and lead nowhere on another. */
export function refuseMachinePaths(root: string, directories: readonly string[]): void {
  const told = directories
    .flatMap(filesIn)
    .filter(({ path }) => basename(path) !== "node")
    .filter(({ path }) => {
      const bytes = readFileSync(path);
      return ["packages", "node_modules"].some((folder) => bytes.includes(join(root, folder)));
    });
  if (told.length > 0) throw new Error(`The path of this checkout is in ${told.map(({ path }) => path).join(", ")}.`);
}

function filesIn(directory: string): readonly { readonly path: string; readonly size: number }[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, size: statSync(path).size }));
}

/** Its own cache folder and no network, so that nothing outside has a say in it. */
function packForNpm(published: string, work: string): string {
  const words = ["pack", "--json", "--ignore-scripts", "--offline", "--loglevel=error", "--pack-destination", work];
  const env = { ...process.env, npm_config_cache: join(work, "npm-cache"), npm_config_update_notifier: "false" };
  const stdout = execFileSync("npm", words, { cwd: published, encoding: "utf8", env });
  // This is what npm prints for `--json`.
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  if (packed === undefined) throw new Error("npm packed nothing.");
  return join(work, packed.filename);
}

/** The same files give the same bytes: order, owners, modes and times do not depend on the machine. */
export async function writeArchive(directory: string, file: string, compressionLevel: number): Promise<void> {
  const words = [
    ...["--create", "--format=ustar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"],
    ...["--mode=u=rwX,go=rX", `--mtime=${fileTime}`, "--directory", dirname(directory), basename(directory)],
  ];
  const tar = spawn("tar", words, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, LC_ALL: "C" } });
  const ended = once(tar, "close");
  await pipeline(tar.stdout, createGzip({ level: compressionLevel }), createWriteStream(file));
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar ended with ${code}.`);
}

function describe({ path, bytes, unpackedBytes }: MadePackage): string {
  const megabytes = (count: number) => `${(count / 1_000_000).toFixed(1)} MB`;
  return `${path}  ${megabytes(bytes)}, unpacked ${megabytes(unpackedBytes)}`;
}

function readLevel(text: string): number {
  if (/^[1-9]$/.test(text)) return Number(text);
  throw new Error(`--level is a number from 1 to 9, and not "${text}".`);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: "string" }, level: { type: "string" } } });
  const made = await makePackages({
    root: resolve(import.meta.dirname, ".."),
    outDirectory: resolve(values.out ?? "."),
    compressionLevel: values.level === undefined ? compressionLevelDefault : readLevel(values.level),
  });
  for (const one of made) process.stdout.write(`${describe(one)}\n`);
}
