/** The input of a call as text: read as the model wrote it, or written by somebody else in its place. */
import {
  flawOf,
  isJsonObject,
  type Json,
  type JsonFlaw,
  type JsonObject,
  jsonDepthMax,
  type ToolCallBlock,
} from "@kedge/protocol";
import { boundOutput } from "./bound-output.ts";
import { repairJson } from "./repair-json.ts";

/** `report` is what the model reads. */
export type ReadArguments =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly report: string };

/** What the model reads of a call that did not arrive whole, by whatever sign. */
export const cutOffText =
  "The call was cut off before its end, so nothing ran. Send it again; if it is long, split it into smaller calls.";

const argumentsCharactersMax = 20_000_000;

const flaws: { readonly [Flaw in JsonFlaw]: string } = {
  depth: `they are nested more than ${jsonDepthMax} levels deep`,
  number: "they contain a number that is too large",
  text: "they contain half of a surrogate pair",
  name: "they contain a member named __proto__",
};

/** The one door for arguments: whatever passes it is an object that all further code can walk, compare and write. */
export function parseArguments(text: string): ReadArguments {
  if (text.length > argumentsCharactersMax) {
    return refuse(`they are longer than ${argumentsCharactersMax.toLocaleString("en-US")} characters`);
  }
  const read = text.trim() === "" ? { ok: true as const, value: {} } : parseText(text);
  if (!read.ok) return read;
  const { value } = read;
  const flaw = flawOf(value);
  if (flaw !== undefined) return refuse(flaws[flaw]);
  return isObject(value) ? { ok: true, value } : refuse("they are not a JSON object");
}

function parseText(text: string): { readonly ok: true; readonly value: Json } | Extract<ReadArguments, { ok: false }> {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const repaired = repairJson(text);
    if (repaired.outcome === "repaired") return { ok: true, value: repaired.value };
    if (repaired.outcome === "cut-off") return { ok: false, report: cutOffText };
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, report: `The arguments are not valid JSON: ${problem}. Make the call again.` };
  }
}

function refuse(why: string): Extract<ReadArguments, { ok: false }> {
  return { ok: false, report: `The arguments cannot be used: ${why}. Nothing ran; make the call again.` };
}

function isObject(value: Json): value is JsonObject {
  return isJsonObject(value);
}

const askedCharactersMax = 200_000;

/** What a person is shown and may change: the JSON that was read from the text, with whatever was repaired in it. */
export function askedInputText(json: Json | undefined): string | undefined {
  const written = json === undefined ? undefined : JSON.stringify(json);
  return written === undefined || written.length > askedCharactersMax ? undefined : written;
}

/** Why an input cannot take the place of the model's: whoever wrote it sent more than JSON text can carry on. */
export function objectionToInput(input: JsonObject): string | undefined {
  const flaw = flawOf(input);
  return flaw === undefined ? undefined : `This input cannot be used: ${flaws[flaw]}.`;
}

/** The same call with another input in the place of the model's. */
export function changedCall(call: ToolCallBlock, input: JsonObject): ToolCallBlock {
  return { ...call, inputText: JSON.stringify(input) };
}

const shownCharactersMax = 2_000;

/** The model knows only the input that it wrote itself. */
export function changeNote({ inputText }: ToolCallBlock, who: readonly string[]): string {
  const shown = boundOutput(inputText, shownCharactersMax);
  return `${who.join(" and ")} changed the input of this call. The input used was: ${shown}`;
}
