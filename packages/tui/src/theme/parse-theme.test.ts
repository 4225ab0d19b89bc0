import { expect, test } from "vitest";
import { builtinThemeText } from "./builtin-themes.ts";
import { parseTheme } from "./parse-theme.ts";
import { themeTokens } from "./theme.ts";

const base = JSON.parse(builtinThemeText("kedge-dark") ?? "") as {
  readonly vars: object;
  readonly colors: { readonly [token: string]: unknown };
};

function problemsOf(file: object): readonly string[] {
  const result = parseTheme(JSON.stringify(file), "mine");
  return result.ok ? [] : result.problems;
}

function warningsOf(file: object): readonly string[] {
  const result = parseTheme(JSON.stringify(file), "mine");
  return result.ok ? result.warnings : ["not parsed"];
}

const withColors = (colors: object, vars: object = {}) => ({
  ...base,
  colors: { ...base.colors, ...colors },
  vars: { ...base.vars, ...vars },
});

test("values of every kind are resolved, through variables that lie in each other", () => {
  const file = withColors(
    { accent: "shade.deep", border: 12, dim: "", muted: "#abc", error: "alarm" },
    { shade: { deep: "sea", far: { off: "#010203" } }, sea: "shade.far.off", alarm: 196 },
  );
  const result = parseTheme(JSON.stringify({ $schema: "x", ...file }), "mine");
  if (!result.ok) throw new Error(result.problems.join("\n"));
  const { accent, border, dim, muted, error } = result.theme.colors;
  expect({ accent, border, dim, muted, error }).toEqual({
    accent: { kind: "rgb", rgb: { red: 1, green: 2, blue: 3 } },
    border: { kind: "index", index: 12 },
    dim: { kind: "default" },
    muted: { kind: "rgb", rgb: { red: 170, green: 187, blue: 204 } },
    error: { kind: "index", index: 196 },
  });
  expect(result.theme.name).toBe("mine");
  expect(result.warnings).toEqual([]);
});

test("missing tokens are told by group", () => {
  const { accent: _, selectedBg: __, statusLineBg: ___, mdHr: ____, ...colors } = base.colors;
  expect(problemsOf({ ...base, colors })).toEqual([
    "Missing in core: accent.",
    "Missing in backgrounds: selectedBg, statusLineBg.",
    "Missing in markdown: mdHr.",
  ]);
  expect(problemsOf({ colors: {} })).toHaveLength(Object.keys(themeTokens).length);
});

test.each<[string, object, readonly string[]]>([
  ["a bad hex", withColors({ accent: "#12" }), ['colors.accent is "#12"; write #rgb or #rrggbb.']],
  ["a number too high", withColors({ dim: 256 }), ["colors.dim is 256; a number must be an integer from 0 to 255."]],
  ["half a number", withColors({ dim: 1.5 }), ["colors.dim is 1.5; a number must be an integer from 0 to 255."]],
  [
    "no colour at all",
    withColors({ dim: null, text: [] }),
    ["colors.dim is not a color.", "colors.text is not a color."],
  ],
  [
    "an unknown variable",
    withColors({ accent: "sea" }),
    ['colors.accent uses the variable "sea", which is not defined in vars.'],
  ],
  [
    "variables in a circle",
    withColors({ accent: "one" }, { one: "two", two: "three", three: "two" }),
    [
      "colors.accent is circular: two → three → two.",
      "vars.one is circular: two → three → two.",
      "vars.two is circular: three → two → three.",
      "vars.three is circular: two → three → two.",
    ],
  ],
  ["an unused bad variable", withColors({}, { odd: "#1" }), ['vars.odd is "#1"; write #rgb or #rrggbb.']],
  [
    "a bad colour for pages",
    { ...withColors({}), export: { pageBg: "nowhere" } },
    ['export.pageBg uses the variable "nowhere", which is not defined in vars.'],
  ],
  ["no colors", { name: "x" }, ["colors is missing. It must have a color for every token."]],
  [
    "vars that are a list",
    { ...base, vars: [], colors: Object.fromEntries(Object.keys(base.colors).map((token) => [token, ""])), export: {} },
    ["vars is not an object."],
  ],
])("%s is named with its place", (_, file, expected) => {
  expect(problemsOf(file)).toEqual(expected);
});

