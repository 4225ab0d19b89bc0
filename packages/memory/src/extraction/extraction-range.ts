/** Which part of a conversation was not searched yet for what is worth remembering, and whether it needs to be. */
import { resolve } from "node:path";
import { type ConversationItem, isJsonObject, parseCallInput, toolCalls } from "@kedge/protocol";
import { isInDirectory } from "../topics/directory/validate-directory.ts";

export type ExtractionRange = {
  readonly items: readonly ConversationItem[];
  /** The item up to which nothing has to be searched again afterwards. */
  readonly upTo: string;
};

/**
 * Undefined where nothing is new, or the conversation does not end with a final answer. A cursor that a summary took
 * away counts as none: then everything that the model still sees is new.
 */
export function extractionRange(
  items: readonly ConversationItem[],
  cursor: string | undefined,
): ExtractionRange | undefined {
  const last = items.at(-1);
  if (last?.type !== "answer" || toolCalls(last.content).length > 0 || last.id === cursor) return undefined;
  const at = cursor === undefined ? -1 : items.findIndex(({ id }) => id === cursor);
  return { items: items.slice(at + 1), upTo: last.id };
}

export type SavingPlace = { readonly directory: string; readonly cwd: string };

const savingTools: ReadonlySet<string> = new Set(["write", "edit"]);

/** The agent saved by itself, so a second look would only repeat it. */
export function hasSaved(items: readonly ConversationItem[], { directory, cwd }: SavingPlace): boolean {
  return items.some(
    (item) =>
      item.type === "answer" &&
      toolCalls(item.content).some(({ tool, inputText }) => {
        const input = savingTools.has(tool) ? parseCallInput(inputText) : undefined;
        const path = isJsonObject(input) ? input["filePath"] : undefined;
        return typeof path === "string" && isInDirectory(resolve(cwd, path), directory);
      }),
  );
}
