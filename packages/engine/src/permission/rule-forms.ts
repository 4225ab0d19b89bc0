/** Reads permission rules in every form a configuration or a command line may write them, into one ordered list. */
import {
  isJsonObject,
  type PermissionAction,
  type PermissionRule,
  type RuleSet,
  type RuleSource,
} from "@kedge/protocol";
import { hasWildcard } from "./glob.ts";
import { canonicalPermission } from "./names.ts";

export type RulesParsed =
  | { readonly ok: true; readonly rules: RuleSet }
  | { readonly ok: false; readonly path: string; readonly expected: string };

export type RuleArgumentParsed =
  | { readonly ok: true; readonly rule: PermissionRule }
  | { readonly ok: false; readonly expected: string };

type Problem = { readonly path: string; readonly expected: string };

/** Collected apart, because lists by action say nothing about order: what they deny must end up last. */
type Collected = { readonly [Place in PermissionAction | "ordered"]: PermissionRule[] };

const actions: readonly PermissionAction[] = ["allow", "ask", "deny"];

const actionExpected = 'one of "allow", "ask" and "deny"';
const ruleTextExpected = "a tool name, or a tool name with a pattern such as Bash(git status)";

/** Permissions whose patterns are paths; `./` before such a path means nothing. */
const pathPermissions: ReadonlySet<string> = new Set(["read", "edit", "glob", "grep", "list"]);

/** Takes the two settings `permission` and `permissions` of one source; both may be present, each in any form. */
export function parsePermissionRules(value: unknown, options: { readonly source: RuleSource }): RulesParsed {
  if (!isJsonObject(value)) return { ok: false, path: "", expected: "an object" };
  const collected: Collected = { allow: [], ordered: [], ask: [], deny: [] };
  for (const key of ["permission", "permissions"]) {
    const setting = value[key];
    const problem = setting === undefined ? undefined : readSetting(setting, key, collected);
    if (problem !== undefined) return { ok: false, ...problem };
  }
  const rules = [...collected.allow, ...collected.ordered, ...collected.ask, ...collected.deny];
  return { ok: true, rules: { source: options.source, rules } };
}

/** Reads `Bash(npm test)` or `edit`, as given after `--allow` and `--deny`. */
export function parseRuleArgument(text: string, action: PermissionAction): RuleArgumentParsed {
  const rule = readRuleText(text, action);
  return rule === undefined ? { ok: false, expected: ruleTextExpected } : { ok: true, rule };
}

function readSetting(setting: unknown, path: string, collected: Collected): Problem | undefined {
  if (isAction(setting)) {
    collected.ordered.push({ permission: "*", pattern: "*", action: setting });
    return undefined;
  }
  if (Array.isArray(setting)) return readList(setting, path, collected.ordered);
  if (!isJsonObject(setting)) return { path, expected: `${actionExpected}, an object or a list of rules` };
  for (const [key, value] of Object.entries(setting)) {
    const at = within(path, key);
    const problem =
      numericKeyProblem(key, at) ??
      (isAction(key) && Array.isArray(value)
        ? readRuleTexts(value, at, key, collected[key])
        : readPermission(key, value, at, collected.ordered));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function readList(list: readonly unknown[], path: string, into: PermissionRule[]): Problem | undefined {
  for (const [index, entry] of list.entries()) {
    const at = `${path}[${index}]`;
    if (!isJsonObject(entry)) return { path: at, expected: "an object with permission, pattern and action" };
    const { permission, pattern = "*", action } = entry;
    if (typeof permission !== "string" || permission === "") {
      return { path: `${at}.permission`, expected: "a permission name" };
    }
    if (typeof pattern !== "string") return { path: `${at}.pattern`, expected: "a string" };
    if (!isAction(action)) return { path: `${at}.action`, expected: actionExpected };
    into.push(toRule(permission, pattern, action));
  }
  return undefined;
}

function readPermission(name: string, value: unknown, path: string, into: PermissionRule[]): Problem | undefined {
  if (isAction(value)) {
    into.push(toRule(name, "*", value));
    return undefined;
  }
  if (!isJsonObject(value)) return { path, expected: `${actionExpected}, or an object from pattern to one of these` };
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([key, list]) => isAction(key) && Array.isArray(list))) {
    return readGroups(name, value, path, into);
  }
  for (const [pattern, action] of entries) {
    const at = within(path, pattern);
    const problem = numericKeyProblem(pattern, at);
    if (problem !== undefined) return problem;
    if (!isAction(action)) return { path: at, expected: actionExpected };
    into.push(toRule(name, pattern, action));
  }
  return undefined;
}

/** Lists by action under one permission; their elements are patterns of it. */
function readGroups(
  name: string,
  groups: { readonly [action: string]: unknown },
  path: string,
  into: PermissionRule[],
): Problem | undefined {
  for (const action of actions) {
    const list = groups[action];
    if (!Array.isArray(list)) continue;
    for (const [index, pattern] of list.entries()) {
      if (typeof pattern !== "string") return { path: `${path}.${action}[${index}]`, expected: "a pattern" };
      into.push(toRule(name, pattern, action));
    }
  }
  return undefined;
}

function readRuleTexts(
  list: readonly unknown[],
  path: string,
  action: PermissionAction,
  into: PermissionRule[],
): Problem | undefined {
  for (const [index, text] of list.entries()) {
    const rule = typeof text === "string" ? readRuleText(text, action) : undefined;
    if (rule === undefined) return { path: `${path}[${index}]`, expected: ruleTextExpected };
    into.push(rule);
  }
  return undefined;
}

function readRuleText(text: string, action: PermissionAction): PermissionRule | undefined {
  const parts = /^([\w*?][\w*?.-]*)(?:\((.+)\))?$/s.exec(text.trim());
  const name = parts?.[1];
  if (name === undefined) return undefined;
  const pattern = parts?.[2] ?? "*";
  const isPrefix = pattern.endsWith(":*") && pattern.length > 2 && canonicalPermission(name) === "bash";
  return toRule(name, isPrefix ? `${pattern.slice(0, -2)} *` : pattern, action);
}

function toRule(name: string, pattern: string, action: PermissionAction): PermissionRule {
  const permission = hasWildcard(name) ? name.toLowerCase() : canonicalPermission(name);
  const bare = pathPermissions.has(permission) ? pattern.replace(/^(?:\.\/)+(?=.)/, "") : pattern;
  return { permission, pattern: bare, action };
}

/** JavaScript moves such keys to the front, so their place among the rules would be lost. */
function numericKeyProblem(key: string, path: string): Problem | undefined {
  if (!/^(?:0|[1-9]\d*)$/.test(key)) return undefined;
  return {
    path,
    expected:
      "a key that is not a number, whose order would be lost; write the rules as a list of {permission, pattern, action}",
  };
}

function within(path: string, key: string): string {
  return /^[\w-]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function isAction(value: unknown): value is PermissionAction {
  return value === "allow" || value === "ask" || value === "deny";
}
