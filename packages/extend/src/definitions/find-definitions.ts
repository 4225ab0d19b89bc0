/** Finds the definitions in the folders it is given, strongest first, and says of each file that is not used why. */
import { type Dirent, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type Definition,
  type DefinitionKind,
  type DefinitionPlace,
  type HiddenDefinition,
  type RefusedDefinition,
  tiers,
} from "./definition.ts";
import { makeDefinition } from "./make-definition.ts";
import { type DefinitionText, readDefinitionFile } from "./read-definition-file.ts";

export type SearchedFolder = {
  readonly kind: DefinitionKind;
  readonly place: DefinitionPlace;
  /** Links must not lead out of this directory; they may lead anywhere without it. */
  readonly root?: string;
};

export type FoundDefinitions = {
  /** One per name, sorted by name. */
  readonly used: readonly Definition[];
  readonly hidden: readonly HiddenDefinition[];
  readonly refused: readonly RefusedDefinition[];
};

/** More in one place is not something that a person put together. */
const filesMax = 1_000;
const depthMax = 4;
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** `folders` are in the order of their strength, `added` come last in their tiers: the first of a name wins. */
export function findDefinitions(
  folders: readonly SearchedFolder[],
  added: readonly Definition[] = [],
): FoundDefinitions {
  const found: Definition[] = [];
  const byName = new Map<string, Definition>();
  const hidden: HiddenDefinition[] = [];
  const refused: RefusedDefinition[] = [];
  const files = new Set<string>();

  function take(definition: Definition): void {
    const by = byName.get(definition.name);
    if (by === undefined) byName.set(definition.name, definition);
    else hidden.push({ definition, by, why: `${by.place.tier} ${by.place.source} has the same name` });
  }

  for (const folder of folders) {
    const { kind, place } = folder;
    for (const { path, name, read } of filesIn(folder)) {
      const refuse = (why: string, remedy: string, line = 1) =>
        refused.push({ kind, file: path, place, line, why, remedy });
      if (!read.ok) {
        // A link to nothing is there and yet is not.
        if (read.isMissing) refuse("a broken link", "Remove it, or restore its target.");
        else refuse(read.why, read.remedy);
        continue;
      }
      // Two agents often share one folder by a link.
      if (files.size === files.add(read.id).size) continue;
      const { text, note } = read;
      // Not by node:path, nor below: it normalizes, which is most of the work where there are hundreds of files.
      const directory = path.slice(0, path.lastIndexOf("/"));
      const made = makeDefinition({
        kind,
        place,
        file: path,
        directory,
        text,
        nameOfFile: name,
        ...(note !== undefined && { note }),
      });
      if (made.ok) found.push(made.definition);
      else refuse(made.why, made.remedy, made.line);
    }
  }
  for (const tier of tiers) {
    for (const definition of found) if (definition.place.tier === tier) take(definition);
    for (const definition of added) if (definition.place.tier === tier) take(definition);
  }
  const used = [...byName.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
  return { used, hidden, refused };
}

type FoundFile = { readonly path: string; readonly name: string; readonly read: DefinitionText };

function filesIn({ kind, place: { folder, plugin }, root }: SearchedFolder): readonly FoundFile[] {
  // A plugin may name one skill or one file in the place of a folder of them.
  const single = plugin === undefined ? undefined : singleFile(kind, folder, root);
  if (single !== undefined) return [single];
  const found: FoundFile[] = [];
  if (kind === "skill") addSkills(folder, root, 0, found);
  else addFiles(folder, root, [], found);
  return found;
}

function singleFile(kind: DefinitionKind, path: string, root: string | undefined): FoundFile | undefined {
  if (kind !== "skill" && !/\.md$/i.test(path)) return undefined;
  const file = kind === "skill" ? join(path, skillFile) : path;
  const read = readDefinitionFile(file, root);
  const name = path === root ? "skill" : basename(path).replace(/\.md$/i, "");
  return read.ok || !read.isMissing ? { path: file, name, read } : undefined;
}

const skillFile = "SKILL.md";

/** A directory with a SKILL.md is a skill, and what lies below it is its own business. Some agents have plain files. */
function addSkills(folder: string, root: string | undefined, depth: number, found: FoundFile[]): void {
  for (const entry of entriesOf(folder)) {
    if (found.length >= filesMax || skippedFolders.has(entry.name)) continue;
    const path = `${folder}/${entry.name}`;
    if (depth === 0 && isText(entry)) {
      found.push({ path, name: entry.name.replace(/\.md$/i, ""), read: readDefinitionFile(path, root) });
      continue;
    }
    if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
    // Nearly always it is there under this name, so that the directory need not be listed.
    const inside = `${path}/${skillFile}`;
    const usual = { path: inside, name: entry.name, read: readDefinitionFile(inside, root) };
    if (usual.read.ok || !usual.read.isMissing) {
      found.push(usual);
      continue;
    }
    const other = entriesOf(path).find(({ name }) => name.toLowerCase() === "skill.md")?.name;
    const file = join(path, other ?? "");
    if (other !== undefined) found.push({ path: file, name: entry.name, read: readDefinitionFile(file, root) });
    else if (entry.isDirectory() && depth < depthMax) addSkills(path, root, depth + 1, found);
  }
}

/** Directories become namespaces: `db/migrate.md` is `db:migrate`. */
function addFiles(folder: string, root: string | undefined, spaces: readonly string[], found: FoundFile[]): void {
  for (const entry of entriesOf(folder)) {
    if (found.length >= filesMax || skippedFolders.has(entry.name)) continue;
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (spaces.length < depthMax) addFiles(path, root, [...spaces, entry.name], found);
    } else if (isText(entry)) {
      const name = basename(entry.name).replace(/(?:\.prompt|\.agent|\.chatmode)?\.md$/i, "");
      found.push({ path, name: [...spaces, name].join(":"), read: readDefinitionFile(path, root) });
    }
  }
}

function isText(entry: Dirent): boolean {
  return !entry.isDirectory() && /\.md$/i.test(entry.name) && !/^readme\.md$/i.test(entry.name);
}

/** Files of a kind that only some definitions have, within the same limits. */
export function pathsBelow(folder: string, ending: RegExp, depth = 0): readonly string[] {
  const found = entriesOf(folder).flatMap((entry): readonly string[] => {
    if (skippedFolders.has(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return depth < depthMax ? pathsBelow(path, ending, depth + 1) : [];
    return ending.test(entry.name) ? [path] : [];
  });
  return found.slice(0, filesMax);
}

/** In a fixed order. A folder that cannot be read holds nothing. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}
