/** Finds a theme by its name: first among those that come with the program, then among the user's files. */

import { nearNames } from "@kedge/protocol";
import { themeProblemTexts } from "../texts/settings.ts";
import { builtinThemeNames, builtinThemeText, defaultThemes } from "./builtin-themes.ts";
import { type ParsedTheme, parseTheme, type ThemeResult } from "./parse-theme.ts";

/** The user's own themes; whoever can read the home gives it. Names are those of the files, without `.json`. */
export interface ThemeFiles {
  read(name: string): string | undefined;
  list(): readonly string[];
  /** Tells of every change of the file, also of its removal; gives back what ends the watch. */
  watch(name: string, listener: () => void): () => void;
}

export function themeNames(files: Pick<ThemeFiles, "list">): readonly string[] {
  const own = files.list().filter((name) => !builtinThemeNames.includes(name));
  return [...builtinThemeNames, ...[...new Set(own)].sort()];
}

export function loadTheme(name: string, files: Pick<ThemeFiles, "read" | "list">): ThemeResult {
  const builtin = builtinThemeText(name);
  if (builtin !== undefined) return parseTheme(builtin, name);
  // Only names that the list has: no name may lead out of the folder.
  const text = files.list().includes(name) ? files.read(name) : undefined;
  return text === undefined ? unknownTheme(name, files) : parseTheme(text, name);
}

export function builtinTheme(slot: "dark" | "light"): ParsedTheme {
  const name = defaultThemes[slot];
  const result = parseTheme(builtinThemeText(name) ?? "", name);
  if (!result.ok) throw new Error(`the built-in theme ${name} is broken: ${result.problems.join(" ")}`);
  return result.theme;
}

function unknownTheme(name: string, files: Pick<ThemeFiles, "list">): ThemeResult {
  const [near] = nearNames(name, themeNames(files), { countMax: 1 });
  const next = near === undefined ? themeProblemTexts.listAll : themeProblemTexts.didYouMean(near);
  return { ok: false, problems: [themeProblemTexts.notFound(next)] };
}
