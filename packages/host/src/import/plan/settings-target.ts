/** The settings file of kedge that an import adds to, in each layer: the one that is there, or a new one. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { type EditText, openEditor } from "../../configuration/edit-settings-text.ts";
import { readSettingsText } from "../../configuration/read-settings-text.ts";
import { findSettingFile, presenceOf, type Settings } from "../../configuration/setting-file.ts";
import { whereIs } from "../../configuration/setting-layers.ts";
import { localFileObstacle } from "../../sessions/saved-rules.ts";
import type { ImportLayer } from "../findings.ts";

export type TargetPlaces = {
  /** kedge's own directory. */
  readonly home: string;
  readonly userDirectory: string;
  readonly projectRoot: string;
};

export type SettingsTarget =
  | {
      readonly ok: true;
      readonly path: string;
      /** Undefined for a new file. */
      readonly before: string | undefined;
      readonly editor: EditText;
      /** What other files of the layer say, which counts as kedge's own as well. */
      readonly beside: Settings;
    }
  | { readonly ok: false; readonly path: string; readonly why: string };

export async function findTarget(layer: ImportLayer, places: TargetPlaces): Promise<SettingsTarget> {
  const { home, projectRoot, userDirectory } = places;
  const folder = join(projectRoot, ".kedge");
  const stems = { user: [join(home, "config")], project: [join(folder, "config"), join(projectRoot, "kedge")] };
  const [stem = "", other] = layer === "local" ? [join(folder, "config.local")] : stems[layer];
  const obstacle = layer === "local" ? localFileObstacle(projectRoot, userDirectory) : undefined;
  if (obstacle !== undefined) return { ok: false, path: `${stem}.json`, why: `cannot be written: ${obstacle}` };
  const inFolder = await openFile(stem, layer, places);
  const atRoot = other === undefined ? undefined : await openFile(other, layer, places);
  if (!inFolder.ok || inFolder.before !== undefined || atRoot === undefined) {
    const beside = atRoot?.ok === true ? (atRoot.editor.parse(atRoot.before ?? "") ?? {}) : {};
    return inFolder.ok ? { ...inFolder, beside } : inFolder;
  }
  return atRoot.ok && atRoot.before === undefined ? inFolder : atRoot;
}

async function openFile(stem: string, layer: ImportLayer, { projectRoot }: TargetPlaces): Promise<SettingsTarget> {
  const found = findSettingFile(stem);
  if (found.kind === "several")
    return { ok: false, path: `${stem}.json`, why: "exists in several formats; keep one of them" };
  const named = found.kind === "one" ? found.path : `${stem}.json`;
  if (layer !== "user" && liesOutside(named, projectRoot)) {
    return { ok: false, path: named, why: "is behind a link that points outside the project" };
  }
  // A link of the user's to a file kept elsewhere stays a link.
  const path = existsSync(named) ? realpathSync.native(named) : named;
  const editor = await openEditor(path);
  if (found.kind === "none") return { ok: true, path, before: undefined, editor, beside: {} };
  const read = readSettingsText(path);
  if (!read.ok) return { ok: false, path, why: read.why };
  if (editor.parse(read.text) === undefined) return { ok: false, path, why: "is invalid. Fix it first" };
  return { ok: true, path, before: read.text, editor, beside: {} };
}

/** Links are followed; of a file that is not there, the nearest directory above it decides. */
export function liesOutside(path: string, projectRoot: string): boolean {
  let there = path;
  while (there !== projectRoot && presenceOf(there) === "absent") there = dirname(there);
  return there !== projectRoot && whereIs(there, projectRoot) !== "inside";
}
