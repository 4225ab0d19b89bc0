/** Follows the variables of a theme file to the colours they stand for, and says which of them lead nowhere or in circles. */

import { isJsonObject } from "@kedge/protocol";
import { themeProblemTexts } from "../texts/settings.ts";
import { parseHex, type ThemeColor } from "./color.ts";

const variableStepsMax = 32;

export type ColorResult =
  | { readonly ok: true; readonly color: ThemeColor }
  | { readonly ok: false; readonly problem: string };

/** Gives the colour that a value of the file stands for; problems are told without the place, which the caller knows. */
export type ResolveColor = (value: unknown) => ColorResult;

/** Variables may name variables, and may lie in each other: `{ blue: { soft: … } }` is named `blue.soft`. */
export function createColorResolver(vars: unknown): ResolveColor {
  const variables = new Map<string, unknown>(namedVariables(vars));
  const resolve = (value: unknown, way: readonly string[]): ColorResult => {
    if (typeof value === "number") return indexColor(value);
    if (typeof value !== "string") return wrong(themeProblemTexts.notAColor);
    if (value === "") return { ok: true, color: { kind: "default" } };
    if (value.startsWith("#")) return hexColor(value);
    if (way.includes(value))
      return wrong(themeProblemTexts.circular([...way.slice(way.indexOf(value)), value].join(" → ")));
    if (way.length === variableStepsMax) return wrong(themeProblemTexts.tooManyVariables(variableStepsMax));
    return variables.has(value)
      ? resolve(variables.get(value), [...way, value])
      : wrong(themeProblemTexts.unknownVariable(value));
  };
  return (value) => resolve(value, []);
}

/** The places of `vars` that can hold a colour, by the names they are called. */
export function namedVariables(vars: unknown, outer: readonly string[] = []): readonly (readonly [string, unknown])[] {
  if (!isJsonObject(vars)) return [];
  return Object.entries(vars).flatMap(([name, value]) => {
    const way = [...outer, name];
    return isJsonObject(value) && way.length < variableStepsMax
      ? namedVariables(value, way)
      : [[way.join("."), value] as const];
  });
}

function indexColor(index: number): ColorResult {
  if (Number.isInteger(index) && index >= 0 && index <= 255) return { ok: true, color: { kind: "index", index } };
  return wrong(themeProblemTexts.wrongIndex(index));
}

function hexColor(text: string): ColorResult {
  const rgb = parseHex(text);
  return rgb === undefined ? wrong(themeProblemTexts.wrongHex(text)) : { ok: true, color: { kind: "rgb", rgb } };
}

function wrong(problem: string): ColorResult {
  return { ok: false, problem };
}
