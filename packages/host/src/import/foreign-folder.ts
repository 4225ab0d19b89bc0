/** Reads what lies in another agent's folder: never waits, never reads without end, and follows no link out of a project. */
import { isUtf8 } from "node:buffer";
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "@kedge/protocol";
import { readSettingsText } from "../configuration/read-settings-text.ts";
import { realPathIfThere } from "../configuration/real-path-if-there.ts";
import { presenceOf, readSettings, type Settings, withoutByteOrderMark } from "../configuration/setting-file.ts";
import { leadsOut, whereIs } from "../configuration/setting-layers.ts";
import type { Findings, ImportScope, Origin } from "./findings.ts";

export type ForeignFolder = {
  readonly scope: ImportScope;
  /** Absolute; the root of the project for files that lie there. */
  readonly path: string;
  /** Links of a project must not lead out of this directory. */
  readonly projectRoot: string;
  readonly userDirectory: string;
  /** How a path is called in sentences. */
  readonly shown: (path: string) => string;
  /** Puts a mark in the place of every key and token. */
  readonly redact: (text: string) => string;
};

export function holdsSecret(text: string, { redact }: Pick<ForeignFolder, "redact">): boolean {
  return redact(text) !== text;
}

export type FolderFile = { readonly path: string /** Below the folder that was listed. */; readonly name: string };

const filesMax = 1_000;
const depthMax = 6;
const bytesMax = 4 * 1024 * 1024;
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git"]);

export function originOf(path: string, { shown }: ForeignFolder): Origin {
  return { file: shown(path) };
}

/** Undefined where there is none, and where it cannot be read, which is noted. */
export async function readObject(
  name: string,
  folder: ForeignFolder,
  findings: Findings,
  { holdsRules = false }: { readonly holdsRules?: boolean } = {},
): Promise<{ readonly settings: Settings; readonly from: Origin } | undefined> {
  const path = join(folder.path, name);
  if (presenceOf(path) === "absent") return undefined;
  const from = originOf(path, folder);
  const obstacle = linkObstacle(path, folder);
  const read = obstacle === undefined ? await readSettings(path, { name: from.file }) : obstacle;
  if (read.ok) return { settings: read.settings, from };
  findings.notes.push({ ...from, kind: "broken", why: withoutName(read.sentence, from.file) });
  // Nobody knows what it denies.
  if (holdsRules) findings.lostRules.push({ layer: folder.scope, permission: "*", head: "" });
  return undefined;
}

export function readText(path: string, folder: ForeignFolder, findings: Findings): string | undefined {
  const from = originOf(path, folder);
  const obstacle = linkObstacle(path, folder);
  const read = obstacle === undefined ? readSettingsText(path) : { ok: false as const, why: obstacle.why };
  if (read.ok) return withoutByteOrderMark(read.text);
  findings.notes.push({ ...from, kind: "broken", why: read.why });
  return undefined;
}

export type FileBytes = { readonly bytes: Buffer; readonly isExecutable: boolean };

/** Undefined, and noted, for what is no plain file of a usual size. */
export function readBytes(path: string, folder: ForeignFolder, findings: Findings): FileBytes | undefined {
  const from = originOf(path, folder);
  const refuse = (why: string) => {
    findings.notes.push({ ...from, kind: "broken", why });
    return undefined;
  };
  const obstacle = linkObstacle(path, folder);
  if (obstacle !== undefined) return refuse(obstacle.why);
  try {
    // Opening a pipe would otherwise wait until somebody writes into it.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) return refuse("is not a file");
      if (stat.size > bytesMax) return refuse("is larger than 4 MB");
      const bytes = Buffer.alloc(stat.size);
      const length = readSync(file, bytes, 0, stat.size, 0);
      return { bytes: bytes.subarray(0, length), isExecutable: (stat.mode & 0o100) !== 0 };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) return refuse(`cannot be read (${reasonOf(error)})`);
    throw error;
  }
}

export function textOf(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** In a fixed order; nothing where the folder is missing. A project's links to folders elsewhere are not followed. */
export function filesBelow(name: string, folder: ForeignFolder): readonly FolderFile[] {
  const found: FolderFile[] = [];
  const seen = new Set<string>();
  const walk = (path: string, below: string, depth: number) => {
    const real = realPathIfThere(path);
    if (real === undefined || seen.has(real) || depth > depthMax) return;
    if (folder.scope === "project" && whereIs(path, folder.projectRoot) !== "inside") return;
    seen.add(real);
    for (const entry of entriesOf(path)) {
      if (found.length >= filesMax || skippedFolders.has(entry.name)) continue;
      const at = join(path, entry.name);
      const named = below === "" ? entry.name : `${below}/${entry.name}`;
      if (isDirectory(entry, at)) walk(at, named, depth + 1);
      else found.push({ path: at, name: named });
    }
  };
  walk(join(folder.path, name), "", 0);
  return found;
}

function linkObstacle(path: string, { scope, projectRoot, shown }: ForeignFolder) {
  if (scope === "user" || whereIs(path, projectRoot) !== "outside") return undefined;
  const sentence = leadsOut(shown(path));
  return { ok: false as const, sentence, why: withoutName(sentence, shown(path)) };
}

function withoutName(sentence: string, name: string): string {
  return sentence.startsWith(name) ? sentence.slice(name.length).replace(/^:? /, "") : sentence;
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).toSorted((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    // A folder that cannot be looked into holds nothing for an import.
    return [];
  }
}

function isDirectory(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // A link in a circle; reading it as a file says so.
    return false;
  }
}
