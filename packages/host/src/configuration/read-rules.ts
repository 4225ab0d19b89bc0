/** Permission rules from settings files and from the command line, parsed by the engine that judges them. */
import { isOverBroad, parsePermissionRules, parseRuleArgument, presetRules } from "@kedge/engine";
import type { PermissionRule, RuleSet, RuleSource } from "@kedge/protocol";
import { describeProblem, problem } from "./checks.ts";

export type RulesRead =
  | { readonly ok: true; readonly rules: RuleSet }
  | { readonly ok: false; readonly sentence: string };

export type RuleSettings = {
  readonly permission?: unknown;
  readonly permissions?: unknown;
  /** Names of presets, checked before. */
  readonly presets?: unknown;
};

/** Presets stand before the source's own rules, which therefore win. */
export function readRules(
  { presets, ...settings }: RuleSettings,
  from: { readonly source: RuleSource; readonly file: string },
): RulesRead {
  const { source, file } = from;
  // A null deletes; rules of other sources are kept apart, so there is nothing to delete.
  const present = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
  const parsed = parsePermissionRules(present, { source });
  if (parsed.ok) {
    const ready = Array.isArray(presets) ? presets.flatMap((name) => presetRules(String(name))) : [];
    return { ok: true, rules: { source, rules: [...ready, ...parsed.rules.rules] } };
  }
  const { found } = problem(parsed.path, parsed.expected, valueAt(present, parsed.path));
  return { ok: false, sentence: describeProblem(file, { path: parsed.path, expected: parsed.expected, found }) };
}

/** Before trust they only ask and deny; after it, they may allow where nobody else speaks, but not everything. */
export function rulesOfStrangers({ source, rules }: RuleSet, { isTrusted }: { readonly isTrusted: boolean }): RuleSet {
  return { source, rules: rules.filter((rule) => rule.action !== "allow" || (isTrusted && !isOverBroad(rule))) };
}

/** What is denied and asked stays. */
export function withoutAllowRules(sets: readonly RuleSet[]): readonly RuleSet[] {
  return sets.map((set) => ({ ...set, rules: set.rules.filter(({ action }) => action !== "allow") }));
}

/** Sentences about rules that a user hardly means as they are written. */
export function overBroadWarnings({ rules }: RuleSet, file: string): readonly string[] {
  return rules
    .filter(isOverBroad)
    .map(
      ({ pattern }) =>
        `${file}: allowing bash ${JSON.stringify(pattern)} allows nearly everything. Name the commands to allow`,
    );
}

/** `--allow` and `--deny`; several rules may share one argument, separated by commas. */
export function commandLineRules(given: {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}): RulesRead {
  const rules: PermissionRule[] = [];
  // The last match wins, so what is denied comes last.
  for (const action of ["allow", "deny"] as const) {
    for (const text of given[action].flatMap(splitRules)) {
      const parsed = parseRuleArgument(text, action);
      if (!parsed.ok) {
        return { ok: false, sentence: `--${action} must be ${parsed.expected}, got ${JSON.stringify(text)}.` };
      }
      rules.push(parsed.rule);
    }
  }
  return { ok: true, rules: { source: "command-line", rules } };
}

/** Commas inside parentheses belong to the pattern. */
function splitRules(argument: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const character of argument) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth <= 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** Follows a path such as `permission.bash["git *"]` or `permissions.allow[0]`. */
function valueAt(settings: unknown, path: string): unknown {
  let value = settings;
  for (const [, name, quoted, index] of path.matchAll(/([\w-]+)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/g)) {
    if (typeof value !== "object" || value === null) return undefined;
    const key = name ?? index ?? String(JSON.parse(`"${quoted}"`));
    value = Reflect.get(value, key);
  }
  return value;
}
