/** The theme without colours: for terminals and people who want none, and for tests that look at text. */
import { symbolPresets } from "./symbols.ts";
import type { Symbols, Theme } from "./theme.ts";

export function bareTheme(symbols: Symbols = symbolPresets.unicode): Theme {
  const plain = (_: string, text: string) => text;
  return {
    name: "bare",
    isDark: true,
    fg: plain,
    bg: plain,
    bold: (text) => `\u001b[1m${text}\u001b[22m`,
    faint: (text) => `\u001b[2m${text}\u001b[22m`,
    italic: (text) => `\u001b[3m${text}\u001b[23m`,
    underline: (text) => `\u001b[4m${text}\u001b[24m`,
    strikethrough: (text) => `\u001b[9m${text}\u001b[29m`,
    inverse: (text) => `\u001b[7m${text}\u001b[27m`,
    symbols,
  };
}
