/** The input of a call as text: read as the model wrote it, or written by somebody else in its place. */
import type { Json, JsonObject, ToolCallBlock } from "@kedge/protocol";
import { boundOutput } from "./bound-output.ts";
import { repairJson } from "./repair-json.ts";

export type ReadArguments =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly report: string };

export function parseArguments(text: string): ReadArguments {
  try {
    return { ok: true, value: text.trim() === "" ? {} : JSON.parse(text) };
  } catch (error) {
    const repaired = repairJson(text);
    if (repaired !== undefined) return { ok: true, value: repaired };
    return { ok: false, report: error instanceof Error ? error.message : String(error) };
  }
}

const askedCharactersMax = 200_000;

/** What a person is shown and may change: the JSON that was read from the text, with whatever was mended in it. */
export function askedInputText(text: string): string | undefined {
  const read = parseArguments(text);
  const written = read.ok ? JSON.stringify(read.value) : undefined;
  return written === undefined || written.length > askedCharactersMax ? undefined : written;
}

/** The same call with another input in the place of the model's. */
export function changedCall(call: ToolCallBlock, input: JsonObject): ToolCallBlock {
  return { ...call, inputText: JSON.stringify(input) };
}

const shownCharactersMax = 2_000;

/** The model knows only the input that it wrote itself. */
export function changeNote({ inputText }: ToolCallBlock, who: readonly string[]): string {
  const shown = boundOutput(inputText, shownCharactersMax);
  return `${who.join(" and ")} changed the input of this call. What counted was: ${shown}`;
}
