/** Saves allow rules that a person gave for the project: in the user's own file there, keeping everything else in it. */
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalPermission } from "@kedge/engine";
import {
  type Failure,
  FailureError,
  isJsonObject,
  type PermissionRule,
  reasonOf,
  type SaveRules,
} from "@kedge/protocol";
import { readRules } from "../configuration/read-rules.ts";
import { readSettingsText } from "../configuration/read-settings-text.ts";
import { repeatedJsonKey } from "../configuration/repeated-key.ts";
import { findSettingFile, isYaml, type Settings, settingFormats } from "../configuration/setting-file.ts";
import { whileLocked } from "../machine/file-lock.ts";
import type { Home } from "../machine/home.ts";
import { replaceFile } from "../machine/replace-file.ts";
import { isTracked } from "../trust/tracked-file.ts";
import { isTooWide, judgeWorkspace, keepTrust, type TrustParts } from "../trust/workspace-trust.ts";

const folder = ".kedge";
const fileNames: readonly string[] = settingFormats.map((format) => `config.local.${format}`);
/** So that nobody checks in what is one person's. */
const ignored = [...fileNames, ".gitignore"].join("\n");

type Saved = Awaited<ReturnType<SaveRules>>;

/** All of the rules or none: the file is replaced as a whole. */
export async function saveRulesForProject(rules: readonly PermissionRule[], parts: TrustParts): Promise<Saved> {
  return changeLocalFile(parts, {
    verb: "save",
    apply: (text, language) => addRules(text, rules, language),
    notice: (name, isTrusted) => {
      const later = isTrusted ? "" : " It applies to later sessions once this project is trusted: kedge trust add.";
      return `Saved to ${name}: ${rules.map(ruleText).join(", ")}.${later}`;
    },
  });
}

export type LocalChange = {
  /** For the sentence about what could not be done. */
  readonly verb: "save" | "remove";
  readonly apply: (text: string, language: SettingsText) => Changed;
  readonly notice: (name: string, isTrusted: boolean) => string;
};

/** Changes the user's own file of the project, one process at a time, and keeps the trust that it had. */
export async function changeLocalFile(parts: TrustParts, change: LocalChange): Promise<Saved> {
  try {
    // Loaded before anything is read, so that nothing of this process comes between reading and writing.
    const language = settingsText(await import("jsonc-parser"));
    return whileLocked(localRulesLock(parts.home), () => writeChange(parts, change, language));
  } catch (error) {
    if (error instanceof FailureError) return { ok: false, failure: error.failure };
    if (error instanceof Error && "code" in error) {
      return refused(change.verb, `it cannot be written (${reasonOf(error)})`);
    }
    throw error;
  }
}

/** Settings as text with its comments. */
export type SettingsText = {
  /** Undefined when it is no object. */
  parse(text: string): Settings | undefined;
  /** Gives back the text with the value at the path; undefined takes it away. */
  edit(text: string, path: readonly (string | number)[], value: unknown): string;
};

const formatting = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

function settingsText({ applyEdits, modify, parse }: typeof import("jsonc-parser")): SettingsText {
  return {
    parse(text) {
      const errors: import("jsonc-parser").ParseError[] = [];
      const value: unknown = parse(text, errors, { allowTrailingComma: true });
      const isSound = errors.length === 0 && repeatedJsonKey(text) === undefined;
      return isSound && isJsonObject(value) ? value : undefined;
    },
    edit: (text, path, value) => applyEdits(text, modify(text, [...path], value, formatting)),
  };
}

