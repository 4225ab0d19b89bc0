/** The variables of a plugin: where it lies, where it may keep something, and what the user gave for its options. */
import type { Json, JsonObject } from "@kedge/protocol";
import type { EnabledPlugin } from "./plugin-snapshot.ts";

/** In the environment of what it starts. */
export function pluginEnvironment({ root, data, options, values }: EnabledPlugin): { readonly [name: string]: string } {
  const given = options.flatMap(({ key, otherwise }) => {
    const value = values[key] ?? otherwise;
    if (value === undefined) return [];
    const names = new Set(
      [key, key.toUpperCase()].flatMap((each) => prefixes.map((prefix) => `${prefix}_PLUGIN_OPTION_${each}`)),
    );
    return [...names].map((name) => [name, value]);
  });
  const places = prefixes.flatMap((prefix) => [
    [`${prefix}_PLUGIN_ROOT`, root],
    [`${prefix}_PLUGIN_DATA`, data],
  ]);
  return Object.fromEntries([...places, ...given]);
}

const prefixes = ["CLAUDE", "KEDGE"] as const;

const form = /\$\{(?:(?:CLAUDE|KEDGE)_PLUGIN_(?:ROOT|DATA|OPTION_\w+)|user_config\.(\w+))\}/g;

/** Put into every text of a value; what has no value stays as it was written. */
export function withVariables(value: JsonObject, plugin: EnabledPlugin): JsonObject {
  const environment = pluginEnvironment(plugin);
  const fill = (given: Json): Json => {
    if (typeof given === "string")
      return given.replaceAll(form, (whole, option?: string) => {
        const name = option === undefined ? whole.slice(2, -1) : `CLAUDE_PLUGIN_OPTION_${option}`;
        return environment[name] ?? whole;
      });
    if (Array.isArray(given)) return given.map(fill);
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([name, each]) => [name, fill(each ?? null)]));
  };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each ?? null)]));
}
