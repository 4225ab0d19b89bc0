/** The description of all settings for editors, in JSON Schema, and as a flat list for people. */
import type { Json, JsonObject } from "@kedge/protocol";
import type { SettingSchema } from "./checks.ts";
import { knownSettings } from "./known-settings.ts";
import type { SettingDeclaration } from "./setting-declaration.ts";
import { settingKey } from "./setting-path.ts";

/** Made from the declarations, whenever it is asked for. */
export function settingsSchema(): JsonObject {
  const properties = Object.entries(knownSettings).map(([name, { check }]) => [name, withNull(check.schema())]);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "kedge settings",
    type: "object",
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/** In a stronger file `null` takes back what a weaker one set, so it is right everywhere. */
function withNull(schema: SettingSchema): JsonObject {
  const { type, enum: members, properties, additionalProperties, items, anyOf, writeOnly: _, ...others } = schema;
  const named = properties === undefined ? undefined : Object.entries(properties);
  return {
    ...others,
    ...(type !== undefined && { type: [type, "null"] }),
    ...(members !== undefined && { enum: [...members, null] }),
    ...(named !== undefined && { properties: Object.fromEntries(named.map(([name, each]) => [name, withNull(each)])) }),
    // A misspelt name is the most common mistake in such a file.
    ...(named !== undefined && { additionalProperties: false }),
    ...(additionalProperties !== undefined && { additionalProperties: withNull(additionalProperties) }),
    ...(items !== undefined && { items: withNull(items) }),
    ...(anyOf !== undefined && { anyOf: [...anyOf.map(withNull), { type: "null" }] }),
  };
}

export type ListedSetting = {
  readonly key: string;
  readonly description: string;
  readonly default?: Json;
  /** Values or kind, in a few words. */
  readonly accepts: string;
  readonly declaration: SettingDeclaration;
};

/** Every setting with a sentence of its own; members of records stand as `<name>`. */
export function listSettings(): readonly ListedSetting[] {
  return Object.entries(knownSettings).flatMap(([name, declaration]) =>
    listBelow([name], declaration.check.schema(), declaration),
  );
}

function listBelow(
  path: readonly string[],
  schema: SettingSchema,
  declaration: SettingDeclaration,
): readonly ListedSetting[] {
  const { description, default: standard } = schema;
  const own: readonly ListedSetting[] =
    description === undefined
      ? []
      : [
          {
            key: settingKey(path),
            description,
            accepts: acceptedText(schema),
            ...(standard !== undefined && { default: standard }),
            declaration,
          },
        ];
  const members = [schema, ...(schema.anyOf ?? [])].flatMap(({ properties, additionalProperties }) => [
    ...Object.entries(properties ?? {}),
    ...(additionalProperties === undefined ? [] : [["<name>", additionalProperties] as const]),
  ]);
  return [...own, ...members.flatMap(([name, member]) => listBelow([...path, name], member, declaration))];
}

function acceptedText({ type, enum: members, minimum, maximum, items, anyOf }: SettingSchema): string {
  if (members !== undefined) return members.join(", ");
  if (anyOf !== undefined) return [...new Set(anyOf.map(acceptedText))].join(" or ");
  if (type === "array") return `list of ${items === undefined ? "values" : acceptedText(items)}`;
  if (type === "boolean") return "true, false";
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  return type ?? "any";
}
