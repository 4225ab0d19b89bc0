/** Reads JSON of vendors, who may leave out, add and mistype whatever they like. */
import { flawOf, isJsonObject, jsonDepthMax, type ToolCallBlock } from "@kedge/protocol";

export type JsonMembers = { readonly [key: string]: unknown };

/** Undefined when the text is no JSON object. */
export function parseJsonObject(text: string): JsonMembers | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isJsonObject(value)) return undefined;
  return text.length <= shallowCharactersMax ? value : boundedMembers(value);
}

/** The same object, unless it is nested so deeply that whoever writes it again would overflow the stack. */
export function boundedMembers(members: JsonMembers): JsonMembers {
  return flawOf(members) === "depth" ? withoutDepths(members) : members;
}

/** A text this short cannot be nested so deeply that writing it again overflows the stack. */
const shallowCharactersMax = 1_000;

/** Enough for arguments beyond any limit to stay beyond it inside of what the vendor put around them. */
const keptDepthMax = 2 * jsonDepthMax;

function withoutDepths(members: JsonMembers, depth = 0): JsonMembers {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, kept(member, depth + 1)]));
}

function kept(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= keptDepthMax) return null;
  return Array.isArray(value) ? value.map((item) => kept(item, depth + 1)) : withoutDepths({ ...value }, depth);
}

/** Arguments that came as a value, as the text they were sent in. What no number can hold must not turn into `null`. */
export function argumentsText(value: unknown): string {
  return flawOf(value) === "number" ? withHugeNumbers(value) : JSON.stringify(value);
}

function withHugeNumbers(value: unknown): string {
  if (typeof value === "number" && !Number.isFinite(value)) return value < 0 ? "-1e999" : "1e999";
  if (Array.isArray(value)) return `[${value.map(withHugeNumbers).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${withHugeNumbers(member)}`);
  return `{${members.join(",")}}`;
}

/** The input of a call as a vendor takes it back: the model's own text, which written again could be other bytes. */
export function returnedInput(call: ToolCallBlock): string | undefined {
  if (call.incomplete === true) return undefined;
  const input = parseJsonObject(call.inputText);
  return input === undefined || isUnfit(input) ? undefined : call.inputText;
}

/** Vendors reject a request for what is nested too deeply or is no number, and with it every request after it. */
function isUnfit(input: JsonMembers): boolean {
  const flaw = flawOf(input);
  return flaw === "depth" || flaw === "number";
}

export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
