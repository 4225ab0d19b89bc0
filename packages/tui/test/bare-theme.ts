/** The theme without colours: for terminals and people who want none, and for tests that look at text. */
import { plainStyles } from "../src/theme/style.ts";
import { symbolPresets } from "../src/theme/symbols.ts";
import type { Symbols, Theme } from "../src/theme/theme.ts";

export function bareTheme(symbols: Symbols = symbolPresets.unicode): Theme {
  const plain = (_: string, text: string) => text;
  return { name: "bare", isDark: true, fg: plain, bg: plain, ...plainStyles, symbols };
}
