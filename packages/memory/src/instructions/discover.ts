/** Finds the instruction files that exist, in the order in which they are loaded; reads none of them. */
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import {
  type InstructionCandidate,
  type InstructionOrigin,
  type InstructionTier,
  sourcePriorities,
} from "./instruction-entry.ts";
import {
  backupPattern,
  folderFiles,
  folderRules,
  localFiles,
  ompFolderDefault,
  ownUserFiles,
  plainFiles,
  promptNames,
  type RuleFolderRow,
  rulePattern,
  stickyFolders,
  stickyName,
  userFiles,
} from "./instruction-places.ts";
import { type NamedFiles, namedFiles } from "./named-files.ts";
import { exists } from "./read-file.ts";

export type InstructionPlaces = {
  readonly cwd: string;
  /** Of the worktree, or `cwd` outside a repository. */
  readonly root: string;
  /** The user's directory. */
  readonly home: string;
  readonly kedgeHome: string;
  /** Of omp, below the user's directory; its usual one without this. */
  readonly ompFolder?: string;
  /** Where an administrator puts files. */
  readonly managed: string;
  /** The user whose directories the walk may pass above the root; undefined where there are no users. */
  readonly userId: number | undefined;
};

export type InstructionSettings = {
  /** Whether files of other agents in the user's directory count. */
  readonly compat: boolean;
  readonly shadowing: "none" | "per-depth";
  readonly walkPastRepo: boolean;
  readonly disabledSources: readonly string[];
  /** What settings of other agents name beside these. */
  readonly named?: readonly NamedFiles[];
};

/** No folder of rules has more. */
const rulesMax = 200;
const folderDepthMax = 5;
const levelsMax = 64;

/** All tiers, weakest first. A file of a switched-off source is named with the reason. */
export function discoverInstructions(
  places: InstructionPlaces,
  settings: InstructionSettings,
): readonly InstructionCandidate[] {
  const levels = walkOf(places, settings);
  const { root, home } = places;
  const ofUser = filesOfUser(places, settings);
  const ofProject = levels.flatMap((directory) => filesAt(directory, places));
  const own = new Set([...ofUser, ...ofProject].map(({ path }) => path));
  const named = namedFiles(settings.named ?? [], { root, home, levels }, settings.compat).filter(
    ({ path }) => !own.has(path),
  );
  const found = [
    ...managedFiles(places),
    ...named.filter(({ tier }) => tier === "user"),
    ...ofUser,
    ...named.filter(({ tier }) => tier === "project"),
    ...ofProject,
    ...levels.flatMap(localFilesAt),
    ...stickyFiles(levels, places, settings),
  ];
  return found.map((candidate) => refuseDisabled(candidate, settings));
}

/** Those of a project between its root and the working directory, by path from the root. */
export function findProjectInstructions(places: Pick<InstructionPlaces, "cwd" | "root">): readonly string[] {
  const levels = levelsBetween(places);
  const names = [stickyName, ...promptNames];
  const sticky = levels.flatMap((directory) =>
    stickyFolders.flatMap(({ path }) => names.map((name) => join(directory, path, name))),
  );
  return [
    ...levels.flatMap((directory) =>
      [...filesAt(directory, places), ...localFilesAt(directory)].map(({ path }) => path),
    ),
    ...sticky.filter(exists),
  ].map((path) => relative(places.root, path));
}

function levelsBetween({ cwd, root }: Pick<InstructionPlaces, "cwd" | "root">): string[] {
  const levels = [cwd];
  while (levels[0] !== root && levels.length < levelsMax) levels.unshift(dirname(levels[0] ?? root));
  return levels;
}

/** The directories of the walk, farthest first. */
export function walkOf(places: InstructionPlaces, { walkPastRepo }: InstructionSettings): readonly string[] {
  const { root, home } = places;
  const levels = levelsBetween(places);
  if (!walkPastRepo || (root !== home && !root.startsWith(`${home}/`))) return levels;
  while (levels[0] !== home && levels.length < levelsMax) {
    const above = dirname(levels[0] ?? home);
    // A directory that somebody else owns may hold files that somebody else wrote.
    if (places.userId === undefined || lookAt(above)?.uid !== places.userId) break;
    levels.unshift(above);
  }
  return levels;
}

