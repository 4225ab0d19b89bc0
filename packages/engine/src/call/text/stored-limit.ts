/** Bounds what one result may add to the journal: a string beyond any use is cut and says so. */
import type { Json, JsonObject } from "@kedge/protocol";
import { safeStart } from "./bound-output.ts";

export const storedCharactersMax = 500_000;

export function storedText(text: string): string {
  if (text.length <= storedCharactersMax) return text;
  const missing = text.length - storedCharactersMax;
  return `${safeStart(text, storedCharactersMax)}\n[… ${missing} characters were not stored …]`;
}

/** The same object where there is nothing to cut, which is nearly always. */
export function storedMetadata(metadata: JsonObject): JsonObject {
  return isTooLong(metadata) ? boundedFields(metadata) : metadata;
}

function isTooLong(value: Json): boolean {
  if (typeof value === "string") return value.length > storedCharactersMax;
  if (typeof value !== "object" || value === null) return false;
  if (isList(value)) return value.some(isTooLong);
  for (const key in value) {
    const field = value[key];
    if (field !== undefined && isTooLong(field)) return true;
  }
  return false;
}

function boundedFields(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      // Half a signature proves nothing.
      const isUseless = key === "signature" && isTooLong(value);
      return [key, isUseless ? "" : bounded(value)];
    }),
  );
}

function bounded(value: Json): Json {
  if (typeof value === "string") return storedText(value);
  if (typeof value !== "object" || value === null) return value;
  return isList(value) ? value.map(bounded) : boundedFields(value);
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
