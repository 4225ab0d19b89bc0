import { expect, test } from "vitest";
import { builtinThemeText } from "./builtin-themes.ts";
import { makeTheme, type ThemeLook } from "./make-theme.ts";
import { type ParsedTheme, parseTheme } from "./parse-theme.ts";
import type { ForegroundToken } from "./theme.ts";

const base = JSON.parse(builtinThemeText("kedge-dark") ?? "") as { readonly colors: object; readonly export: object };

type Changes = { readonly colors?: object; readonly symbols?: object };

function parsed({ colors = {}, symbols = {} }: Changes = {}): ParsedTheme {
  const result = parseTheme(JSON.stringify({ ...base, colors: { ...base.colors, ...colors }, symbols }), "mine");
  if (!result.ok) throw new Error(result.problems.join("\n"));
  return result.theme;
}

const csi = "\u001b[";

test.each<[ThemeLook["depth"], string | number, string, string]>([
  ["24bit", "#0a64ff", `${csi}38;2;10;100;255mx${csi}39m`, `${csi}48;2;10;100;255mx${csi}49m`],
  ["24bit", 4, `${csi}34mx${csi}39m`, `${csi}44mx${csi}49m`],
  ["24bit", 12, `${csi}94mx${csi}39m`, `${csi}104mx${csi}49m`],
  ["24bit", 110, `${csi}38;5;110mx${csi}39m`, `${csi}48;5;110mx${csi}49m`],
  ["256", "#87afd8", `${csi}38;5;110mx${csi}39m`, `${csi}48;5;110mx${csi}49m`],
  ["16", "#ff0505", `${csi}91mx${csi}39m`, `${csi}101mx${csi}49m`],
  ["16", 196, `${csi}91mx${csi}39m`, `${csi}101mx${csi}49m`],
  ["16", 3, `${csi}33mx${csi}39m`, `${csi}43mx${csi}49m`],
  ["none", "#0a64ff", "x", "x"],
  ["24bit", "", "x", "x"],
])("with %s colours %j is written as it should be", (depth, value, fg, bg) => {
  const theme = makeTheme(parsed({ colors: { accent: value, selectedBg: value } }), { depth });
  expect([theme.fg("accent", "x"), theme.bg("selectedBg", "x")]).toEqual([fg, bg]);
});

test("an inner style gives way to the outer one where it ends", () => {
  const theme = makeTheme(parsed({ colors: { accent: 1, error: 2, success: 3, selectedBg: 4, statusLineBg: 5 } }), {
    depth: "24bit",
  });
  const inner = `a${theme.fg("error", `b${theme.fg("success", "c")}d`)}e`;
  expect(theme.fg("accent", inner)).toBe(
    `${csi}31ma${csi}32mb${csi}33mc${csi}39m${csi}31m${csi}32md${csi}39m${csi}31me${csi}39m`,
  );
  expect(theme.bg("selectedBg", `a${theme.bg("statusLineBg", "b")}c`)).toBe(
    `${csi}44ma${csi}45mb${csi}49m${csi}44mc${csi}49m`,
  );
  expect(theme.bg("selectedBg", theme.fg("accent", "a"))).toBe(`${csi}44m${csi}31ma${csi}39m${csi}49m`);
  expect(theme.bold(`a${theme.faint("b")}c`)).toBe(`${csi}1ma${csi}2mb${csi}22m${csi}1mc${csi}22m`);
});

test("nothing is put around nothing", () => {
  const theme = makeTheme(parsed(), { depth: "24bit" });
  expect([theme.fg("accent", ""), theme.bg("selectedBg", ""), theme.bold("")]).toEqual(["", "", ""]);
});

test.each<[string | number, boolean, boolean]>([
  ["#86c48c", true, true],
  ["#86c48c", false, false],
  [2, true, false],
  ["", true, false],
])("added lines of %j turn blue for the colour blind (%s): %s", (value, colorBlind, isChanged) => {
  const draw = (wish: boolean, token: ForegroundToken) =>
    makeTheme(parsed({ colors: { toolDiffAdded: value } }), { depth: "24bit", colorBlind: wish }).fg(token, "x");
  expect(draw(colorBlind, "toolDiffAdded") !== draw(false, "toolDiffAdded")).toBe(isChanged);
  expect(draw(colorBlind, "toolDiffRemoved")).toBe(draw(false, "toolDiffRemoved"));
});

test.each([
  [{}, undefined, "❯"],
  [{ preset: "ascii" }, undefined, ">"],
  [{ preset: "ascii" }, "unicode", "❯"],
  [{ preset: "ascii", overrides: { prompt: "$" } }, undefined, "$"],
  [{ overrides: { prompt: "$" } }, "ascii", "$"],
] as const)("symbols %j with the wish %s begin the prompt with %s", (symbols, symbolPreset, expected) => {
  expect(makeTheme(parsed({ symbols }), { depth: "none", symbolPreset }).symbols.prompt).toBe(expected);
});

test("a kind of frames that is missing stays that of the preset", () => {
  const { symbols } = makeTheme(parsed({ symbols: { preset: "ascii", spinnerFrames: { status: [".", ":"] } } }), {
    depth: "none",
  });
  expect([symbols.statusFrames, symbols.activityFrames]).toEqual([
    [".", ":"],
    ["|", "/", "-", "\\"],
  ]);
});
