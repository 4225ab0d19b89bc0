/** Where hooks of every agent lie, in the user's folders and in a project's. */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import type { DialectId, HookScope, HookSource } from "@kedge/extend/hooks";
import { readSettingsText } from "../configuration/read-settings-text.ts";
import { type ConfigurationSources, leadsOut, shownPath, whereIs } from "../configuration/setting-layers.ts";
import { ompFolder } from "../machine/omp-folder.ts";
import { readForeignHooks, withoutDisabled } from "./foreign-hooks.ts";

type Place = { readonly dialect: DialectId; readonly path: string; readonly isFolder?: true };

/** Below the user's directory. */
const userPlaces: readonly Place[] = [
  { dialect: "claude", path: ".claude/settings.json" },
  { dialect: "codex", path: ".codex/hooks.json" },
  { dialect: "codex", path: ".codex/config.toml" },
  { dialect: "gemini", path: ".gemini/settings.json" },
  { dialect: "copilot", path: ".copilot/hooks", isFolder: true },
  { dialect: "copilot", path: ".copilot/settings.json" },
];

/** Below the root of a project. */
const projectPlaces: readonly Place[] = [
  { dialect: "claude", path: ".claude/settings.json" },
  { dialect: "claude", path: ".claude/settings.local.json" },
  { dialect: "codex", path: ".codex/hooks.json" },
  { dialect: "codex", path: ".codex/config.toml" },
  { dialect: "gemini", path: ".gemini/settings.json" },
  { dialect: "copilot", path: ".github/hooks", isFolder: true },
  { dialect: "copilot", path: ".github/copilot/settings.json" },
  { dialect: "copilot", path: ".github/copilot/settings.local.json" },
];

/** Folders with a file for each hook. Modules of omp are code, which is loaded elsewhere. */
const fileHookPlaces = [
  { source: "native", project: ".kedge/hooks", hasModules: true },
  { source: "omp", project: ".omp/hooks", hasModules: false },
] as const;

const fileHookFolders = { pre: "PreToolUse", post: "PostToolUse" } as const;
const filesMax = 100;

