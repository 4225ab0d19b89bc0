/** Adds permission rules to the text of a settings file, so that what the user wrote there stays the stronger word. */
import { displayName, isOverBroad, parsePermissionRules, parseRuleArgument } from "@kedge/engine";
import { isJsonObject, type Json, type PermissionRule } from "@kedge/protocol";
import type { Settings } from "../../configuration/setting-file.ts";
import type { FoundRule, ImportNote } from "../findings.ts";
import { type EditedText, isSame, type TextPlace } from "./add-settings.ts";

export function addRules(
  start: EditedText,
  found: readonly FoundRule[],
  place: TextPlace,
  notes: ImportNote[],
): EditedText {
  const kept = found.filter(({ rule, layer, from }) => {
    const isTooWide = layer !== "user" && isOverBroad(rule);
    if (isTooWide) {
      const why = "allows nearly everything, which a project file may not do";
      notes.push({ ...from, kind: "unsupported", why, remedy: "If you want it, add it to your own settings." });
    }
    return !isTooWide;
  });
  const ordered = addOrdered(
    start,
    kept.filter(({ isOrdered }) => isOrdered),
    place,
    notes,
  );
  return addLists(
    ordered,
    kept.filter(({ isOrdered }) => !isOrdered),
    place,
    notes,
  );
}

/** Under `permissions`, whose lists say nothing about order: there, too, deny wins over ask, and ask over allow. */
function addLists(
  start: EditedText,
  found: readonly FoundRule[],
  { editor, name }: TextPlace,
  notes: ImportNote[],
): EditedText {
  let { text, settings } = start;
  const note = (from: FoundRule["from"], why: string) => notes.push({ ...from, kind: "kept", why });
  for (const action of ["allow", "ask", "deny"] as const) {
    const rules = found.filter(({ rule }) => rule.action === action);
    const { permissions = {} } = settings;
    const list = isJsonObject(permissions) ? (permissions[action] ?? []) : undefined;
    if (!Array.isArray(list)) {
      for (const { from } of rules) note(from, `cannot be added to permissions in ${name}, which uses another form`);
      continue;
    }
    const known = new Set(list.flatMap((each) => ruleOf(each, action)).map((rule) => JSON.stringify(rule)));
    const texts: string[] = [];
    for (const { rule, from } of rules) {
      const ruleText = textOf(rule);
      if (!isSame(ruleOf(ruleText, action)[0], rule)) note(from, "cannot be written as a kedge rule");
      else if (known.size < known.add(JSON.stringify(rule)).size) texts.push(ruleText);
    }
    if (texts.length === 0) continue;
    const edited = editor.edit(text, ["permissions", action], [...(list as readonly Json[]), ...texts]);
    const parsed = edited === undefined ? undefined : editor.parse(edited);
    if (edited === undefined || parsed === undefined) {
      for (const { from } of rules) note(from, `cannot be added to ${name}. Add it by hand`);
      continue;
    }
    text = edited;
    settings = parsed;
  }
  return { text, settings };
}

/** Under `permission`, before what is there: of ordered rules the last match wins. */
function addOrdered(
  start: EditedText,
  found: readonly FoundRule[],
  { editor, name }: TextPlace,
  notes: ImportNote[],
): EditedText {
  const rules = found.map(({ rule }) => rule);
  if (rules.length === 0) return start;
  const own = ownRules(start.settings);
  if (own !== undefined && isSame(own.slice(0, rules.length), rules)) return start;
  const value = own === undefined || own.length > 0 ? rulesAsList([...rules, ...(own ?? [])]) : rulesAsObject(rules);
  const text = own === undefined ? undefined : editor.edit(start.text, ["permission"], value);
  const settings = text === undefined ? undefined : editor.parse(text);
  if (text !== undefined && settings !== undefined) return { text, settings };
  for (const { from } of found)
    notes.push({ ...from, kind: "kept", why: `cannot be added to ${name}. Add it by hand` });
  return start;
}

/** Undefined where the file's own rules cannot be read. */
function ownRules({ permission }: Settings): readonly PermissionRule[] | undefined {
  if (permission === undefined || permission === null) return [];
  const parsed = parsePermissionRules({ permission }, { source: "user" });
  return parsed.ok ? parsed.rules.rules : undefined;
}

function rulesAsList(rules: readonly PermissionRule[]): Json {
  return rules.map(({ permission, pattern, action }) => ({ permission, pattern, action }));
}

/** By permission and pattern, as people write them, where that keeps their order. */
function rulesAsObject(rules: readonly PermissionRule[]): Json {
  const groups: { [permission: string]: { [pattern: string]: Json } } = {};
  for (const { permission, pattern, action } of rules) {
    groups[permission] = { ...groups[permission], [pattern]: action };
  }
  const simple = Object.entries(groups).map(([permission, patterns]): [string, Json] => {
    const [only] = Object.entries(patterns);
    return [permission, Object.keys(patterns).length === 1 && only?.[0] === "*" ? only[1] : patterns];
  });
  const value = Object.fromEntries(simple);
  const parsed = parsePermissionRules({ permission: value }, { source: "user" });
  return parsed.ok && isSame(parsed.rules.rules, rules) ? value : rulesAsList(rules);
}

function ruleOf(text: unknown, action: PermissionRule["action"]): readonly PermissionRule[] {
  const parsed = typeof text === "string" ? parseRuleArgument(text, action) : undefined;
  return parsed?.ok === true ? [parsed.rule] : [];
}

function textOf({ permission, pattern }: PermissionRule): string {
  const name = displayName(permission);
  return pattern === "*" ? name : `${name}(${pattern})`;
}
