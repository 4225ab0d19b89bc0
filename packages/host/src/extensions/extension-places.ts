/** Where skills, commands, agents and output styles of every agent lie on this machine, the strongest place first. */
import { realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type { DefinitionKind, SearchedFolder } from "@kedge/extend/definitions";
import { ompFolder, ompFolderDefault } from "../machine/omp-folder.ts";
import { isDirectory } from "../machine/path-kind.ts";

export type PlacedKind = DefinitionKind;

type Source = {
  readonly id: string;
  /** Below the user's home directory. */
  readonly user: readonly string[];
  /** Below a directory of the project. */
  readonly project: readonly string[];
  readonly folders: { readonly [Kind in PlacedKind]?: readonly string[] };
};

const ownFolders = {
  skill: ["skills"],
  command: ["commands", "command"],
  agent: ["agents", "agent"],
  style: ["output-styles"],
};
const skillsOnly = { skill: ["skills"] };

/** By falling priority, on an equal one by name. kedge's own folder of the user is added by the caller. */
const sources: readonly Source[] = [
  { id: "native", user: [], project: [".kedge"], folders: ownFolders },
  { id: "claude", user: [".claude"], project: [".claude"], folders: ownFolders },
  { id: "omp", user: [ompFolderDefault], project: [".omp"], folders: { skill: ["skills"], command: ["commands"] } },
  { id: "agents", user: [".agents", ".agent"], project: [".agents", ".agent"], folders: skillsOnly },
  { id: "codex", user: [".codex"], project: [".codex"], folders: { skill: ["skills"], command: ["prompts"] } },
  { id: "gemini", user: [".gemini"], project: [".gemini"], folders: skillsOnly },
  {
    id: "opencode",
    user: [".config/opencode"],
    project: [".opencode"],
    folders: { skill: ["skills", "skill"], command: ["commands", "command"], agent: ["agents", "agent"] },
  },
  {
    id: "github",
    user: [".copilot"],
    project: [".github"],
    folders: { skill: ["skills"], command: ["prompts"], agent: ["agents"] },
  },
];

export type ExtensionPlaces = {
  readonly cwd: string;
  readonly root: string;
  readonly userDirectory: string;
  readonly kedgeHome: string;
  readonly managed: string;
  /** Sources that the user switched off, by id. */
  readonly disabled: readonly string[];
  /** Directories of skills that the user named, as written. */
  readonly skillDirectories?: readonly string[];
  /** What enabled plugins bring, behind everything of the user's own. */
  readonly plugins?: { readonly [Kind in PlacedKind]: readonly SearchedFolder[] };
};

/** Whether a folder of any agent is there, and which: asked once per start, so that nothing else is looked at. */
export type FoundBases = { readonly user: readonly Base[]; readonly project: readonly Base[] };

type Base = { readonly source: Source; readonly path: string };

export function findBases(places: ExtensionPlaces): FoundBases {
  const { userDirectory, kedgeHome, cwd, root } = places;
  const enabled = enabledSources(places);
  const native = enabled.find(({ id }) => id === "native");
  const own = native === undefined ? [] : [{ source: native, path: kedgeHome }];
  const basesOf = ({ id, user }: Source) => (id === "omp" ? [ompFolder(userDirectory, kedgeHome)] : user);
  const user = enabled.flatMap((source) =>
    basesOf(source).map((base) => ({ source, path: join(userDirectory, base) })),
  );
  const levels = levelsOf(cwd, root);
  // In the home directory itself a folder of an agent is the user's.
  const owned = new Set([...own, ...user].map(({ path }) => path));
  const project = enabled.flatMap((source) =>
    levels.flatMap((level) => source.project.map((base) => ({ source, path: join(level, base) }))),
  );
  return {
    user: [...own, ...user].filter(({ path }) => isDirectory(path)),
    project: project.filter(({ path }) => !owned.has(path) && isDirectory(path)),
  };
}

/** Those that exist. `isTrusted` is asked only where the project brings any. */
export function foldersOf(
  kind: PlacedKind,
  bases: FoundBases,
  places: ExtensionPlaces,
  isTrusted: () => boolean,
): readonly SearchedFolder[] {
  const { managed, root } = places;
  const own = [...ownFolders[kind]].map((name) => join(managed, name)).filter(isDirectory);
  const named = kind === "skill" ? namedFolders(places) : [];
  const project = [
    ...bases.project.flatMap((base) => foldersBelow(kind, base)),
    ...named.filter(({ folder }) => isInside(folder, root)),
  ];
  return [
    ...own.map((folder) => ({ kind, place: { source: "native", tier: "managed", folder } }) as const),
    ...(project.length > 0 && isTrusted() ? project : []).map(
      ({ source, folder }) => ({ kind, place: { source, tier: "project", folder }, root }) as const,
    ),
    ...[
      ...bases.user.flatMap((base) => foldersBelow(kind, base)),
      ...named.filter(({ folder }) => !isInside(folder, root)),
    ].map(({ source, folder }) => ({ kind, place: { source, tier: "user", folder } }) as const),
    ...(places.plugins?.[kind] ?? []),
  ];
}

/** Those of skills in one directory of the project. */
export function skillFoldersAt(directory: string, places: ExtensionPlaces): readonly SearchedFolder[] {
  const bases = enabledSources(places).flatMap((source) =>
    source.project.map((base) => ({ source, path: join(directory, base) })),
  );
  return bases
    .filter(({ path }) => isDirectory(path))
    .flatMap((base) => foldersBelow("skill", base))
    .map(({ source, folder }) => ({ kind: "skill", place: { source, tier: "project", folder }, root: places.root }));
}

export function hasFolder(kind: PlacedKind, bases: FoundBases, places: ExtensionPlaces): boolean {
  const { managed, plugins } = places;
  return (
    (plugins?.[kind] ?? []).length > 0 ||
    (kind === "skill" && namedFolders(places).length > 0) ||
    [...bases.user, ...bases.project].some((base) => foldersBelow(kind, base).length > 0) ||
    ownFolders[kind].some((name) => isDirectory(join(managed, name)))
  );
}

/** One inside the project is the project's, wherever it was named. */
function namedFolders({ skillDirectories = [], userDirectory, cwd }: ExtensionPlaces) {
  return skillDirectories
    .map((path) => resolve(cwd, path.replace(/^~(?=\/|$)/, userDirectory)))
    .filter(isDirectory)
    .map((path) => ({ source: "dirs", folder: realpathSync.native(path) }));
}

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory + sep);
}

function enabledSources({ disabled }: ExtensionPlaces): readonly Source[] {
  return disabled.length === 0 ? sources : sources.filter(({ id }) => !disabled.includes(id));
}

function foldersBelow(kind: PlacedKind, { source, path }: Base) {
  return (source.folders[kind] ?? [])
    .map((name) => ({ source: source.id, folder: join(path, name) }))
    .filter(({ folder }) => isDirectory(folder));
}

/** The nearest first. */
function levelsOf(cwd: string, root: string): readonly string[] {
  const levels: string[] = [];
  for (let level = cwd; level.startsWith(`${root}/`); level = dirname(level)) levels.push(level);
  return [...levels, root];
}
