/** Which way of editing a model is offered: what the user says, else what models of its kind were trained on. */
import type { EditMode } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import { matchGlob } from "../permission/glob.ts";

export type EditModeChoice = {
  /** For all models. */
  readonly mode?: EditMode;
  /** Patterns of model ids, the first that fits. */
  readonly modes?: { readonly [pattern: string]: EditMode };
};

/** Words of ids, in lower case. */
type EditModeTable = {
  readonly hashline: readonly string[];
  readonly patch: { readonly contains: readonly string[]; readonly except: readonly string[] };
};

export function editModeFor(modelId: string, { mode, modes = {} }: EditModeChoice): EditMode {
  for (const [pattern, chosen] of Object.entries(modes)) if (matchGlob(pattern, modelId)) return chosen;
  if (mode !== undefined) return mode;
  // Our own file, whose shape a test checks.
  const table = JSON.parse(textBeside(import.meta.url, "./edit-modes.json")) as EditModeTable;
  const id = modelId.toLowerCase();
  const has = (word: string) => id.includes(word);
  if (table.hashline.some(has)) return "hashline";
  return table.patch.contains.some(has) && !table.patch.except.some(has) ? "patch" : "replace";
}
