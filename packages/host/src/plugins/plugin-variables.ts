/** The variables of a plugin: where it lies, where it may keep something, and what the user gave for its options. */
import { sep } from "node:path";
import type { Json, JsonObject } from "@kedge/protocol";
import type { EnabledPlugin } from "./plugin-snapshot.ts";

/** In the environment of what it starts. */
export function pluginEnvironment(plugin: EnabledPlugin): { readonly [name: string]: string } {
  const { root, data, options, values, dialect } = plugin;
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
  // As Codex and Gemini CLI call them.
  const own = dialect === "codex" ? { PLUGIN_ROOT: root, PLUGIN_DATA: data } : {};
  return {
    ...Object.fromEntries([...places, ...given]),
    ...own,
    ...(dialect === "gemini" && { extensionPath: root }),
  };
}

const prefixes = ["CLAUDE", "KEDGE"] as const;

const form =
  /\$\{(?:(?:(?:CLAUDE|KEDGE)_)?PLUGIN_(?:ROOT|DATA|OPTION_\w+)|user_config\.(\w+)|extensionPath|\/|pathSeparator)\}/g;

/** As Gemini CLI writes it. */
const separators = /^\$\{(?:\/|pathSeparator)\}$/;

/** Put into every text of a value; what has no value stays as it was written. */
export function withVariables(value: JsonObject, plugin: EnabledPlugin): JsonObject {
  const environment = pluginEnvironment(plugin);
  const fill = (given: Json): Json => {
    if (typeof given === "string")
      return given.replaceAll(form, (whole, option?: string) => {
        if (separators.test(whole)) return plugin.dialect === "gemini" ? sep : whole;
        const name = option === undefined ? whole.slice(2, -1) : `CLAUDE_PLUGIN_OPTION_${option}`;
        return environment[name] ?? whole;
      });
    if (Array.isArray(given)) return given.map(fill);
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([name, each]) => [name, fill(each ?? null)]));
  };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each ?? null)]));
}
