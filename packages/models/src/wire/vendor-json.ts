/** Reads JSON of vendors, who may leave out, add and mistype whatever they like. */
import { isJsonObject } from "@kedge/protocol";

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
  return isJsonObject(value) ? value : undefined;
}

export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
