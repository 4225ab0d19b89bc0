/** The themes of the terminal as variables of a page: a style sheet with all of them, and the list of their names. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";

type Named = { readonly [name: string]: string };
type ThemeFile = { readonly name: string; readonly vars: Named; readonly colors: Named; readonly export: Named };

export type WebTheme = { readonly name: string; readonly isDark: boolean; readonly colors: Named };

/** What a page has in the place of a theme that nobody chose. */
const usual = { light: "kedge-light", dark: "kedge-dark" } as const;

const listId = "virtual:themes";
const sheetId = "virtual:themes.css";
/** Only who chose one loads them. */
const chosenId = "virtual:chosen-themes.css";

export function webThemes(root: string): Plugin {
  const themes = readThemes(join(root, "packages/tui/src/theme/builtin"));
  return {
    name: "themes",
    resolveId: (id) => ([listId, sheetId, chosenId].includes(id) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${sheetId}`) return usualSheet(themes);
      if (id === `\0${chosenId}`) return chosenSheet(themes);
      if (id !== `\0${listId}`) return null;
      return `export const themes = ${JSON.stringify(themes.map(({ name, isDark }) => ({ name, isDark })))};`;
    },
  };
}

/** A theme that leaves colors to the terminal says nothing to a page. */
export function readThemes(directory: string): readonly WebTheme[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json") && basename(name, ".json") !== "terminal")
    .map((name) => webTheme(JSON.parse(readFileSync(join(directory, name), "utf8")) as ThemeFile));
}

function webTheme({ name, vars, colors, export: page }: ThemeFile): WebTheme {
  const resolved = Object.entries({ ...colors, ...page }).map(([token, value]) => {
    let color = value;
    // Variables may name variables.
    for (let steps = 0; !color.startsWith("#") && steps < 32; steps += 1) color = vars[color] ?? color;
    if (!/^#[0-9a-f]{6}$/i.test(color)) throw new Error(`the theme ${name} has no color for ${token}`);
    return [token, color] as const;
  });
  const all: Named = Object.fromEntries(resolved);
  return { name, colors: all, isDark: brightness(all["pageBg"] ?? "#000000") < 128 };
}

function brightness(hex: string): number {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5);
}

function usualSheet(themes: readonly WebTheme[]): string {
  const named = (name: string) => {
    const theme = themes.find((each) => each.name === name);
    if (theme === undefined) throw new Error(`there is no theme ${name}`);
    return rules(":root", theme);
  };
  return `${named(usual.light)}\n@media (prefers-color-scheme: dark){${named(usual.dark)}}`;
}

function chosenSheet(themes: readonly WebTheme[]): string {
  return themes.map((theme) => rules(`:root[data-theme="${theme.name}"]`, theme)).join("\n");
}

function rules(selector: string, { colors, isDark }: WebTheme): string {
  const variables = Object.entries(colors).map(([token, color]) => `--${token}:${color}`);
  return `${selector}{color-scheme:${isDark ? "dark" : "light"};${variables.join(";")}}`;
}
