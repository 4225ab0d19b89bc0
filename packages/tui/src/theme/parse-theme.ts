/** Reads a theme file: every token with the colour it stands for, or everything that is wrong with the file. */

import { isJsonObject, nearNames } from "@kedge/protocol";
import { themeProblemTexts } from "../texts/settings.ts";
import { isDarkColor, type Rgb, rgbOfIndex, type ThemeColor } from "./color.ts";
import { parseSymbols, type ThemeSymbols } from "./parse-symbols.ts";
import { createColorResolver, namedVariables, type ResolveColor } from "./resolve-colors.ts";
import { type ThemeToken, themeTokens } from "./theme.ts";

export type ThemeColors = { readonly [Token in ThemeToken]: ThemeColor };
export type ExportColors = { readonly pageBg?: ThemeColor; readonly cardBg?: ThemeColor; readonly infoBg?: ThemeColor };

export type ParsedTheme = {
  readonly name: string;
  /** Undefined when the file leaves both page and text to the terminal. */
  readonly isDark: boolean | undefined;
  readonly colors: ThemeColors;
  /** For pages written out of a session; what is missing is derived there. */
  readonly export: ExportColors;
  readonly symbols: ThemeSymbols;
};

export type ThemeResult =
  | { readonly ok: true; readonly theme: ParsedTheme; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

const charactersMax = 100_000;
const exportNames = ["pageBg", "cardBg", "infoBg"] as const;
const knownKeys = ["$schema", "name", "vars", "colors", "export", "symbols"];

/** `name` is that of the file, by which the theme is chosen; a `name` inside is for the reader of the file. */
export function parseTheme(text: string, name: string): ThemeResult {
  if (text.length > charactersMax) return failed(themeProblemTexts.tooLong(charactersMax));
  const file = parseJson(text);
  if (!file.ok) return failed(themeProblemTexts.notJson(file.problem));
  if (!isJsonObject(file.value)) return failed(themeProblemTexts.notAnObject);
  const { vars, colors, export: forExport, symbols } = file.value;
  const problems: string[] = [];
  const warnings: string[] = [];
  if (vars !== undefined && !isJsonObject(vars)) problems.push(themeProblemTexts.varsWrong);
  const resolve = createColorResolver(vars);
  const resolved = resolveTokens(colors, resolve, problems);
  checkVariables(vars, resolve, problems);
  const exported = resolveExport(forExport, resolve, problems);
  if (problems.length > 0 || resolved === undefined) return { ok: false, problems };
  warnings.push(...unknownNames(Object.keys(file.value), knownKeys, ""));
  // A file without colors has no tokens and did not come this far.
  warnings.push(...unknownNames(Object.keys(colors as object), allTokens, "colors."));
  const parsedSymbols = parseSymbols(symbols, (warning) => warnings.push(warning));
  const isDark = isDarkTheme(resolved, exported);
  return { ok: true, theme: { name, isDark, colors: resolved, export: exported, symbols: parsedSymbols }, warnings };
}

const allTokens: readonly ThemeToken[] = Object.values(themeTokens).flat();

function resolveTokens(colors: unknown, resolve: ResolveColor, problems: string[]): ThemeColors | undefined {
  if (!isJsonObject(colors)) {
    problems.push(themeProblemTexts.colorsMissing);
    return undefined;
  }
  const found = new Map<ThemeToken, ThemeColor>();
  for (const [group, tokens] of Object.entries(themeTokens)) {
    const missing = tokens.filter((token) => !Object.hasOwn(colors, token));
    if (missing.length > 0) problems.push(themeProblemTexts.tokensMissing({ group, tokens: missing.join(", ") }));
  }
  for (const token of allTokens.filter((name) => Object.hasOwn(colors, name))) {
    const result = resolve(colors[token]);
    if (result.ok) found.set(token, result.color);
    else problems.push(themeProblemTexts.ofColor({ place: `colors.${token}`, problem: result.problem }));
  }
  // Whole when there are no problems, and the caller looks at those first.
  return Object.fromEntries(found) as ThemeColors;
}

/** A variable that nothing uses must lead to a colour too, or it would break later when somebody uses it. */
function checkVariables(vars: unknown, resolve: ResolveColor, problems: string[]): void {
  for (const [name, value] of namedVariables(vars)) {
    const result = resolve(value);
    if (!result.ok) problems.push(themeProblemTexts.ofColor({ place: `vars.${name}`, problem: result.problem }));
  }
}

function resolveExport(value: unknown, resolve: ResolveColor, problems: string[]): ExportColors {
  if (value === undefined) return {};
  if (!isJsonObject(value)) {
    problems.push(themeProblemTexts.exportWrong);
    return {};
  }
  const found = exportNames
    .filter((name) => value[name] !== undefined)
    .flatMap((name) => {
      const result = resolve(value[name]);
      if (result.ok) return [[name, result.color] as const];
      problems.push(themeProblemTexts.ofColor({ place: `export.${name}`, problem: result.problem }));
      return [];
    });
  return Object.fromEntries(found);
}

/** The page says it; without one, light text is for a dark page. */
function isDarkTheme(colors: ThemeColors, { pageBg }: ExportColors): boolean | undefined {
  const page = pageBg && rgbOf(pageBg);
  if (page !== undefined) return isDarkColor(page);
  const background = rgbOf(colors.userMessageBg) ?? rgbOf(colors.statusLineBg);
  if (background !== undefined) return isDarkColor(background);
  const text = rgbOf(colors.text);
  return text && !isDarkColor(text);
}

/** Undefined for the colours that the user's terminal decides on. */
function rgbOf(color: ThemeColor): Rgb | undefined {
  if (color.kind === "rgb") return color.rgb;
  return color.kind === "index" && color.index >= 16 ? rgbOfIndex(color.index) : undefined;
}

function unknownNames(names: readonly string[], known: readonly string[], path: string): readonly string[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const [near] = nearNames(name, known, { countMax: 1 });
      const place = `${path}${name}`;
      return near === undefined
        ? themeProblemTexts.unknown(place)
        : themeProblemTexts.unknownNear({ name: place, near });
    });
}

type JsonResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

function parseJson(text: string): JsonResult {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problem: error.message };
  }
}

function failed(problem: string): ThemeResult {
  return { ok: false, problems: [problem] };
}
