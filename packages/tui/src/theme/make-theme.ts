/** Makes the theme that views use out of a parsed one, for the colours the terminal has and the eyes of the user. */

import { nearestIndex, nearestTerminalIndex, rgbOfIndex, type ThemeColor, towardBlue } from "./color.ts";
import type { ColorDepth } from "./color-depth.ts";
import type { ParsedTheme } from "./parse-theme.ts";
import { createStyle, plainStyles, type Style } from "./style.ts";
import { type SymbolPreset, symbolPresets } from "./symbols.ts";
import { type Theme, type ThemeToken, themeTokens } from "./theme.ts";

export type ThemeLook = {
  readonly depth: ColorDepth;
  /** Added lines of a diff turn from green to blue; only where the theme fixes the colour. */
  readonly colorBlind?: boolean;
  /** The user's wish; stronger than that of the theme. */
  readonly symbolPreset?: SymbolPreset | undefined;
  /** What the terminal is, for a theme that leaves its page to it. */
  readonly isDarkTerminal?: boolean;
};

type Layer = "fg" | "bg";

/** Codes are written once here; using a token costs no more than putting texts together. */
export function makeTheme(parsed: ParsedTheme, look: ThemeLook): Theme {
  const { depth, colorBlind = false, symbolPreset, isDarkTerminal = true } = look;
  const styles = new Map<ThemeToken, Style>();
  for (const [group, tokens] of Object.entries(themeTokens)) {
    for (const token of tokens) {
      const color = colorBlind && token === "toolDiffAdded" ? bluer(parsed.colors[token]) : parsed.colors[token];
      styles.set(token, styleOf(color, depth, group === "backgrounds" ? "bg" : "fg"));
    }
  }
  const apply = (token: ThemeToken, text: string) => styles.get(token)?.(text) ?? text;
  const preset = symbolPreset ?? parsed.symbols.preset ?? "unicode";
  return {
    name: parsed.name,
    isDark: parsed.isDark ?? isDarkTerminal,
    fg: apply,
    bg: apply,
    ...plainStyles,
    symbols: { ...symbolPresets[preset], ...parsed.symbols.overrides },
  };
}

function bluer(color: ThemeColor): ThemeColor {
  return color.kind === "rgb" ? { kind: "rgb", rgb: towardBlue(color.rgb) } : color;
}

function styleOf(color: ThemeColor, depth: ColorDepth, layer: Layer): Style {
  const code = codeOf(color, depth, layer);
  return code === ""
    ? createStyle("", "")
    : createStyle(`\u001b[${code}m`, layer === "fg" ? "\u001b[39m" : "\u001b[49m");
}

/** Empty for no colour at all. */
function codeOf(color: ThemeColor, depth: ColorDepth, layer: Layer): string {
  if (color.kind === "default" || depth === "none") return "";
  if (color.kind === "index") {
    const isShown = color.index < 16 || depth !== "16";
    return indexCode(isShown ? color.index : nearestTerminalIndex(rgbOfIndex(color.index)), layer);
  }
  const { red, green, blue } = color.rgb;
  switch (depth) {
    case "24bit":
      return `${layer === "fg" ? 38 : 48};2;${red};${green};${blue}`;
    case "256":
      return indexCode(nearestIndex(color.rgb), layer);
    case "16":
      return indexCode(nearestTerminalIndex(color.rgb), layer);
  }
}

function indexCode(index: number, layer: Layer): string {
  const base = layer === "fg" ? 30 : 40;
  if (index < 8) return String(base + index);
  return index < 16 ? String(base + 52 + index) : `${base + 8};5;${index}`;
}
