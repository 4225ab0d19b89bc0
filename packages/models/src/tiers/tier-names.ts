/** The three tiers of models, and the names that other agents have for them. */
import { textBeside } from "@kedge/protocol/text-file";

export const tierNames = ["fast", "default", "slow"] as const;

export type Tier = (typeof tierNames)[number];

/** A model for each tier that has one: ids of a vendor in the catalogue, `provider/model` in the settings. */
export type TierModels = { readonly [tier in Tier]?: string };

type NameTable = {
  /** Whole names. */
  readonly names: { readonly [name: string]: Tier };
  /** Words within the id of a model that cannot be used here. */
  readonly words: { readonly [word: string]: Tier };
};

let table: NameTable | undefined;

/** The tier that a name stands for: the name itself, or a word within the id of a model. */
export function tierOf(name: string): Tier | undefined {
  // The file is ours.
  table ??= JSON.parse(textBeside(import.meta.url, "./tier-names.json")) as NameTable;
  const { names, words } = table;
  const wanted = name.trim().toLowerCase();
  if (Object.hasOwn(names, wanted)) return names[wanted];
  const word = wanted.split(/[^a-z]+/).find((each) => Object.hasOwn(words, each));
  return word === undefined ? undefined : words[word];
}