/** Whether a project brings hooks beside kedge's own settings, told by names and a look at the text. */
export function bringsHooks(root: string): boolean {
  if (fileHookPlaces.some(({ project }) => existsSync(join(root, project)))) return true;
  return projectPlaces.some(({ path, isFolder }) => {
    const whole = join(root, path);
    if (!existsSync(whole)) return false;
    if (isFolder) return true;
    const read = readSettingsText(whole);
    return read.ok && /"hooks"|^\s*(?:\[*\s*)?hooks\b/m.test(read.text);
  });
}

/** The hooks of one file that do not count. */
export type LeftHooks = Pick<HookSource, "file" | "scope"> & { readonly why: string };

export type PlacedHooks = {
  readonly sources: readonly HookSource[];
  readonly warnings: readonly string[];
  /** Those that their own agent would not run. */
  readonly left: readonly LeftHooks[];
};

type Off = { readonly dialect: DialectId; readonly scope: HookScope; readonly why: string };

/** Those of the user, then those of a trusted project. `isDisabled` says which agents' folders are not read. */
export async function readPlacedHooks(
  sources: ConfigurationSources,
  isDisabled: (source: string) => boolean,
): Promise<PlacedHooks> {
  const found: HookSource[] = [];
  const warnings: string[] = [];
  const offs: Off[] = [];
  const disabled: { readonly dialect: DialectId; readonly scope: HookScope; readonly names: readonly string[] }[] = [];
  const left: LeftHooks[] = [];
  const { userDirectory, projectRoot, home } = sources;
  const seen = new Set<string>();
  const read = async (root: string, places: readonly Place[], scope: HookScope) => {
    for (const { dialect, path, isFolder } of places) {
      if (isDisabled(dialect === "copilot" ? "github" : dialect)) continue;
      for (const file of isFolder ? jsonFiles(join(root, path)) : [join(root, path)]) {
        // In the user's own directory the folders of the user and of the project are the same.
        if (seen.has(file) || !existsSync(file)) continue;
        seen.add(file);
        const name = shownPath(file, sources);
        const isOut = scope === "project" && whereIs(file, projectRoot) !== "inside";
        const given = isOut
          ? { ok: false as const, sentence: leadsOut(name) }
          : await readForeignHooks(file, { dialect, name, isOwnFile: isFolder === true });
        // Rules are read from the same files, and say that a file is broken.
        if (!given.ok && dialect !== "claude") warnings.push(given.sentence);
        if (!given.ok) continue;
        const { hooks, off } = given;
        if (off !== undefined) offs.push({ dialect, scope, why: `${off} of ${name} turns hooks off` });
        if (given.disabled.length > 0) disabled.push({ dialect, scope, names: given.disabled });
        if (given.isFileOff === true) left.push({ file: name, scope, why: "disableAllHooks is set in this file" });
        else if (hooks !== undefined) found.push({ dialect, scope, file: name, hooks });
      }
    }
  };
  await read(userDirectory, userPlaces, "user");
  found.push(...fileHooks(join(home, "hooks"), "user", sources));
  if (!isDisabled("omp"))
    found.push(
      ...fileHooks(join(userDirectory, ompFolder(userDirectory, home), "hooks"), "user", sources, {
        hasModules: false,
      }),
    );
  /** What a project turns off is its own; the user turns off both. */
  const isAbout = (each: { readonly dialect: DialectId; readonly scope: HookScope }, source: HookSource) =>
    each.dialect === source.dialect && (each.scope === "user" || each.scope === source.scope);
  const counting = (): PlacedHooks => {
    const counted = found.flatMap((source) => {
      const off = offs.find((each) => isAbout(each, source));
      if (off !== undefined) {
        left.push({ file: source.file, scope: source.scope, why: off.why });
        return [];
      }
      const names = disabled.filter((each) => isAbout(each, source)).flatMap((each) => each.names);
      return [{ ...source, hooks: withoutDisabled(source.hooks, names) }];
    });
    return { sources: counted, warnings, left };
  };
  if (!sources.isTrusted) return counting();
  await read(projectRoot, projectPlaces, "project");
  for (const { source, project, hasModules } of fileHookPlaces) {
    const folder = join(projectRoot, project);
    if (isDisabled(source) || !existsSync(folder) || whereIs(folder, projectRoot) !== "inside") continue;
    found.push(...fileHooks(folder, "project", sources, { hasModules }));
  }
  return counting();
}

function jsonFiles(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name));
}

/** In a fixed order. A folder that cannot be read brings nothing. */
function namesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  try {
    const names = readdirSync(folder).filter((name) => !name.startsWith("."));
    return names.toSorted().slice(0, filesMax);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

/** What a script is run with, by how its name ends; others run by themselves. */
const interpreters: { readonly [extension: string]: string } = {
  ".sh": "bash",
  ".bash": "bash",
  ".py": "python3",
  ".js": "node",
  ".mjs": "node",
  ".cjs": "node",
  ".ts": "node",
  ".mts": "node",
};

/** `pre/bash.sh` runs before every call of bash, `post/*.py` after every call. */
function fileHooks(
  folder: string,
  scope: HookScope,
  sources: ConfigurationSources,
  { hasModules } = { hasModules: true },
): readonly HookSource[] {
  if (!existsSync(folder)) return [];
  return Object.entries(fileHookFolders).flatMap(([kind, event]) =>
    namesIn(join(folder, kind)).flatMap((name): readonly HookSource[] => {
      const path = join(folder, kind, name);
      if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
      const extension = extname(name);
      const tool = name.slice(0, name.length - extension.length);
      const interpreter = interpreters[extension];
      if (interpreter === "node" && !hasModules) return [];
      const action = interpreter === undefined ? { command: path, args: [] } : { command: interpreter, args: [path] };
      const hooks = { [event]: [{ matcher: tool, hooks: [{ type: "command", ...action }] }] };
      return [{ dialect: "kedge", scope, file: shownPath(path, sources), hooks }];
    }),
  );
}
