/** Adds settings to the text of a settings file, as far as kedge knows them and the file has none of its own. */
import { isJsonObject, type Json } from "@kedge/protocol";
import { describeProblem } from "../../configuration/checks.ts";
import type { EditText } from "../../configuration/edit-settings-text.ts";
import { judgeSettings } from "../../configuration/gather-settings.ts";
import { unitedSettings } from "../../configuration/known-settings.ts";
import { readProviders } from "../../configuration/read-providers.ts";
import type { Settings } from "../../configuration/setting-file.ts";
import { findSetting, type SettingPath, settingKey, valueAt } from "../../configuration/setting-path.ts";
import type { FoundSetting, ImportNote } from "../findings.ts";

export type EditedText = { readonly text: string; readonly settings: Settings };

export type TextPlace = {
  readonly editor: EditText;
  /** How the file is called in sentences. */
  readonly name: string;
  readonly beside: Settings;
};

export function addSettings(
  start: EditedText,
  found: readonly FoundSetting[],
  { editor, name, beside }: TextPlace,
  notes: ImportNote[],
): EditedText {
  let { text, settings } = start;
  for (const setting of complete(lastOf(found), settings, notes)) {
    const { path, value, from } = setting;
    const why = problemOf(setting, name);
    if (why !== undefined) {
      notes.push({ ...from, kind: "unsupported", why });
      continue;
    }
    const own = valueAt(settings, path);
    const existing = own ?? valueAt(beside, path);
    const wanted = existing === undefined ? value : united(path, own, value);
    if (isSame(existing, wanted ?? value)) continue;
    const edited = wanted === undefined ? undefined : editor.edit(text, path, wanted);
    const parsed = edited === undefined ? undefined : editor.parse(edited);
    if (edited === undefined || parsed === undefined || !isSame(valueAt(parsed, path), wanted)) {
      const reason = wanted === undefined ? "stays unchanged in" : "cannot be added to";
      notes.push({ ...from, kind: "kept", why: `${settingKey(path)} ${reason} ${name}` });
      continue;
    }
    text = edited;
    settings = parsed;
  }
  return { text, settings };
}

/** Lists that kedge puts together where several files have one grow by what is new; undefined for all else. */
function united([group = ""]: SettingPath, own: unknown, value: Json): Json | undefined {
  if (!unitedSettings.has(group) || !Array.isArray(own) || !Array.isArray(value)) return undefined;
  // What was parsed from a settings file is JSON.
  const list = own as readonly Json[];
  return [...list, ...value.filter((member) => !list.some((each) => isSame(each, member)))];
}

/** Where several files of an agent set the same, the later one is the stronger. */
function lastOf(found: readonly FoundSetting[]): readonly FoundSetting[] {
  return [...new Map(found.map((setting) => [settingKey(setting.path), setting])).values()];
}

/** Why kedge would not take the value; undefined when it would. */
function problemOf({ path, value, layer }: FoundSetting, name: string): string | undefined {
  // In a file of kedge this takes back what a weaker file says, which nobody meant.
  if (value === null) return "has no value";
  const key = settingKey(path);
  // kedge would put a variable or a file in its place, and refuse to start where there is none.
  if (key === "model" && /\{(?:env|file):/.test(String(value))) return "does not name a model";
  if (!findSetting(key).ok) return `has no equivalent in kedge`;
  const judging = { path: "", source: layer, name };
  const judged = judgeSettings({ [path[0] ?? ""]: nested(path.slice(1), value) }, judging, {
    soFar: {},
    isTrusted: true,
  });
  if (!judged.ok) return `is not valid in kedge: ${judged.sentence.replace(`${name}: `, "")}`;
  const ignored = judged.ignored[0];
  return ignored === undefined ? undefined : `would be ignored in ${name}: ${ignored.reason}`;
}

/** A provider that lacks something would make the whole file wrong. */
function complete(found: readonly FoundSetting[], settings: Settings, notes: ImportNote[]): readonly FoundSetting[] {
  const ids = new Set(found.flatMap(({ path: [group, id] }) => (group === "provider" && id !== undefined ? [id] : [])));
  const refused = new Set<string>();
  for (const id of ids) {
    const ofId = found.filter(({ path }) => path[0] === "provider" && path[1] === id);
    const own = valueAt(settings, ["provider", id]);
    const whole = ofId.reduce(
      (soFar, { path, value }) => withValue(soFar, path.slice(2), value),
      isJsonObject(own) ? own : {},
    );
    const read = readProviders({ [id]: whole });
    const [first] = ofId;
    if (read.ok || first === undefined) continue;
    refused.add(id);
    const why = `is not complete: ${describeProblem("", read.problem).replace(/^: /, "")}`;
    notes.push({ ...first.from, kind: "unsupported", why });
  }
  return found.filter(({ path: [group, id] }) => group !== "provider" || !refused.has(id ?? ""));
}

function withValue(settings: Settings, [name, ...rest]: SettingPath, value: Json): Settings {
  if (name === undefined) return isJsonObject(value) ? value : {};
  const below = settings[name];
  const inner = rest.length === 0 ? value : withValue(isJsonObject(below) ? below : {}, rest, value);
  return { ...settings, [name]: inner };
}

function nested(path: SettingPath, value: Json): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
