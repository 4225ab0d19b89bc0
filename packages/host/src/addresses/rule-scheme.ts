/** `rule://`: the rules of the user and of the project, also those that wait for a file they are about. */
import { basename } from "node:path";
import { type InstructionEntry, loadAllInstructions } from "@kedge/memory/instructions";
import type { Instructions } from "../instructions/open-instructions.ts";
import type { OwnScheme } from "./scheme.ts";

export type RuleParts = { readonly instructions: Pick<Instructions, "parts"> };

export function ruleScheme({ instructions }: RuleParts): OwnScheme {
  /** One that a model wrote and nobody accepted is no rule. */
  const rules = () =>
    loadAllInstructions(instructions.parts()).filter(
      ({ form, status }) => form === "rule" && (status === "loaded" || status === "waiting"),
    );
  return {
    isForeign: false,
    list: async () => rules().map((rule) => ({ name: nameOf(rule), about: rule.why })),
    text: async (name) => rules().find((rule) => nameOf(rule) === name)?.text,
  };
}

function nameOf({ path }: InstructionEntry): string {
  return basename(path).replace(/\.(?:md|mdc|instructions\.md)$/, "");
}
