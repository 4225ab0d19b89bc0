/** The managed policy of a machine: where its files lie, whether they can be relied on, and what it takes away. */
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { PolicyLimits } from "@kedge/engine";
import { type PermissionMode, type RuleSet, reasonOf } from "@kedge/protocol";
import { flag, list, said, text } from "./checks.ts";
import { withoutAllowRules } from "./read-rules.ts";
import { ignored, type SettingDeclarations } from "./setting-declaration.ts";
import type { Settings } from "./setting-file.ts";

export type ManagedPlace = {
  readonly directory: string;
  /** The user id to whom everything must belong. */
  readonly owner: number;
};

/** Fixed, and no variable moves it: whoever could choose the place could choose the policy. */
export const managedPlaceDefault: ManagedPlace = {
  directory: process.platform === "darwin" ? "/Library/Application Support/kedge" : "/etc/kedge",
  owner: 0,
};

/** What a managed policy decided. */
export type Policy = PolicyLimits & {
  /** All of its settings, which nothing else may change. */
  readonly settings: Settings;
  /** Names of settings files that cannot be used; while there is one, no rule allows anything. */
  readonly broken?: readonly string[];
};

export type ManagedFiles =
  | { readonly ok: true; readonly paths: readonly string[] }
  | { readonly ok: false; readonly sentence: string };

const ofPolicy = {
  project: ignored("it only applies in a managed policy"),
  sources: ["policy"],
  counts: "at start",
} as const;

/** Settings that only a managed policy has. */
export const policyDeclarations: SettingDeclarations = {
  allowManagedRulesOnly: { check: said("Only managed rules may allow actions.", flag, false), ...ofPolicy },
  allowManagedHooksOnly: { check: said("Only run managed hooks.", flag, false), ...ofPolicy },
  allowedMarketplaces: {
    check: said("Allowed marketplaces and plugins, by name or source; * matches any text.", list(text)),
    ...ofPolicy,
  },
  deniedMarketplaces: {
    check: said("Blocked marketplaces and plugins, by name or source; * matches any text.", list(text)),
    ...ofPolicy,
  },
  disableBypass: { check: said("Disable bypass mode.", flag, false), ...ofPolicy },
  disableAuto: { check: said("Disable auto mode.", flag, false), ...ofPolicy },
};

/** `managed.json`, then `managed.d/*.json` by name. Where there is no such directory, looking for it is all it costs. */
export function findManagedFiles({ directory, owner }: ManagedPlace): ManagedFiles {
  try {
    if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) return { ok: true, paths: [] };
    // A link to nothing throws: a policy that cannot be reached is not one that says nothing.
    statSync(directory);
    const folder = join(directory, "managed.d");
    const single = join(directory, "managed.json");
    const names = lstatSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
    const paths = [
      ...(lstatSync(single, { throwIfNoEntry: false }) === undefined ? [] : [single]),
      ...names
        .filter((name) => name.endsWith(".json"))
        .toSorted()
        .map((name) => join(folder, name)),
    ];
    const folders = names.length === 0 ? [directory] : [directory, folder];
    const doubtful = paths.length === 0 ? undefined : [...folders, ...paths].find((path) => !isReliable(path, owner));
    if (doubtful !== undefined) return { ok: false, sentence: unreliable(doubtful) };
    const root = realpathSync.native(directory) + sep;
    const elsewhere = paths.find((path) => !realpathSync.native(path).startsWith(root));
    if (elsewhere !== undefined)
      return { ok: false, sentence: `The managed policy ${elsewhere} points outside ${directory}` };
    return { ok: true, paths };
  } catch (error) {
    return { ok: false, sentence: `The managed policy in ${directory} cannot be read (${reasonOf(error)})` };
  }
}

const writableByOthers = 0o022;

function isReliable(path: string, owner: number): boolean {
  const { uid, mode } = statSync(path);
  return uid === owner && (mode & writableByOthers) === 0;
}

function unreliable(path: string): string {
  return `The managed policy ${path} must be owned by root and writable only by root. kedge will not start`;
}

/** From the settings that the policy's own files add up to. */
export function readPolicy(settings: Settings): Policy {
  const disabled: readonly (PermissionMode | false)[] = [
    settings["disableBypass"] === true && "bypass",
    settings["disableAuto"] === true && "auto",
  ];
  return {
    settings,
    managedRulesOnly: settings["allowManagedRulesOnly"] === true,
    disabledModes: disabled.filter((mode) => mode !== false),
  };
}

/** With managed rules alone, others may still ask and deny: that only tightens. */
export function rulesUnderPolicy(rules: readonly RuleSet[], policy: Policy | undefined): readonly RuleSet[] {
  if (policy?.broken !== undefined) return withoutAllowRules(rules);
  if (policy?.managedRulesOnly !== true) return rules;
  return rules.map((set) =>
    set.source === "policy" ? set : { ...set, rules: set.rules.filter(({ action }) => action !== "allow") },
  );
}

/** Whether the policy sets what a path such as `limits.maxTurns` names. */
export function isFixedByPolicy(path: string, policy: Policy | undefined): boolean {
  let value: unknown = policy?.settings;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return false;
    value = Reflect.get(value, name);
  }
  return value !== undefined;
}
