/** Writes one setting into the user's own file, or into the user's file of a project; never into a file of others. */
import { existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Failure, FailureError, isJsonObject, type Json, reasonOf } from "@kedge/protocol";
import { whileLocked } from "../machine/file-lock.ts";
import type { Home } from "../machine/home.ts";
import { replaceFile } from "../machine/replace-file.ts";
import { hideFromGit, localFileObstacle, localRulesLock } from "../sessions/saved-rules.ts";
import { judgeWorkspace, keepTrust } from "../trust/workspace-trust.ts";
import { type EditText, openEditor } from "./edit-settings-text.ts";
import { gatherSettings, judgeSettings } from "./gather-settings.ts";
import { isFixedByPolicy, readPolicy } from "./managed-policy.ts";
import { mergeSettings } from "./merge-settings.ts";
import { readRules } from "./read-rules.ts";
import { readSettingsText } from "./read-settings-text.ts";
import { findSettingFile, type Settings } from "./setting-file.ts";
import { type ConfigurationSources, type Layer, shownPath } from "./setting-layers.ts";
import { findSetting, parseSettingPath, type SettingPath, valueAt } from "./setting-path.ts";

export type SettingChange = {
  readonly layer: "user" | "local";
  /** Such as `titles.enabled`. */
  readonly key: string;
  /** Without it the setting is taken out of the file. */
  readonly value?: Json;
};

export type ChangeParts = {
  readonly home: Home;
  readonly sources: ConfigurationSources;
  readonly now: () => number;
};

export type Changed =
  | { readonly ok: true; readonly file: string; readonly changed: boolean }
  | { readonly ok: false; readonly failure: Failure };

/** Changes nothing unless the whole file is right afterwards. */
export async function changeSetting(change: SettingChange, parts: ChangeParts): Promise<Changed> {
  const { sources, home } = parts;
  const found = findSetting(change.key);
  // What is in the file and is no setting can still be taken out of it.
  const path = found.ok ? found.path : change.value === undefined ? parseSettingPath(change.key) : undefined;
  if (path === undefined) return refused(found.ok ? "" : found.sentence);
  const gathered = await gatherSettings(sources);
  if (gathered.ok && change.value !== undefined) {
    const policy = gathered.gathered.policy === undefined ? undefined : readPolicy(gathered.gathered.policy);
    if (isFixedByPolicy(change.key, policy)) {
      return refused(`this machine's managed policy sets ${change.key} and cannot be overridden`);
    }
  }
  // A broken file of the user must not keep the user from mending it here.
  const soFar = gathered.ok ? weakerSettings(gathered.gathered.readings) : {};
  try {
    const place = placeFor(change.layer, sources);
    if (!place.ok) return refused(place.why);
    const editor = await openEditor(place.file);
    const lock = change.layer === "local" ? localRulesLock(home) : join(home.data, "user-settings");
    return whileLocked(lock, () => {
      // Somebody else may have made the file meanwhile.
      const now = placeFor(change.layer, sources);
      if (!now.ok) return refused(now.why);
      if (now.file !== place.file) return refused(`${now.layer.name} was created in the meantime. Try again`);
      return write({ path, change, place: now, editor, soFar }, parts);
    });
  } catch (error) {
    if (error instanceof FailureError) return { ok: false, failure: error.failure };
    if (error instanceof Error && "code" in error) return refused(`the file cannot be written (${reasonOf(error)})`);
    throw error;
  }
}

type Place =
  | { readonly ok: true; readonly file: string; readonly exists: boolean; readonly layer: Layer }
  | { readonly ok: false; readonly why: string };

function placeFor(source: SettingChange["layer"], sources: ConfigurationSources): Place {
  const { home, projectRoot, userDirectory } = sources;
  const stem = source === "user" ? join(home, "config") : join(projectRoot, ".kedge", "config.local");
  const obstacle = source === "local" ? localFileObstacle(projectRoot, userDirectory) : undefined;
  if (obstacle !== undefined) return { ok: false, why: obstacle };
  const found = findSettingFile(stem);
  if (found.kind === "several") {
    const names = found.paths.map((path) => shownPath(path, sources)).join(" and ");
    return { ok: false, why: `${names} exist in several formats; keep one of them` };
  }
  const path = found.kind === "one" ? found.path : `${stem}.json`;
  // A link of the user's to a file kept elsewhere stays a link.
  const file = source === "user" && existsSync(path) ? realpathSync.native(path) : path;
  return { ok: true, file, exists: found.kind === "one", layer: { path, source, name: shownPath(path, sources) } };
}

