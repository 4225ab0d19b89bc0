/** Says which language servers serve a file of this project, and why others do not. Loads nothing that talks with them. */
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  createServerRoots,
  extensionOf,
  type FoundProgram,
  findProgram,
  type ReadServers,
  readServers,
  type Searched,
  type ServerDefinition,
  type ServerProblem,
  serverTable,
} from "@kedge/extend/lsp";
import type { LspSettings } from "./lsp-settings.ts";
import { programFoldersAbove } from "./program-folders.ts";
import type { ProgramTrust } from "./program-trust.ts";

export type FindServersParts = {
  readonly settings: LspSettings;
  readonly root: string;
  readonly trust: () => ProgramTrust;
  readonly searchPath: () => string;
  readonly isInside: (path: string) => boolean;
  /** Servers that plugins bring, by the plugin that was found. */
  readonly added?: readonly ServerDefinition[];
};

export type ServingFile = {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly program: FoundProgram;
};

export type FindServers = {
  /** A table look-up for files that nothing serves, and for those where it was looked before. */
  serving(path: string): readonly ServingFile[];
  /** A file was written, which may be what a server was waiting for. */
  written(path: string): void;
  /** Whether files of such a name are served somewhere. */
  isServed(name: string): boolean;
  /** Those that the root of the project shows to be of use. */
  expected(): readonly ServingFile[];
  /** A sentence about a file that nothing serves. */
  whyNot(path: string): string;
  /** All that there are, with what becomes of them in a directory. */
  all(): readonly { readonly definition: ServerDefinition; readonly searched: Searched }[];
  readonly problems: readonly ServerProblem[];
};

const projectFile = ".lsp.json";

export function findServers(parts: FindServersParts, readFile: (path: string) => unknown): FindServers {
  const { root, trust } = parts;
  const read = readDefinitions(parts, readFile);
  const { definitions } = read;
  const byExtension = new Map<string, ServerDefinition[]>();
  for (const definition of definitions) {
    for (const extension of Object.keys(definition.languages)) {
      const others = byExtension.get(extension) ?? [];
      // What somebody described takes the place of what kedge would start.
      const isHidden = definition.origin === "kedge" && others.some(({ origin }) => origin !== "kedge");
      if (!isHidden) byExtension.set(extension, [...others, definition]);
    }
  }
  const markers = new Set(definitions.flatMap((definition) => definition.markers));
  const roots = createServerRoots(root, markers);
  const programs = new Map<string, Searched>();

  function programFor(definition: ServerDefinition, directory: string): Searched {
    const key = `${definition.name}\0${directory}`;
    const known = programs.get(key) ?? look(definition, directory);
    programs.set(key, known);
    return known;
  }

  function look(definition: ServerDefinition, directory: string): Searched {
    const trusted = trust();
    if (trusted === "none") return { found: undefined, why: "this project is not trusted (kedge trust add)" };
    if (trusted !== "project" && (definition.runsProjectCode || definition.isOfProject))
      return { found: undefined, why: "it runs project code, and the project is not trusted (kedge trust add)" };
    return findProgram(definition.commands, {
      searchPath: parts.searchPath(),
      projectFolders: programFoldersAbove(directory, root),
      isInside: parts.isInside,
      mayRunProject: trusted === "project",
      ...ownTypeScript(),
    });
  }

  return {
    serving(path) {
      return (byExtension.get(extensionOf(path)) ?? []).flatMap((definition) => {
        const directory = roots.find(definition, path);
        const program = directory === undefined ? undefined : programFor(definition, directory).found;
        return directory === undefined || program === undefined ? [] : [{ definition, root: directory, program }];
      });
    },
    written: roots.written,
    isServed: (name) => byExtension.has(extensionOf(name)),
    expected() {
      const present = new Set(entriesOf(root));
      return definitions.flatMap((definition) => {
        const isMarked = definition.origin !== "kedge" || definition.markers.some((name) => present.has(name));
        const program = isMarked ? programFor(definition, root).found : undefined;
        return program === undefined ? [] : [{ definition, root, program }];
      });
    },
    whyNot(path) {
      const candidates = byExtension.get(extensionOf(path)) ?? [];
      const [first] = candidates;
      if (first === undefined) return `No language server for ${extensionOf(path)} files.`;
      const directory = roots.find(first, path);
      if (directory === undefined) {
        const markers = first.markers.join(" or ");
        return `The language server ${first.name} needs ${markers} in the project, in or above the directory of the file.`;
      }
      const searched = programFor(first, directory);
      return `The language server ${first.name} is not used: ${searched.found === undefined ? searched.why : "it was canceled"}.`;
    },
    all: () => definitions.map((definition) => ({ definition, searched: programFor(definition, root) })),
    problems: read.problems,
  };
}

type Definitions = { readonly definitions: readonly ServerDefinition[]; readonly problems: readonly ServerProblem[] };

/** Those that people described come first. The file of the project is looked at only where it exists. */
function readDefinitions(
  { settings, root, trust, added = [] }: FindServersParts,
  readFile: (path: string) => unknown,
): Definitions {
  if (settings === false) return { definitions: [], problems: [] };
  const own = readServers(settings, serverTable, { origin: "settings", directory: root, isOfProject: false });
  const path = join(root, projectFile);
  const ofProject: ReadServers =
    existsSync(path) && trust() === "project"
      ? readServers(readFile(path), [], { origin: projectFile, directory: root, isOfProject: true })
      : { servers: [], problems: [], disabled: [] };
  const described = [...own.servers, ...ofProject.servers, ...added].filter(({ name }) => !own.disabled.includes(name));
  const names = new Set([...own.disabled, ...described.map(({ name }) => name)]);
  return {
    definitions: [...described, ...serverTable.filter(({ name }) => !names.has(name))],
    problems: [...own.problems, ...ofProject.problems],
  };
}

/** The package that kedge came with, where it did. */
function ownTypeScript(): { readonly ownTypeScript?: string } {
  try {
    return { ownTypeScript: dirname(createRequire(import.meta.url).resolve("typescript/package.json")) };
  } catch (error) {
    if (error instanceof Error && "code" in error) return {};
    throw error;
  }
}

/** Whether it is worth looking for servers at the start: one look at the root, and nothing else in most directories. */
export function mayBeExpected({ root, settings, added = [] }: FindServersParts): boolean {
  if (settings === false) return false;
  if (Object.keys(settings).length > 0 || added.length > 0) return true;
  const telling = new Set([projectFile, ...serverTable.flatMap(({ markers }) => markers)]);
  return entriesOf(root).some((name) => telling.has(name));
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
