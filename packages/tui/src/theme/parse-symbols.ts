/** Reads the symbols of a theme file; what cannot be used is left out with a warning, for a theme is not worth less for it. */
import { isJsonObject, nearNames } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import { visibleWidth } from "../screen/text-width.ts";
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
    warn("symbols must be an object; ignored.");
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
  warn(`symbols.preset: ignored ${JSON.stringify(value)}. Use one of ${known.join(", ")}.`);
  return undefined;
}

function isSymbolPreset(name: string): name is SymbolPreset {
  return Object.hasOwn(symbolPresets, name);
}

function parseOverrides(value: unknown, warn: (warning: string) => void): Partial<Symbols> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) {
    warn("symbols.overrides must be an object; ignored.");
    return {};
  }
  const known = Object.keys(symbolPresets.unicode).filter((name) => !name.endsWith("Frames"));
  const kept = Object.entries(value).filter(([name, symbol]) => {
    const problem = known.includes(name) ? symbolProblem(name, symbol) : unknownSymbol(name, known);
    if (problem !== undefined) warn(`symbols.overrides.${name}: ignored, ${problem}`);
    return problem === undefined;
  });
  return Object.fromEntries(kept);
}

function unknownSymbol(name: string, known: readonly string[]): string {
  const [near] = nearNames(name, known, { countMax: 1 });
  return near === undefined ? "no such symbol." : `no such symbol; did you mean ${near}?`;
}

function symbolProblem(name: string, symbol: unknown): string | undefined {
  if (typeof symbol !== "string" || !isPrintable(symbol)) return "it is not a printable string.";
  const columns = visibleWidth(symbol);
  if (oneColumn.has(name)) return columns === 1 ? undefined : `it is ${columns} columns wide and must be 1.`;
  const most = inText.has(name) ? columnsInTextMax : columnsMax;
  return columns <= most ? undefined : `it takes ${columns} columns; at most ${most} are allowed.`;
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
  warn(`${path}: ignored, ${problem}`);
  return undefined;
}

/** Frames of different widths would make the text behind them jump. */
function framesProblem(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return "it is not a list of strings.";
  if (value.length > framesMax) return `it has ${value.length} frames; at most ${framesMax} are allowed.`;
  if (!value.every((frame) => typeof frame === "string" && isPrintable(frame))) return "a frame is not printable.";
  const widths = new Set(value.map((frame: string) => visibleWidth(frame)));
  if (widths.size > 1) return "its frames differ in width.";
  return Math.max(...widths) <= columnsMax ? undefined : `a frame takes more than ${columnsMax} columns.`;
}

function isPrintable(text: string): boolean {
  return text !== "" && cleanLine(text) === text;
}