type Work = {
  readonly path: SettingPath;
  readonly change: SettingChange;
  readonly place: Extract<Place, { readonly ok: true }>;
  readonly editor: EditText;
  readonly soFar: Settings;
};

function write({ path, change, place, editor, soFar }: Work, { home, sources, now }: ChangeParts): Changed {
  const { file, layer, exists } = place;
  const read = exists ? readSettingsText(file) : { ok: true as const, text: "" };
  if (!read.ok) return refused(`${layer.name} ${read.why}`);
  const before = read.text;
  const settings = editor.parse(before);
  if (settings === undefined) return refused(`${layer.name} is invalid. Fix it first`);
  if (change.value === undefined && valueAt(settings, path) === undefined) {
    return { ok: true, file: layer.name, changed: false };
  }
  const after = editor.edit(before, path, change.value);
  if (after === undefined) return refused(unchangeable(layer));
  const wrong = problemIn(editor.parse(after), { layer, soFar, path, change, before: settings });
  if (wrong !== undefined) return refused(wrong);
  if (after === before) return { ok: true, file: layer.name, changed: false };
  const trustParts = { home, root: sources.projectRoot, userDirectory: sources.userDirectory, now };
  const trust = layer.source === "local" ? judgeWorkspace(trustParts) : undefined;
  mkdirSync(dirname(file), { recursive: true });
  if (layer.source === "local" && !exists) hideFromGit(sources.projectRoot, dirname(file));
  const usual = layer.source === "local" ? 0o644 : 0o600;
  replaceFile(file, after, { mode: exists ? statSync(file).mode & 0o777 : usual });
  if (trust !== undefined) keepTrust(trustParts, trust, file.slice(sources.projectRoot.length + 1));
  return { ok: true, file: layer.name, changed: true };
}

type Judging = Pick<Work, "path" | "soFar" | "change"> & { readonly layer: Layer; readonly before: Settings };

/** As the next start will read the file; before trust as it will once the project is trusted. */
function problemIn(settings: Settings | undefined, judging: Judging): string | undefined {
  const { layer, soFar, path, change, before } = judging;
  if (settings === undefined || !isSame(valueAt(settings, path), change.value)) return unchangeable(layer);
  if (!isSame(settings, withValue(before, path, change.value))) {
    return `${layer.name} cannot be edited automatically: changing ${change.key} would affect other settings. Edit it by hand`;
  }
  if (change.value === undefined) return undefined;
  const judged = judgeSettings(settings, layer, { soFar, isTrusted: true });
  if (!judged.ok) return judged.sentence;
  const { permission, permissions, permission_presets: presets } = settings;
  const rules = readRules({ permission, permissions, presets }, { source: layer.source, file: layer.name });
  if (!rules.ok) return rules.sentence;
  const ignored = judged.ignored.find(({ key }) => key === path[0]);
  return ignored === undefined ? undefined : `${layer.name}: ${change.key} would be ignored: ${ignored.reason}`;
}

function unchangeable({ name }: Layer): string {
  return `${name} cannot be edited automatically. Edit it by hand`;
}

/** What the file should say afterwards. */
function withValue(settings: unknown, [name, ...rest]: SettingPath, value: Json | undefined): unknown {
  if (name === undefined) return value;
  const group = isJsonObject(settings) ? settings : {};
  return { ...group, [name]: withValue(Object.hasOwn(group, name) ? group[name] : undefined, rest, value) };
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** What the user's file of a project is held to: the files below it. */
function weakerSettings(readings: readonly { readonly layer: Layer; readonly accepted: Settings }[]): Settings {
  return readings
    .filter(({ layer }) => layer.source === "user" || layer.source === "project")
    .reduce((soFar: Settings, { accepted }) => mergeSettings(soFar, accepted), {});
}

function refused(why: string): Changed {
  const message = `Nothing changed: ${why}.`;
  return { ok: false, failure: { code: "configuration", message, retryable: false } };
}