test.each(["", "{", "[]", "null", '"x"', "{} {}"])("the text %j is refused in a sentence", (text) => {
  const result = parseTheme(text, "mine");
  expect(result).toMatchObject({
    ok: false,
    problems: [expect.stringMatching(/^(?:The file .*|colors is missing.*)\.$/s)],
  });
});

test("a long way through variables and deep nesting end in a problem", () => {
  const chain = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`v${index}`, `v${index + 1}`]));
  expect(problemsOf(withColors({ accent: "v0" }, chain))[0]).toBe(
    "colors.accent passes through more than 32 variables.",
  );
  let deep: object = { end: "#fff" };
  for (let level = 0; level < 5_000; level += 1) deep = { a: deep };
  expect(problemsOf(withColors({}, { deep }))).toEqual([
    expect.stringMatching(/^vars\.deep(?:\.a)+ is not a color\.$/),
  ]);
  expect(parseTheme(" ".repeat(100_001), "mine")).toEqual({
    ok: false,
    problems: ["The file is longer than 100,000 characters."],
  });
});

test.each<[object, readonly string[]]>([
  [{ ...base, colour: {} }, ["colour is unknown and ignored; did you mean colors?"]],
  [withColors({ acent: 1 }), ["colors.acent is unknown and ignored; did you mean accent?"]],
  [{ ...base, symbols: 1 }, ["symbols must be an object; ignored."]],
  [{ ...base, symbols: { preset: "emoji" } }, ['symbols.preset: ignored "emoji". Use one of unicode, nerd, ascii.']],
  [
    { ...base, symbols: { overrides: { promt: ">", statusFrames: "x" } } },
    [
      "symbols.overrides.promt: ignored, no such symbol; did you mean prompt?",
      "symbols.overrides.statusFrames: ignored, no such symbol.",
    ],
  ],
  [
    { ...base, symbols: { overrides: { check: "日本" } } },
    ["symbols.overrides.check: ignored, it takes 4 columns; at most 2 are allowed."],
  ],
  [{ ...base, symbols: { overrides: { check: "日", todoDone: "[x]" } } }, []],
  [
    { ...base, symbols: { overrides: { vertical: "日" } } },
    ["symbols.overrides.vertical: ignored, it is 2 columns wide and must be 1."],
  ],
  [
    { ...base, symbols: { overrides: { check: "\u001b[31mx" } } },
    ["symbols.overrides.check: ignored, it is not a printable string."],
  ],
  [
    { ...base, symbols: { overrides: { check: "" } } },
    ["symbols.overrides.check: ignored, it is not a printable string."],
  ],
  [{ ...base, symbols: { spinnerFrames: [] } }, ["symbols.spinnerFrames: ignored, it is not a list of strings."]],
  [
    { ...base, symbols: { spinnerFrames: ["a", "日"] } },
    ["symbols.spinnerFrames: ignored, its frames differ in width."],
  ],
  [
    { ...base, symbols: { spinnerFrames: { activity: ["abc"] } } },
    ["symbols.spinnerFrames.activity: ignored, a frame takes more than 2 columns."],
  ],
  [{ ...base, symbols: { spinnerFrames: ["-", "="] } }, []],
])("a theme with an oddity counts, and the oddity is told (%#)", (file, expected) => {
  expect(warningsOf(file)).toEqual(expected);
});

test("a list of frames serves both kinds", () => {
  const result = parseTheme(
    JSON.stringify({ ...base, symbols: { preset: "nerd", spinnerFrames: ["-", "="] } }),
    "mine",
  );
  expect(result).toMatchObject({
    theme: { symbols: { preset: "nerd", overrides: { statusFrames: ["-", "="], activityFrames: ["-", "="] } } },
  });
});

const empty = Object.fromEntries(Object.keys(base.colors).map((token) => [token, ""]));

test.each<[object, object, boolean | undefined]>([
  [{}, { pageBg: "#ffffff" }, false],
  [{ userMessageBg: "#ffffff" }, { pageBg: "#000000" }, true],
  [{ userMessageBg: "#eeeeee" }, {}, false],
  [{ statusLineBg: 234 }, {}, true],
  [{ text: "#eeeeee" }, {}, true],
  [{ text: "#222222" }, {}, false],
  [{ text: 7 }, {}, undefined],
  [{}, {}, undefined],
])("with %j and %j the theme is dark: %s", (colors, page, expected) => {
  const result = parseTheme(JSON.stringify({ colors: { ...empty, ...colors }, export: page }), "mine");
  expect(result).toMatchObject({ ok: true, theme: { isDark: expected } });
});
