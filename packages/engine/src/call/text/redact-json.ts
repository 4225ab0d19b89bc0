/** Takes secrets out of every text of plain data. */
import type { Json, JsonObject } from "@kedge/protocol";

/** The same object where there is nothing to take out, which is nearly always. Throws for what is no JSON. */
export function redactJson(object: JsonObject, redact: (text: string) => string): JsonObject {
  let redacted: Record<string, Json> | undefined;
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const clean = redactValue(value, redact);
    if (clean === value) continue;
    redacted ??= { ...object };
    redacted[name] = clean;
  }
  return redacted ?? object;
}

function redactValue(value: Json, redact: (text: string) => string): Json {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return plainValue(value);
  return isList(value) ? redactList(value, redact) : redactJson(value, redact);
}

/** Others may have made the data, so that no type holds for it. */
function plainValue(value: unknown): number | boolean | null {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  throw new TypeError(`a ${typeof value} is not JSON`);
}

function redactList(list: readonly Json[], redact: (text: string) => string): readonly Json[] {
  const redacted = list.map((value) => redactValue(value, redact));
  return redacted.every((value, index) => value === list[index]) ? list : redacted;
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
