/** Judges a shell analysis by ordered rules, as a permission check would: the last match wins, no match asks. */
import type { AnalysedCommand, ShellAnalysis } from "@kedge/protocol";

export type Effect = "allow" | "ask" | "deny";
export type Rules = Readonly<Record<string, Effect>>;

export function judgeByRules(analysis: ShellAnalysis, rules: Rules): Effect {
  const effects = analysis.commands.map((command) => judgeCommand(command, rules));
  if (effects.includes("deny")) return "deny";
  const isFree =
    analysis.unknown === undefined &&
    analysis.guard === undefined &&
    analysis.concerns.length === 0 &&
    analysis.commands.length > 0 &&
    analysis.files.every((file) => file.path !== undefined && file.place === "inside" && !file.isProtected);
  return isFree && effects.every((effect) => effect === "allow") ? "allow" : "ask";
}

function judgeCommand(command: AnalysedCommand, rules: Rules): Effect {
  const others = command.otherTexts.map((text) => lastMatch(text, rules)?.effect);
  const match = lastMatch(command.text, rules);
  if (match?.effect === "deny" || others.includes("deny")) return "deny";
  if (command.isTransparent) return "allow";
  if (match === undefined || match.effect !== "allow") return "ask";
  const isNamed = command.riskyOptions.every(({ spellings }) =>
    spellings.some((spelling) => match.pattern.includes(spelling)),
  );
  return isNamed ? "allow" : "ask";
}

function lastMatch(text: string, rules: Rules): { readonly pattern: string; readonly effect: Effect } | undefined {
  return Object.entries(rules)
    .map(([pattern, effect]) => ({ pattern, effect }))
    .findLast(({ pattern }) => matches(pattern, text));
}

/** `*` is any text, `?` one character; a final ` *` also matches no arguments. */
function matches(pattern: string, text: string): boolean {
  const hasFreeEnd = pattern.endsWith(" *");
  const fixed = hasFreeEnd ? pattern.slice(0, -2) : pattern;
  const source = fixed.replaceAll(/[.+^${}()|[\]\\*?]/g, (sign) =>
    sign === "*" ? ".*" : sign === "?" ? "." : `\\${sign}`,
  );
  return new RegExp(`^${source}${hasFreeEnd ? "(?: .*)?" : ""}$`, "su").test(text);
}