function writeChange(parts: TrustParts, { verb, apply, notice }: LocalChange, language: SettingsText): Saved {
  const { root, userDirectory } = parts;
  const directory = join(root, folder);
  const obstacle = localFileObstacle(root, userDirectory);
  if (obstacle !== undefined) return refused(verb, obstacle);
  const trust = judgeWorkspace(parts);
  if (trust.state === "refused") return refused(verb, "this project is not trusted. Trust it with kedge trust add");
  const found = findSettingFile(join(directory, "config.local"));
  if (found.kind === "several") return refused(verb, "there are several files of that name. Keep one of them");
  const existing = found.kind === "one" ? found.path : undefined;
  if (existing !== undefined && isYaml(existing)) {
    return refused(verb, `the file is YAML. ${verb === "save" ? "Add" : "Remove"} the rule by hand`);
  }
  const path = existing ?? join(directory, "config.local.json");
  const read = existing === undefined ? { ok: true as const, text: "{}\n" } : readSettingsText(existing);
  if (!read.ok) return refused(verb, `the file ${read.why}`);
  const before = read.text;
  const changed = apply(before, language);
  if (!changed.ok) return refused(verb, changed.why);
  if (changed.text !== before) {
    mkdirSync(directory, { recursive: true });
    if (existing === undefined) hideFromGit(root, directory);
    const mode = (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
    replaceFile(path, changed.text, { mode });
  }
  const name = path.slice(root.length + 1);
  return { ok: true, notice: notice(name, keepTrust(parts, trust, name)) };
}

/** Everybody who changes the user's file of a project waits for it. */
export function localRulesLock({ data }: Home): string {
  return join(data, "saved-rules");
}

/** Why nothing may be written there. */
export function localFileObstacle(root: string, userDirectory: string): string | undefined {
  if (isTooWide(root, userDirectory)) return `${root} is not a single project`;
  const directory = lstatSync(join(root, folder), { throwIfNoEntry: false });
  if (directory !== undefined && !directory.isDirectory()) return `${folder} is not a directory in the project`;
  for (const name of fileNames) {
    const file = lstatSync(join(root, folder, name), { throwIfNoEntry: false });
    if (file !== undefined && !file.isFile()) return `${folder}/${name} is not a regular file`;
    if (isTracked(root, `${folder}/${name}`)) return `git may track ${folder}/${name}, which would share it`;
  }
  return undefined;
}

/** The text afterwards, or why it stays as it is. */
export type Changed = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

function addRules(before: string, rules: readonly PermissionRule[], language: SettingsText): Changed {
  let text = before;
  for (const rule of rules) {
    const settings = language.parse(text);
    if (settings === undefined) return { ok: false, why: "the file is invalid. Fix it first" };
    const next = withRule(text, settings, rule, language);
    if (next === undefined) return { ok: false, why: "its rules use a form that kedge cannot extend" };
    text = next;
  }
  const settings = language.parse(text);
  return settings !== undefined && areInForce(rules, settings)
    ? { ok: true, text }
    : { ok: false, why: "later rules in the file would override it. Add it by hand" };
}

/** Put last among the rules of its permission, because the last one that matches wins. Undefined for other forms. */
function withRule(text: string, settings: Settings, rule: PermissionRule, { edit }: SettingsText) {
  const { permission = {} } = settings;
  if (Array.isArray(permission)) return edit(text, ["permission", permission.length], rule);
  if (!isJsonObject(permission)) return undefined;
  const name = Object.keys(permission).find((each) => canonicalPermission(each) === rule.permission);
  if (name === undefined) return edit(text, ["permission", rule.permission], { [rule.pattern]: rule.action });
  const value = permission[name];
  if (typeof value === "string") {
    return edit(text, ["permission", name], { "*": value, [rule.pattern]: rule.action });
  }
  if (!isJsonObject(value) || Object.values(value).some((action) => typeof action !== "string")) return undefined;
  const place = ["permission", name, rule.pattern];
  return edit(value[rule.pattern] === undefined ? text : edit(text, place, undefined), place, rule.action);
}

/** Each is there, and no stricter rule for its permission follows. */
function areInForce(rules: readonly PermissionRule[], settings: Settings): boolean {
  const all = rulesIn(settings);
  if (all === undefined) return false;
  return rules.every((rule) => {
    const at = all.findLastIndex((each) => each.permission === rule.permission && each.pattern === rule.pattern);
    if (all[at]?.action !== rule.action) return false;
    return all
      .slice(at + 1)
      .every(
        (later) => later.action === "allow" || (later.permission !== rule.permission && !/[*?]/.test(later.permission)),
      );
  });
}

/** As the next start will read them; undefined when it would refuse them. */
export function rulesIn(settings: Settings): readonly PermissionRule[] | undefined {
  const { permission, permissions, permission_presets: presets } = settings;
  const read = readRules({ permission, permissions, presets }, { source: "local", file: "" });
  return read.ok ? read.rules.rules : undefined;
}

/** Whoever makes the file keeps it out of the repository. */
export function hideFromGit(root: string, directory: string): void {
  const path = join(directory, ".gitignore");
  const isRepository = lstatSync(join(root, ".git"), { throwIfNoEntry: false }) !== undefined;
  if (!isRepository || lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  writeFileSync(path, `${ignored}\n`, { flag: "wx", flush: true });
}

export function ruleText({ permission, pattern, action }: PermissionRule): string {
  return `${action} ${permission} ${JSON.stringify(pattern)}`;
}

function refused(verb: LocalChange["verb"], why: string): { readonly ok: false; readonly failure: Failure } {
  const message = `Could not ${verb} the rule for the project: ${why}.`;
  return { ok: false, failure: { code: "configuration", message, retryable: false } };
}
