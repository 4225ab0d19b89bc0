/** Decides between the dark and the light slot, and finds the theme that stands in it. */
import { themeProblemTexts } from "../texts/settings.ts";
import { isDarkColor, type Rgb } from "./color.ts";
import { builtinTheme, loadTheme, type ThemeFiles } from "./load-theme.ts";
import type { ParsedTheme } from "./parse-theme.ts";

export type ThemeSlot = "dark" | "light";
export type ThemeMode = "auto" | ThemeSlot;

export type ThemeSlots = {
  readonly dark: string;
  readonly light: string;
  readonly mode: ThemeMode;
  /** One name for no slot in particular, as some files have it; it fills the slot that its page belongs to. */
  readonly flat?: string;
};

/** What is known of the terminal; the earlier ones are surer. */
export type TerminalBackground = {
  /** What the terminal answered when it was asked. */
  readonly rgb?: Rgb | undefined;
  /** The variable `COLORFGBG`. */
  readonly colorFgBg?: string | undefined;
  /** What the desktop is set to. */
  readonly appearance?: ThemeSlot | undefined;
};

type FoundFiles = Pick<ThemeFiles, "read" | "list">;

export type ThemeChoice = {
  readonly slot: ThemeSlot;
  readonly theme: ParsedTheme;
  readonly warnings: readonly string[];
  /** Why the wanted theme is not the one that is used. */
  readonly problems: readonly string[];
};

export function chooseSlot(mode: ThemeMode, background: TerminalBackground): ThemeSlot {
  if (mode !== "auto") return mode;
  const { rgb, colorFgBg, appearance } = background;
  if (rgb !== undefined) return isDarkColor(rgb) ? "dark" : "light";
  return slotOfColorFgBg(colorFgBg) ?? appearance ?? "dark";
}

/** `15;0` and `0;default;15`: the last number is the background, and the lower eight are the dark ones. */
function slotOfColorFgBg(value: string | undefined): ThemeSlot | undefined {
  const last = value?.split(";").at(-1)?.trim() ?? "";
  if (!/^\d{1,3}$/.test(last)) return undefined;
  return Number(last) < 8 ? "dark" : "light";
}

export function chooseTheme(slots: ThemeSlots, background: TerminalBackground, files: FoundFiles): ThemeChoice {
  const slot = chooseSlot(slots.mode, background);
  const name = settleSlots(slots, files)[slot];
  const result = loadTheme(name, files);
  if (result.ok) return { slot, theme: result.theme, warnings: result.warnings, problems: [] };
  const theme = builtinTheme("dark");
  const problems = result.problems.map((problem) => themeProblemTexts.ofTheme({ theme: name, problem }));
  return { slot, theme, warnings: [], problems: [...problems, themeProblemTexts.usesInstead(theme.name)] };
}

/** A flat name that cannot be loaded takes both slots, lest its problems stay untold. */
export function settleSlots({ dark, light, mode, flat }: ThemeSlots, files: FoundFiles): Omit<ThemeSlots, "flat"> {
  if (flat === undefined) return { dark, light, mode };
  const slots = slotsOfTheme(flat, files);
  const isFor = (slot: ThemeSlot) => slots.length === 0 || slots.includes(slot);
  return { dark: isFor("dark") ? flat : dark, light: isFor("light") ? flat : light, mode };
}

/** Both for a theme that leaves its page to the terminal; none for one that cannot be loaded. */
export function slotsOfTheme(name: string, files: FoundFiles): readonly ThemeSlot[] {
  const result = loadTheme(name, files);
  if (!result.ok) return [];
  const { isDark } = result.theme;
  if (isDark === undefined) return ["dark", "light"];
  return isDark ? ["dark"] : ["light"];
}
