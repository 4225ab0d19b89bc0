/** Proves that every built-in theme is whole, readable on its page, and that two of them are safe for the colour blind. */
import { expect, test } from "vitest";
import { builtinThemeNames, builtinThemeText } from "./builtin-themes.ts";
import { contrast, luminance, type Rgb, type ThemeColor } from "./color.ts";
import { type ParsedTheme, parseTheme } from "./parse-theme.ts";
import { type ThemeToken, themeTokens } from "./theme.ts";

const contrastMin = 4.5;
const softContrastMin = 3;
const softTokens: readonly string[] = ["muted", "dim"];
/** Lines between texts; nobody has to read them. */
const lineTokens: readonly string[] = [
  "border",
  "borderMuted",
  "borderAccent",
  "mdCodeBlockBorder",
  "mdQuoteBorder",
  "mdHr",
  "statusLineSep",
];

function builtin(name: string): ParsedTheme {
  const result = parseTheme(builtinThemeText(name) ?? "", name);
  expect(result).toEqual({ ok: true, theme: expect.anything(), warnings: [] });
  if (!result.ok) throw new Error(name);
  return result.theme;
}

function rgbOf(color: ThemeColor | undefined): Rgb {
  if (color?.kind !== "rgb") throw new Error("a built-in theme fixes all its colours");
  return color.rgb;
}

const allTokens = Object.values(themeTokens).flat() as readonly ThemeToken[];
const textTokens = allTokens.filter((token) => !token.endsWith("Bg") && !lineTokens.includes(token));
const fixed = builtinThemeNames.filter((name) => name !== "terminal");

/** What is drawn on backgrounds other than the page. */
function tokensOn(background: ThemeToken): readonly ThemeToken[] {
  const starts = {
    selectedBg: ["text", "muted", "dim", "accent", "success", "error", "warning"],
    userMessageBg: ["userMessageText", "muted", "dim"],
    customMessageBg: ["customMessageText", "customMessageLabel", "muted", "dim"],
    toolPendingBg: ["tool", "syntax", "text", "muted", "dim", "accent"],
    toolSuccessBg: ["tool", "syntax", "text", "muted", "dim", "success"],
    toolErrorBg: ["tool", "syntax", "text", "muted", "dim", "error"],
    statusLineBg: ["statusLine", "muted", "dim", "accent"],
  }[background as (typeof themeTokens.backgrounds)[number]];
  return textTokens.filter((token) => starts.some((start) => token.startsWith(start)));
}

test("there are 66 tokens and ten themes", () => {
  expect(allTokens).toHaveLength(66);
  expect(builtinThemeNames).toEqual([
    "kedge-dark",
    "kedge-light",
    "high-contrast-dark",
    "high-contrast-light",
    "colorblind-dark",
    "colorblind-light",
    "ember",
    "fjord",
    "parchment",
    "terminal",
  ]);
});

test.each([
  ["kedge-dark", true],
  ["kedge-light", false],
  ["high-contrast-dark", true],
  ["high-contrast-light", false],
  ["colorblind-dark", true],
  ["colorblind-light", false],
  ["ember", true],
  ["fjord", true],
  ["parchment", false],
  ["terminal", undefined],
])("%s is for a dark page: %s", (name, isDark) => {
  expect(builtin(name).isDark).toBe(isDark);
});

function unreadable({ colors }: ParsedTheme, tokens: readonly ThemeToken[], page: Rgb, least: number) {
  return tokens
    .map((token) => ({ token, has: contrast(rgbOf(colors[token]), page) }))
    .filter(({ token, has }) => has < (softTokens.includes(token) ? Math.max(softContrastMin, least - 1.5) : least));
}

test.each(fixed)("every text of %s can be read on its page and on the grounds it is drawn on", (name) => {
  const theme = builtin(name);
  const least = name.startsWith("high-contrast") ? 7 : contrastMin;
  expect(unreadable(theme, textTokens, rgbOf(theme.export.pageBg), least)).toEqual([]);
  for (const background of themeTokens.backgrounds) {
    expect(unreadable(theme, tokensOn(background), rgbOf(theme.colors[background]), least)).toEqual([]);
  }
});

test("the theme of the terminal has nothing but colours that the user set", () => {
  const { colors } = builtin("terminal");
  const others = Object.values(colors).filter(({ kind }) => kind === "rgb");
  const beyond = Object.values(colors).filter((color) => color.kind === "index" && color.index > 15);
  expect([...others, ...beyond]).toEqual([]);
});

/** How eyes without one kind of cones see linear light (Machado, Oliveira and Fernandes, 2009). */
const deficiencies = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
  none: [1, 0, 0, 0, 1, 0, 0, 0, 1],
} as const;

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** CIELAB of a colour as seen with a deficiency: distances in it are as eyes see them. */
function seen({ red, green, blue }: Rgb, matrix: readonly number[]): readonly [number, number, number] {
  const light = [linear(red), linear(green), linear(blue)];
  const row = (start: number) =>
    Math.min(
      1,
      Math.max(
        0,
        light.reduce((sum, value, index) => sum + value * (matrix[start + index] ?? 0), 0),
      ),
    );
  const [r, g, b] = [row(0), row(3), row(6)];
  const curve = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const pairs = [
  ["toolDiffAdded", "toolDiffRemoved"],
  ["success", "error"],
  ["success", "warning"],
  ["error", "warning"],
] as const;

const cases = ["colorblind-dark", "colorblind-light"].flatMap((name) =>
  pairs.flatMap((pair) => Object.keys(deficiencies).map((kind) => [name, ...pair, kind] as const)),
);

test.each(cases)("in %s %s differs from %s with %s", (name, first, second, kind) => {
  const { colors } = builtin(name);
  const matrix = deficiencies[kind as keyof typeof deficiencies];
  const [one, other] = [seen(rgbOf(colors[first]), matrix), seen(rgbOf(colors[second]), matrix)];
  expect(Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])).toBeGreaterThan(20);
});

test.each(["colorblind-dark", "colorblind-light"])("in %s added is blue, removed is orange, one brighter", (name) => {
  const { colors } = builtin(name);
  const [added, removed] = [rgbOf(colors.toolDiffAdded), rgbOf(colors.toolDiffRemoved)];
  expect(added.blue).toBeGreaterThan(added.red);
  expect(removed.red).toBeGreaterThan(removed.green);
  expect(removed.green).toBeGreaterThan(removed.blue);
  const [dark, bright] = [luminance(added), luminance(removed)].sort((left, right) => left - right) as [number, number];
  expect((bright + 0.05) / (dark + 0.05)).toBeGreaterThan(1.5);
});
