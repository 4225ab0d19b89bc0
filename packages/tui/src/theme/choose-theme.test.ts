import { expect, test } from "vitest";
import { builtinThemeText } from "./builtin-themes.ts";
import { chooseSlot, chooseTheme, type TerminalBackground, type ThemeMode } from "./choose-theme.ts";

const black = { red: 10, green: 10, blue: 20 };
const white = { red: 250, green: 250, blue: 240 };

test.each<[ThemeMode, TerminalBackground, "dark" | "light"]>([
  ["auto", {}, "dark"],
  ["auto", { rgb: white }, "light"],
  ["auto", { rgb: black, colorFgBg: "0;15" }, "dark"],
  ["auto", { colorFgBg: "0;15" }, "light"],
  ["auto", { colorFgBg: "15;0" }, "dark"],
  ["auto", { colorFgBg: "0;default;15" }, "light"],
  ["auto", { colorFgBg: "15;7" }, "dark"],
  ["auto", { colorFgBg: "0;8" }, "light"],
  ["auto", { colorFgBg: "15;default", appearance: "light" }, "light"],
  ["auto", { colorFgBg: "", appearance: "dark" }, "dark"],
  ["dark", { rgb: white }, "dark"],
  ["light", { rgb: black }, "light"],
])("with mode %s and %j the slot is %s", (mode, background, expected) => {
  expect(chooseSlot(mode, background)).toBe(expected);
});

const files = {
  list: () => ["sunny", "broken", "kedge-dark", "gone"],
  read: (name: string) =>
    ({
      sunny: builtinThemeText("parchment"),
      broken: "{",
      "kedge-dark": builtinThemeText("ember"),
    })[name],
};

const slots = { dark: "kedge-dark", light: "kedge-light", mode: "auto" } as const;

test.each([
  [slots, {}, "kedge-dark"],
  [slots, { rgb: white }, "kedge-light"],
  [{ ...slots, light: "sunny" }, { rgb: white }, "sunny"],
  [{ ...slots, flat: "sunny" }, { rgb: white }, "sunny"],
  [{ ...slots, flat: "sunny" }, {}, "kedge-dark"],
  [{ ...slots, flat: "fjord" }, {}, "fjord"],
  [{ ...slots, flat: "fjord" }, { rgb: white }, "kedge-light"],
  [{ ...slots, flat: "terminal" }, {}, "terminal"],
  [{ ...slots, flat: "terminal" }, { rgb: white }, "terminal"],
])("%j with %j gives %s", (chosen, background, expected) => {
  const { theme, problems } = chooseTheme(chosen, background, files);
  expect({ name: theme.name, problems }).toEqual({ name: expected, problems: [] });
});

test("a built-in theme is stronger than a file of its name", () => {
  const { theme } = chooseTheme(slots, {}, files);
  const own = JSON.parse(builtinThemeText("kedge-dark") ?? "") as { readonly vars: { readonly page: string } };
  expect(theme.export.pageBg).toEqual({ kind: "rgb", rgb: { red: 0x14, green: 0x18, blue: 0x1d } });
  expect(own.vars.page).toBe("#14181d");
});

test.each([
  [{ ...slots, dark: "kegde-dark" }, 'Theme "kegde-dark": No such theme. Did you mean "kedge-dark"?'],
  [{ ...slots, flat: "zzz" }, 'Theme "zzz": No such theme. /theme lists all.'],
  [{ ...slots, dark: "../kedge" }, expect.stringContaining("No such theme.")],
  [{ ...slots, dark: "gone" }, expect.stringContaining('Theme "gone": No such theme.')],
  [{ ...slots, dark: "broken" }, expect.stringMatching(/^Theme "broken": The file is not valid JSON: /)],
])("a choice that fails falls back to the built-in dark theme and says why (%#)", (chosen, problem) => {
  const { theme, problems } = chooseTheme(chosen, {}, files);
  expect({ name: theme.name, problems }).toEqual({
    name: "kedge-dark",
    problems: [problem, 'Using "kedge-dark" instead.'],
  });
});
