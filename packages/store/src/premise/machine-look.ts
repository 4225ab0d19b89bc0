/** Looks at files of the machine for the gates: state files with their hashes, sizes of targets, what changed since when. */
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { readArchiveNames } from "./archive-names.ts";
import { markFiles, type WantedMark } from "./file-marks.ts";
import { realPathOf } from "./real-path.ts";
import { isUnreadable, type WalkLimits, walkFolders } from "./walk-folders.ts";

export type MachineLookOptions = {
  /** On a clock that never goes back. */
  readonly monotonicMs: () => number;
  /** For tests of the limits. */
  readonly limits?: Partial<LookLimits>;
};

export type LookLimits = {
  readonly timeMs: number;
  readonly depthMax: number;
  readonly entriesMax: number;
  readonly filesMax: number;
  readonly hashedBytesMax: number;
  readonly hashedBytesTotalMax: number;
  readonly textBytesMax: number;
};

const defaultLimits: LookLimits = {
  timeMs: 200,
  depthMax: 16,
  entriesMax: 200_000,
  filesMax: 400,
  hashedBytesMax: 8_000_000,
  hashedBytesTotalMax: 32_000_000,
  textBytesMax: 1_000_000,
};

type Look = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
};

/** Large, made by programs, and never the place of a state file. */
const skippedFolders: ReadonlySet<string> = new Set([
  "node_modules",
  ".git",
  ".hg",
  ".svn",
  ".venv",
  "venv",
  "__pycache__",
  ".tox",
  ".gradle",
  ".terragrunt-cache",
  ".pnpm-store",
]);

/** What terraform downloads; the rest of its folder says where its state is. */
const skippedBelowTerraform: ReadonlySet<string> = new Set(["providers", "plugins", "modules"]);

/** Every method is bounded, reads only, and treats what cannot be read as absent. */
export function createMachineLook({ monotonicMs, limits: own }: MachineLookOptions) {
  const limits: LookLimits = { ...defaultLimits, ...own };
  const walkLimits: WalkLimits = { ...limits, monotonicMs };

  async function list(request: {
    readonly directory: string;
    readonly isWanted: (folder: string, name: string) => boolean;
    readonly others: readonly string[];
  }) {
    const { directory, isWanted, others } = request;
    const paths = new Set(others);
    const isComplete = await walkFolders({
      directory,
      limits: walkLimits,
      isSkipped,
      onFile: (folder, { name }) => {
        if (isWanted(folder, name)) paths.add(join(directory, folder, name));
        return paths.size < limits.filesMax + others.length;
      },
    });
    let hashedBytes = 0;
    const items = [...paths].flatMap((path) => {
      const look = lookAtFile(path);
      if (look === undefined) return [];
      hashedBytes += look.sizeBytes;
      const isSmall = look.sizeBytes <= limits.hashedBytesMax && hashedBytes <= limits.hashedBytesTotalMax;
      return [{ ...look, hash: (isSmall ? contentHash(path) : undefined) ?? hashOfTimes(look) }];
    });
    return { items, isComplete };
  }

  async function changedSince(directory: string, sinceMs: number) {
    const items: Look[] = [];
    const isComplete = await walkFolders({
      directory,
      limits: walkLimits,
      isSkipped,
      onFile: (folder, { name }) => {
        const path = join(directory, folder, name);
        const stats = statsOf(() => lstatSync(path));
        if (stats !== undefined && stats.ctimeMs >= sinceMs) items.push(asLook(path, stats));
        return items.length < limits.filesMax;
      },
    });
    return { items: items.sort((left, right) => right.changedMs - left.changedMs), isComplete };
  }

  /** Here nothing is skipped: what is removed is removed whole. */
  async function measure(path: string) {
    const stats = statsOf(() => lstatSync(path));
    if (stats === undefined) return { kind: "missing" } as const;
    if (!stats.isDirectory()) return { kind: "file", sizeBytes: stats.size } as const;
    let files = 0;
    let sizeBytes = 0;
    const isComplete = await walkFolders({
      directory: path,
      limits: walkLimits,
      isSkipped: () => false,
      onFile: (folder, { name }) => {
        files += 1;
        sizeBytes += statsOf(() => lstatSync(join(path, folder, name)))?.size ?? 0;
        return true;
      },
    });
    return { kind: "folder", files, sizeBytes, isComplete } as const;
  }

  return {
    list,
    changedSince,
    measure,
    lookAt: async (paths: readonly string[]) => paths.flatMap((path) => lookAtFile(path) ?? []),
    archiveNames: async (path: string) => {
      try {
        const found = await readArchiveNames(path);
        return found && { items: found.names, isComplete: found.isComplete };
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        return undefined;
      }
    },
    realPath: async (path: string) => realPathOf(path),
    mark: async (wanted: readonly WantedMark[]) => markFiles(wanted, limits),
    readText: async (path: string) => {
      const look = lookAtFile(path);
      if (look === undefined || look.sizeBytes > limits.textBytesMax) return undefined;
      return contentOf(path)?.toString("utf8");
    },
  };
}

function isSkipped(folder: string, name: string): boolean {
  if (skippedFolders.has(name)) return true;
  return (folder === ".terraform" || folder.endsWith("/.terraform")) && skippedBelowTerraform.has(name);
}

/** Of what a link leads to: a state file may well be one. Pipes and devices are never opened. */
function lookAtFile(path: string): Look | undefined {
  const stats = statsOf(() => statSync(path));
  return stats?.isFile() ? asLook(path, stats) : undefined;
}

function asLook(path: string, { size, mtimeMs, ctimeMs }: Stats): Look {
  return { path, sizeBytes: size, modifiedMs: mtimeMs, changedMs: ctimeMs };
}

function statsOf(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

function contentHash(path: string): string | undefined {
  const content = contentOf(path);
  return content === undefined ? undefined : createHash("sha256").update(content).digest("hex");
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

function hashOfTimes({ sizeBytes, modifiedMs, changedMs }: Look): string {
  return `${sizeBytes} ${modifiedMs} ${changedMs}`;
}
