/** Proves that docs/themes.md names the themes and settings there are, and that its examples can be used. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@kedge/protocol";
import { expect, test } from "vitest";
import { parseTuiSettings } from "../settings/tui-settings.ts";
import { builtinThemeNames } from "./builtin-themes.ts";
import { parseTheme } from "./parse-theme.ts";

const text = readFileSync(join(import.meta.dirname, "../../../../docs/themes.md"), "utf8");

function examples(kind: string): readonly string[] {
  return [...text.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === kind)
    .map((match) => match[2] ?? "");
}

/** The cells of each row of the table under this heading row. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const [, after = ""] = text.split(`${heading}\n`);
  const [table = ""] = after.split("\n\n");
  return table
    .split("\n")
    .slice(1)
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
}

test("the example of a theme is whole and without a warning", () => {
  const [example = ""] = examples("json theme");
  expect(parseTheme(example, "harbour")).toMatchObject({ ok: true, theme: { isDark: true }, warnings: [] });
});

test("the settings shown are read without a warning", () => {
  const shown = examples("json tui");
  expect(shown).toHaveLength(1);
  expect(shown.map((example) => parseTuiSettings(example).warnings)).toEqual([[]]);
});

test("the table of themes names the built-in ones in their order", () => {
  expect(tableUnder("| Theme | Made for |").map(([name]) => name)).toEqual(builtinThemeNames);
});

/** Every setting that has a default, by its path. */
function flat(value: object, path: string): readonly (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, inner]) =>
    isJsonObject(inner) && name !== "keybinds"
      ? flat(inner, `${path}${name}.`)
      : [[`${path}${name}`, JSON.stringify(inner)] as const],
  );
}

test("the table of settings has every default as it is", () => {
  const rows = tableUnder("| Setting | Default | Meaning |").map(([name = "", value = ""]) => [name, value]);
  const byName = (left: readonly string[], right: readonly string[]) => ((left[0] ?? "") < (right[0] ?? "") ? -1 : 1);
  const defaults = flat(parseTuiSettings(undefined).settings, "");
  expect(rows.filter(([, value]) => value !== "").sort(byName)).toEqual([...defaults].sort(byName));
  const optional = ["leader", "statusLine.command", "statusLine.segments", "symbolPreset", "vim.enabled"];
  expect(
    rows
      .filter(([, value]) => value === "")
      .map(([name]) => name)
      .sort(),
  ).toEqual(optional);
});
