/** Values of settings as they may be shown: keys and passwords never are. */
import { isJsonObject, type Json } from "@kedge/protocol";
import type { SettingSchema } from "./checks.ts";
import { knownSettings } from "./known-settings.ts";
import { type SettingPath, schemaBelow } from "./setting-path.ts";

export type ShownValue = { readonly value: Json; readonly isHidden?: true };

/** Settings that nobody declared are hidden too: nobody can say what they hold. */
export function shownValue(path: SettingPath, value: unknown): ShownValue {
  const [first = "", ...rest] = path;
  let schema = Object.hasOwn(knownSettings, first) ? knownSettings[first]?.check.schema() : undefined;
  for (const name of rest) {
    if (schema === undefined || schema.writeOnly) break;
    schema = schemaBelow(schema, name);
  }
  if (schema === undefined || schema.writeOnly) return { value: null, isHidden: true };
  return { value: shownBelow(value, schema) };
}

function shownBelow(value: unknown, schema: SettingSchema): Json {
  if (typeof value === "string") return value.replace(/\/\/[^/@\s]*@/, "//…@");
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => shownBelow(each, schema.items ?? {}));
  if (!isJsonObject(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shownBelow(each, {})]));
}
