/** Plans one settings file of kedge: what is in it, with what was found added. */
import type { Findings, FoundRule, ImportLayer, ImportNote } from "../findings.ts";
import { addRules } from "./add-rules.ts";
import { addSettings } from "./add-settings.ts";
import { findTarget, type TargetPlaces } from "./settings-target.ts";

export type PlannedText = { readonly path: string; readonly before: string | undefined; readonly after: string };

/** Undefined where nothing is to be written. */
export async function planSettings(
  layer: ImportLayer,
  found: { readonly settings: Findings["settings"]; readonly rules: readonly FoundRule[] },
  {
    places,
    shown,
    notes,
  }: { readonly places: TargetPlaces; readonly shown: (path: string) => string; readonly notes: ImportNote[] },
): Promise<PlannedText | undefined> {
  const settings = found.settings.filter((setting) => setting.layer === layer);
  const rules = found.rules.filter((rule) => rule.layer === layer);
  if (settings.length === 0 && rules.length === 0) return undefined;
  const target = await findTarget(layer, places);
  if (!target.ok) {
    const why = `${target.why}; no settings or rules are imported`;
    notes.push({ file: shown(target.path), kind: "kept", why });
    return undefined;
  }
  const { path, before, editor, beside } = target;
  const text = before ?? "";
  const place = { editor, name: shown(path), beside };
  const withSettings = addSettings({ text, settings: editor.parse(text) ?? {} }, settings, place, notes);
  const { text: after } = addRules(withSettings, rules, place, notes);
  return after === text ? undefined : { path, before, after };
}
