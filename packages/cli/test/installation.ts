/** kedge as others get it: both packages made once, and laid out as after an installation, away from this checkout. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Workbench } from "./workbench.ts";

export const root = join(import.meta.dirname, "../../..");
const systemPath = "/usr/bin:/bin";

export type Installation = {
  /** The link in a folder of the path, through which a person starts it. */
  readonly command: string;
  /** The folder that was unpacked. */
  readonly folder: string;
  /** All that is in the environment, beside what names the home. */
  readonly path: string;
};

export type Installations = {
  /** What the script said. */
  readonly told: string;
  readonly archiveFile: string;
  readonly archive: Installation;
  readonly npm: Installation;
  remove(): void;
};

export async function installBoth(): Promise<Installations> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-installed-")));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    return { ...(await installIn(directory)), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function installIn(directory: string): Promise<Omit<Installations, "remove">> {
  const out = join(directory, "out");
  const words = [join(root, "scripts/package.ts"), "--out", out, "--level", "1"];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: directory });
  const files = readdirSync(out).map((name) => join(out, name));
  const ending = (end: string) => files.find((path) => path.endsWith(end)) ?? "";
  const archiveFile = ending(".tar.gz");
  return {
    ...{ told: stdout, archiveFile },
    archive: unpackArchive(archiveFile, join(directory, "archive")),
    npm: unpackForNpm(ending(".tgz"), join(directory, "npm")),
  };
}

/** The link leads through another one, and both are relative. */
function unpackArchive(file: string, directory: string): Installation {
  mkdirSync(join(directory, "bin"), { recursive: true });
  execFileSync("tar", ["-xzf", file, "-C", directory]);
  const name = basename(file, ".tar.gz");
  symlinkSync(`../${name}/kedge`, join(directory, "bin/newest"));
  symlinkSync("newest", join(directory, "bin/kedge"));
  return { command: join(directory, "bin/kedge"), folder: join(directory, name), path: systemPath };
}

/**
 * As npm would lay it out. The dependencies are those of this checkout, because installing them would need the network;
 * the Node is whichever is first in the path.
 */
function unpackForNpm(file: string, directory: string): Installation {
  const folder = join(directory, "node_modules/kedge");
  const bin = join(directory, "node_modules/.bin");
  for (const path of [folder, bin]) mkdirSync(path, { recursive: true });
  execFileSync("tar", ["-xzf", file, "-C", folder, "--strip-components=1"]);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  symlinkSync("../kedge/dist/kedge.js", join(bin, "kedge"));
  return { command: join(bin, "kedge"), folder, path: `${dirname(process.execPath)}:${systemPath}` };
}

export function environmentOf({ directory, home }: Workbench, { path }: Installation) {
  return { PATH: path, HOME: directory, KEDGE_HOME: home, TERM: "dumb" };
}

/** The same bench, on which the installed kedge runs, with nothing of the environment of this test. */
export function startInstalled(bench: Workbench, installation: Installation): Workbench["start"] {
  const options = { cwd: bench.project, env: environmentOf(bench, installation) };
  return (argv) => spawn(installation.command, [...argv], options);
}
