/** Names of settings as people write them, `titles.enabled` or `provider.own.models["qwen-3.5"]`, and what is declared there. */
import { isJsonObject, nearNames } from "@kedge/protocol";
import type { SettingSchema } from "./checks.ts";
import { knownSettings } from "./known-settings.ts";
import type { SettingDeclaration } from "./setting-declaration.ts";

export type SettingPath = readonly string[];

/** Undefined when it is none. */
export function parseSettingPath(key: string): SettingPath | undefined {
  const names: string[] = [];
  let rest = key;
  while (rest !== "") {
    const match = /^(?:\.?([^.[\]"]+)|\[("(?:[^"\\]|\\.)*")\])/.exec(rest);
    if (match === null || (names.length === 0 && rest.startsWith("."))) return undefined;
    const [whole, plain, quoted] = match;
    const name = plain ?? parseQuoted(quoted ?? "");
    if (name === undefined) return undefined;
    names.push(name);
    rest = rest.slice(whole.length);
  }
  return names.length === 0 ? undefined : names;
}

function parseQuoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    // A wrong escape; the caller says that the whole is no name.
    return undefined;
  }
}

export function settingKey(path: SettingPath): string {
  return path
    .map((name, index) => {
      if (/[.[\]"]/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join("");
}

export function valueAt(settings: unknown, path: SettingPath): unknown {
  let value = settings;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

export type FoundSetting =
  | {
      readonly ok: true;
      readonly path: SettingPath;
      readonly declaration: SettingDeclaration;
      readonly schema: SettingSchema;
    }
  | { readonly ok: false; readonly sentence: string };

/** What is declared under the name, or what is wrong with it. */
export function findSetting(key: string): FoundSetting {
  const path = parseSettingPath(key);
  if (path === undefined) return { ok: false, sentence: `${key} is not a setting` };
  const [first = "", ...rest] = path;
  const declaration = Object.hasOwn(knownSettings, first) ? knownSettings[first] : undefined;
  if (declaration === undefined) return { ok: false, sentence: unknownName(key, first, Object.keys(knownSettings)) };
  let schema = declaration.check.schema();
  for (const [index, name] of rest.entries()) {
    const below = schemaBelow(schema, name);
    if (below === undefined) {
      const siblings = namesIn(schema).map((each) => settingKey([...path.slice(0, index + 1), each]));
      return { ok: false, sentence: unknownName(key, settingKey(path.slice(0, index + 2)), siblings) };
    }
    schema = below;
  }
  return { ok: true, path, declaration, schema };
}

/** Undefined where nothing of that name is declared. A group that says nothing of its members takes any. */
export function schemaBelow(schema: SettingSchema, name: string): SettingSchema | undefined {
  const forms = [schema, ...(schema.anyOf ?? [])];
  for (const { properties, additionalProperties } of forms) {
    if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
    if (additionalProperties !== undefined) return additionalProperties;
  }
  const isOpen = forms.some(({ type, properties }) => type === "object" && properties === undefined);
  return isOpen ? { ...(schema.writeOnly && { writeOnly: schema.writeOnly }) } : undefined;
}

function namesIn(schema: SettingSchema): readonly string[] {
  return [schema, ...(schema.anyOf ?? [])].flatMap(({ properties }) => Object.keys(properties ?? {}));
}

function unknownName(key: string, near: string, names: readonly string[]): string {
  const nearest = nearNames(near, names, { countMax: 1 })[0];
  return `${key} is not a setting${nearest === undefined ? "" : `; the nearest is ${nearest}`}`;
}
