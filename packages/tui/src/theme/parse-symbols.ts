/** Reads the symbols of a theme file; what cannot be used is left out with a warning, for a theme is not worth less for it. */

import { isJsonObject, nearNames } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import { visibleWidth } from "../screen/text-width.ts";
import { symbolProblemTexts } from "../texts/settings.ts";
import { type SymbolPreset, symbolPresets } from "./symbols.ts";
import type { Symbols } from "./theme.ts";

type FrameKind = "statusFrames" | "activityFrames";
type SymbolName = Exclude<keyof Symbols, FrameKind>;

/** What a theme file says of symbols; the preset may be overruled by the user's setting. */
export type ThemeSymbols = { readonly preset?: SymbolPreset; readonly overrides: Partial<Symbols> };

/** Frames and bars are drawn cell by cell, so these take exactly one. */
const oneColumn: ReadonlySet<string> = new Set<SymbolName>([
  "quote",
  "horizontal",
  "vertical",
  "topLeft",
  "topRight",
  "bottomLeft",
  "bottomRight",
  "barFull",
  "barEmpty",
]);

/** These stand in running text, where more room does no harm. */
const inText: ReadonlySet<string> = new Set<SymbolName>(["branch", "ellipsis", "queued", "todoOpen", "todoDone"]);

const columnsMax = 2;
const columnsInTextMax = 4;
const framesMax = 60;

export function parseSymbols(value: unknown, warn: (warning: string) => void): ThemeSymbols {
  if (value === undefined) return { overrides: {} };
  if (!isJsonObject(value)) {
    warn(symbolProblemTexts.notAnObject);
    return { overrides: {} };
  }
  const preset = parsePreset(value["preset"], warn);
  const overrides = { ...parseOverrides(value["overrides"], warn), ...parseSpinner(value["spinnerFrames"], warn) };
  return preset === undefined ? { overrides } : { preset, overrides };
}

function parsePreset(value: unknown, warn: (warning: string) => void): SymbolPreset | undefined {
  if (value === undefined) return undefined;
  const known = Object.keys(symbolPresets);
  if (typeof value === "string" && isSymbolPreset(value)) return value;
  warn(symbolProblemTexts.unknownPreset({ value: JSON.stringify(value), presets: known.join(", ") }));
  return undefined;
}

function isSymbolPreset(name: string): name is SymbolPreset {
  return Object.hasOwn(symbolPresets, name);
}

function parseOverrides(value: unknown, warn: (warning: string) => void): Partial<Symbols> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) {
    warn(symbolProblemTexts.overridesWrong);
    return {};
  }
  const known = Object.keys(symbolPresets.unicode).filter((name) => !name.endsWith("Frames"));
  const kept = Object.entries(value).filter(([name, symbol]) => {
    const problem = known.includes(name) ? symbolProblem(name, symbol) : unknownSymbol(name, known);
    if (problem !== undefined) warn(symbolProblemTexts.ignored({ place: `symbols.overrides.${name}`, problem }));
    return problem === undefined;
  });
  return Object.fromEntries(kept);
}

function unknownSymbol(name: string, known: readonly string[]): string {
  const [near] = nearNames(name, known, { countMax: 1 });
  return near === undefined ? symbolProblemTexts.unknownSymbol : symbolProblemTexts.unknownSymbolNear(near);
}

function symbolProblem(name: string, symbol: unknown): string | undefined {
  if (typeof symbol !== "string" || !isPrintable(symbol)) return symbolProblemTexts.notPrintable;
  const columns = visibleWidth(symbol);
  if (oneColumn.has(name)) return columns === 1 ? undefined : symbolProblemTexts.notOneColumn(columns);
  const most = inText.has(name) ? columnsInTextMax : columnsMax;
  return columns <= most ? undefined : symbolProblemTexts.tooWide({ columns, columnsMax: most });
}

/** A list serves both kinds; a kind that is not given stays that of the preset. */
function parseSpinner(value: unknown, warn: (warning: string) => void): Partial<Pick<Symbols, FrameKind>> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) {
    const frames = parseFrames(value, "symbols.spinnerFrames", warn);
    return frames === undefined ? {} : { statusFrames: frames, activityFrames: frames };
  }
  const status = parseFrames(value["status"], "symbols.spinnerFrames.status", warn);
  const activity = parseFrames(value["activity"], "symbols.spinnerFrames.activity", warn);
  return {
    ...(status === undefined ? {} : { statusFrames: status }),
    ...(activity === undefined ? {} : { activityFrames: activity }),
  };
}

function parseFrames(value: unknown, path: string, warn: (warning: string) => void): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const problem = framesProblem(value);
  if (problem === undefined) return value as readonly string[]; // Each frame was seen to be a text just now.
  warn(symbolProblemTexts.ignored({ place: path, problem }));
  return undefined;
}

/** Frames of different widths would make the text behind them jump. */
function framesProblem(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return symbolProblemTexts.notStrings;
  if (value.length > framesMax) return symbolProblemTexts.tooManyFrames({ frames: value.length, framesMax });
  if (!value.every((frame) => typeof frame === "string" && isPrintable(frame)))
    return symbolProblemTexts.frameNotPrintable;
  const widths = new Set(value.map((frame: string) => visibleWidth(frame)));
  if (widths.size > 1) return symbolProblemTexts.framesDiffer;
  return Math.max(...widths) <= columnsMax ? undefined : symbolProblemTexts.frameTooWide(columnsMax);
}

function isPrintable(text: string): boolean {
  return text !== "" && cleanLine(text) === text;
}