/** What one directory of the project brings, weakest source first. */
export function filesAt(directory: string, { cwd, root }: Pick<InstructionPlaces, "cwd" | "root">) {
  const isHere = directory === cwd;
  // In a folder of an agent a bare file is that agent's own.
  const isOwned = basename(directory).startsWith(".") && directory !== root;
  const found: InstructionCandidate[] = [];
  const add = (path: string, source: InstructionOrigin, form: InstructionCandidate["form"] = "file") =>
    found.push({ path, tier: "project", source, directory, form });
  if (!isOwned)
    for (const { path, source } of plainFiles) if (exists(join(directory, path))) add(join(directory, path), source);
  for (const [folder, rows] of Object.entries(folderFiles)) {
    if (folder === ".pi" && exists(join(directory, ".omp"))) continue;
    if (!exists(join(directory, folder))) continue;
    for (const { path, source, isHereOnly } of rows) {
      const whole = join(directory, folder, path);
      if ((isHere || isHereOnly !== true) && exists(whole)) add(whole, source);
    }
    const rules = folderRules[folder];
    if (rules !== undefined)
      for (const path of rulesIn(join(directory, folder), rules)) add(path, rules.source, "rule");
  }
  return found.sort((left, right) => sourcePriorities[left.source] - sourcePriorities[right.source]);
}

export function localFilesAt(directory: string): readonly InstructionCandidate[] {
  return localFiles.flatMap(({ path, source }) => {
    const whole = join(directory, path);
    return exists(whole) ? [{ path: whole, tier: "local" as const, source, directory, form: "file" as const }] : [];
  });
}

/** The user's first, then those of the project, farthest first; the nearest that says anything counts. */
function stickyFiles(
  levels: readonly string[],
  { home, kedgeHome, ompFolder = ompFolderDefault }: InstructionPlaces,
  { compat }: InstructionSettings,
) {
  const ofUser = [
    ...(compat ? [{ path: join(home, ompFolder, stickyName), source: "omp" as const }] : []),
    { path: join(kedgeHome, stickyName), source: "native" as const },
  ].map((file) => ({ ...file, tier: "user" as const, directory: home, form: "sticky" as const }));
  const ofProject = levels.flatMap((directory) =>
    stickyFolders.map(({ path, source }) => {
      return {
        path: join(directory, path, stickyName),
        source,
        tier: "project" as const,
        directory,
        form: "sticky" as const,
      };
    }),
  );
  return [...ofUser, ...ofProject].filter(({ path }) => exists(path));
}

function managedFiles({ managed, root }: InstructionPlaces): readonly InstructionCandidate[] {
  return exists(managed) ? ownFiles({ folder: managed, names: ["KEDGE.md"], tier: "managed", directory: root }) : [];
}

function filesOfUser(
  { home, kedgeHome, root, ompFolder = ompFolderDefault }: InstructionPlaces,
  { compat }: InstructionSettings,
) {
  const foreign = userFiles.flatMap(({ path, source }): readonly InstructionCandidate[] => {
    const whole = join(home, source === "omp" ? path.replace(ompFolderDefault, ompFolder) : path);
    if (!exists(whole)) return [];
    const candidate = { path: whole, tier: "user", source, directory: home, form: "file" } as const;
    return [compat ? candidate : { ...candidate, refused: "disabled by the setting instructions.compat" }];
  });
  return [...foreign, ...ownFiles({ folder: kedgeHome, names: ownUserFiles, tier: "user", directory: root })];
}

type OwnFolder = {
  readonly folder: string;
  readonly names: readonly string[];
  readonly tier: InstructionTier;
  /** What conditions of its rules are relative to. */
  readonly directory: string;
};

function ownFiles({ folder, names, tier, directory }: OwnFolder): readonly InstructionCandidate[] {
  const rules = rulesIn(folder, { path: "rules", source: "native", pattern: rulePattern });
  return [
    ...names.map((name) => ({ path: join(folder, name), form: "file" as const })).filter(({ path }) => exists(path)),
    ...rules.map((path) => ({ path, form: "rule" as const })),
  ].map((file) => ({ ...file, tier, source: "native", directory }));
}

/** With the reason where the user switched its source off. */
export function refuseDisabled(candidate: InstructionCandidate, { disabledSources }: InstructionSettings) {
  const isDisabled = candidate.tier !== "managed" && disabledSources.includes(candidate.source);
  return isDisabled ? { ...candidate, refused: "disabled by the setting disabledProviders" } : candidate;
}

/** In a fixed order. */
function rulesIn(folder: string, { path, pattern }: RuleFolderRow): readonly string[] {
  return namesBelow(join(folder, path), folderDepthMax)
    .filter((name) => pattern.test(name) && !backupPattern.test(name))
    .slice(0, rulesMax);
}

function namesBelow(folder: string, depth: number): readonly string[] {
  if (lookAt(folder)?.isDirectory() !== true) return [];
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .sort((left, right) => (left.name < right.name ? -1 : 1))
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return depth > 0 ? namesBelow(path, depth - 1) : [];
        return [path];
      });
  } catch {
    // A folder that cannot be read brings nothing.
    return [];
  }
}

function lookAt(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
