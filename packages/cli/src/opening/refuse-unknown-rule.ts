/** Refuses a rule of the command line about a tool that there is not, once it is known which tools there are. */
import type { Flags } from "../arguments/flags.ts";
import { unknownRuleName } from "../arguments/rule-names.ts";
import { settingsTexts } from "../texts/opening.ts";

/** `toolNames` are asked for only where there are rules. */
export function unknownRule(
  { allow = [], deny = [] }: Pick<Flags, "allow" | "deny">,
  toolNames: () => readonly string[],
): string | undefined {
  if (allow.length === 0 && deny.length === 0) return undefined;
  const tools = toolNames();
  for (const [flag, rules] of Object.entries({ "--allow": allow, "--deny": deny })) {
    for (const rule of rules) {
      const expected = unknownRuleName(rule, tools);
      if (expected !== undefined) return settingsTexts.flagMustBe(flag, expected, JSON.stringify(rule));
    }
  }
  return undefined;
}
