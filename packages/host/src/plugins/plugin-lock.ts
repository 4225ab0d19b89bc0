/** The one file that says which plugins and marketplaces there are, in which version, and whether they count. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type {
  Capability,
  IndexedSkill,
  PluginDependency,
  PluginManifest,
  PluginOption,
  PluginParts,
  PluginSource,
} from "@kedge/extend/plugins";
import { FailureError, isJsonObject } from "@kedge/protocol";

export type LockedPlugin = {
  readonly name: string;
  readonly source: PluginSource;
  /** The catalogue it was chosen from. */
  readonly marketplace?: string;
  readonly version?: string;
  readonly description?: string;
  /** Of the repository it came from. */
  readonly commit?: string;
  /** What the registry said of the package. */
  readonly integrity?: string;
  /** Of all its files; names its directory in the store. */
  readonly hash: string;
  readonly dialect: PluginManifest["dialect"];
  readonly capabilities: readonly Capability[];
  /** What its code may do, by the names of capabilities. */
  readonly rights: readonly string[];
  readonly enabled: boolean;
  readonly parts: PluginParts;
  /** Its skills, so that a start reads none of their files. */
  readonly index: readonly IndexedSkill[];
  readonly options: readonly PluginOption[];
  /** What the user gave for options. */
  readonly values: { readonly [key: string]: string };
  readonly dependencies: readonly PluginDependency[];
};

export type LockedMarketplace = {
  readonly name: string;
  readonly source: PluginSource;
  readonly commit?: string;
  readonly hash: string;
};

export type PluginLock = {
  readonly version: 1;
  readonly plugins: readonly LockedPlugin[];
  readonly marketplaces: readonly LockedMarketplace[];
};

const emptyLock: PluginLock = { version: 1, plugins: [], marketplaces: [] };

export function pluginsDirectory(home: string): string {
  return join(home, "plugins");
}

export function lockPath(home: string): string {
  return join(pluginsDirectory(home), "lock.json");
}

export function storedDirectory(home: string, hash: string): string {
  return join(pluginsDirectory(home), "store", hash);
}

export function dataDirectory(home: string, name: string): string {
  return join(pluginsDirectory(home), "data", name);
}

export type ReadLock =
  | { readonly ok: true; readonly lock: PluginLock }
  /** A sentence without a full stop. */
  | { readonly ok: false; readonly why: string };

/** Where there is no file, looking for it is all it costs. */
export function readLock(home: string): ReadLock {
  const path = lockPath(home);
  if (!existsSync(path)) return { ok: true, lock: emptyLock };
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    // We wrote it; what is checked is that it is whole, and that what becomes a path can be one.
    if (isLock(value)) return { ok: true, lock: value };
    return { ok: false, why: `${path} is not a list of plugins of this version of kedge` };
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, why: `${path} is damaged` };
    if (error instanceof Error && "code" in error) return { ok: false, why: `${path} cannot be read (${error.code})` };
    throw error;
  }
}

/** For commands: a damaged file ends them. */
export function wholeLock(home: string): PluginLock {
  const read = readLock(home);
  if (read.ok) return read.lock;
  const recovery = `Restore ${lockPath(home)}, or remove it and install your plugins again.`;
  throw new FailureError({ code: "storage", message: `${read.why}.`, recovery, retryable: false });
}

const hashForm = /^[0-9a-f]{64}$/;
const nameForm = /^[a-z0-9][a-z0-9._-]*$/;

function isLock(value: unknown): value is PluginLock {
  if (!isJsonObject(value) || value["version"] !== emptyLock.version) return false;
  const { plugins, marketplaces } = value;
  return isRows(plugins) && isRows(marketplaces) && plugins.every(({ parts }) => isJsonObject(parts));
}

function isRows(value: unknown): value is readonly { readonly [field: string]: unknown }[] {
  return (
    Array.isArray(value) &&
    value.every(
      (row) =>
        isJsonObject(row) &&
        typeof row["name"] === "string" &&
        nameForm.test(row["name"]) &&
        typeof row["hash"] === "string" &&
        hashForm.test(row["hash"]),
    )
  );
}
