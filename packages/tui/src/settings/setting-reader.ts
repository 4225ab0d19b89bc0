/** Reads the values of one object of a settings file; a wrong one is told with its place, and the default counts. */

import { isJsonObject, nearNames } from "@kedge/protocol";
import { settingTexts } from "../texts/settings.ts";

export interface SettingReader {
  boolean(name: string): boolean | undefined;
  text(name: string): string | undefined;
  texts(name: string): readonly string[] | undefined;
  integer(name: string, range: { readonly min: number; readonly max: number }): number | undefined;
  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined;
  /** A list in which every member is one of these. */
  someOf<Value extends string>(name: string, values: readonly Value[]): readonly Value[] | undefined;
  /** An object in it; empty where there is none. */
  section(name: string): SettingReader;
  /** For values of more than one form; nothing is checked. */
  raw(name: string): unknown;
  wrong(name: string, expected: string): void;
  names(): readonly string[];
  /** Tells of every name that nobody asked for. */
  tellUnknown(): void;
}

export function createSettingReader(value: unknown, path: string, warn: (warning: string) => void): SettingReader {
  const values = isJsonObject(value) ? value : {};
  const asked = new Set<string>();
  const placeOf = (name: string) => (path === "" ? name : `${path}.${name}`);

  function raw(name: string): unknown {
    asked.add(name);
    return Object.hasOwn(values, name) ? values[name] : undefined;
  }

  function wrong(name: string, expected: string): void {
    warn(settingTexts.wrong({ place: placeOf(name), value: shortened(values[name]), expected }));
  }

  function read<Value>(name: string, expected: string, isRight: (found: unknown) => found is Value): Value | undefined {
    const found = raw(name);
    if (found === undefined || isRight(found)) return found;
    wrong(name, expected);
    return undefined;
  }

  return {
    boolean: (name) => read(name, settingTexts.boolean, (found) => typeof found === "boolean"),
    text: (name) =>
      read(name, settingTexts.string, (found): found is string => typeof found === "string" && found !== ""),
    texts: (name) => read(name, settingTexts.strings, isTexts),
    integer: (name, { min, max }) =>
      read(
        name,
        settingTexts.integer({ min, max }),
        (found): found is number => Number.isInteger(found) && Number(found) >= min && Number(found) <= max,
      ),
    oneOf: (name, options) => read(name, settingTexts.oneOf(options.join(", ")), (found) => isOneOf(found, options)),
    someOf: <Value extends string>(name: string, options: readonly Value[]) =>
      read(
        name,
        settingTexts.someOf(options.join(", ")),
        (found): found is readonly Value[] => Array.isArray(found) && found.every((one) => isOneOf(one, options)),
      ),
    section(name) {
      return createSettingReader(read(name, settingTexts.object, isJsonObject), placeOf(name), warn);
    },
    raw,
    wrong,
    names: () => Object.keys(values),
    tellUnknown() {
      for (const name of Object.keys(values).filter((one) => !asked.has(one))) {
        const [near] = nearNames(name, [...asked], { countMax: 1 });
        const place = placeOf(name);
        warn(near === undefined ? settingTexts.unknown(place) : settingTexts.unknownNear({ place, near }));
      }
    },
  };
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isOneOf<Value extends string>(value: unknown, options: readonly Value[]): value is Value {
  return (options as readonly unknown[]).includes(value);
}

const shownCharactersMax = 40;

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}
