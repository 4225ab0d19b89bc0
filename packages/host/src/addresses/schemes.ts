/** The schemes of our own, each in the terms of what it is made from. */
import type { AddressAnswer, AddressCaller } from "@kedge/protocol";
import { documentScheme } from "./document-scheme.ts";
import { type HistoryParts, historyScheme } from "./history-scheme.ts";
import { type LocalParts, localScheme } from "./local-scheme.ts";
import { type MemoryParts, memoryScheme } from "./memory-scheme.ts";
import { type RuleParts, ruleScheme } from "./rule-scheme.ts";
import { type OwnScheme, type OwnSchemeName, readScheme } from "./scheme.ts";
import { type SkillParts, skillScheme } from "./skill-scheme.ts";

export type SchemeParts = LocalParts & HistoryParts & MemoryParts & RuleParts & SkillParts;

const makers: { readonly [Name in OwnSchemeName]: (parts: SchemeParts) => OwnScheme } = {
  kedge: documentScheme,
  local: localScheme,
  history: historyScheme,
  memory: memoryScheme,
  rule: ruleScheme,
  skill: skillScheme,
};

export function openScheme(name: OwnSchemeName, parts: SchemeParts) {
  const scheme = makers[name](parts);
  return {
    ...scheme,
    read: (text: string, caller: AddressCaller): Promise<AddressAnswer> => readScheme(name, text, scheme, caller),
  };
}
