import { expect, test } from "vitest";
import type { ThemeSlot } from "../theme/choose-theme.ts";
import { parseTuiSettings } from "./tui-settings.ts";
import { migrateFlatTheme, writeTuiSetting } from "./write-tui-setting.ts";

test.each<[string | undefined, readonly string[], string | boolean | undefined, string | undefined]>([
  [undefined, ["theme", "dark"], "ember", '{\n  "theme": {\n    "dark": "ember"\n  }\n}\n'],
  ["", ["mouse"], false, '{\n  "mouse": false\n}\n'],
  [
    '{\n  // Mine.\n  "theme": { "dark": "fjord" }, // at night\n  "mouse": true // of course\n}\n',
    ["theme", "dark"],
    "ember",
    '{\n  // Mine.\n  "theme": { "dark": "ember" }, // at night\n  "mouse": true // of course\n}\n',
  ],
  [
    '{\n  "mouse": true // of course\n}\n',
    ["leader"],
    "ctrl+b",
    '{\n  "leader": "ctrl+b",\n  "mouse": true // of course\n}\n',
  ],
  ['{\n\t"mouse": true,\n}', ["leader"], "ctrl+b", '{\n\t"leader": "ctrl+b",\n\t"mouse": true,\n}'],
  ['{\r\n  "mouse": true\r\n}', ["leader"], "ctrl+b", '{\r\n  "leader": "ctrl+b",\r\n  "mouse": true\r\n}'],
  ['\uFEFF{ "mouse": true }', ["mouse"], false, '\uFEFF{ "mouse": false }'],
  ['{\n  "vim": true\n}\n', ["vim", "enabled"], false, '{\n  "vim": {\n    "enabled": false\n  }\n}\n'],
  [
    '{ "vim": { "enabled": true, "shiftWidth": 4 } }',
    ["vim", "enabled"],
    false,
    '{ "vim": { "enabled": false, "shiftWidth": 4 } }',
  ],
  ['{ "theme": null }', ["theme", "dark"], "x", '{ "theme": {\n    "dark": "x"\n  } }'],
  ['{\n  "mouse": true,\n  "leader": "x"\n}\n', ["leader"], undefined, '{\n  "mouse": true\n}\n'],
  ['{ "vim": true }', ["vim", "enabled"], undefined, '{ "vim": true }'],
  ["{ broken", ["mouse"], true, undefined],
  ["[]", ["mouse"], true, undefined],
])("in %j the setting %j becomes %j", (text, path, value, expected) => {
  expect(writeTuiSetting(text, path, value)).toBe(expected);
});

const known: { readonly [name: string]: readonly ThemeSlot[] } = {
  ember: ["dark"],
  parchment: ["light"],
  terminal: ["dark", "light"],
};
const slotsOf = (name: string) => known[name] ?? [];

test.each([
  [
    '{\n  // Mine.\n  "theme": "ember", // at night\n  "unknownKey": [1]\n}\n',
    '{\n  // Mine.\n  "theme": {\n    "dark": "ember"\n  }, // at night\n  "unknownKey": [1]\n}\n',
  ],
  ['{\n  "theme": "parchment"\n}\n', '{\n  "theme": {\n    "light": "parchment"\n  }\n}\n'],
  ['{\n  "theme": "terminal"\n}\n', '{\n  "theme": {\n    "dark": "terminal",\n    "light": "terminal"\n  }\n}\n'],
])("a flat theme finds its slot, and a second time nothing happens (%#)", (before, after) => {
  expect(migrateFlatTheme(before, slotsOf)).toBe(after);
  expect(migrateFlatTheme(after, slotsOf)).toBeUndefined();
});

test.each(["{}", '{ "theme": "nobody knows" }', '{ "theme": { "dark": "ember" } }', '{ "theme": "ember"', "[]"])(
  "%s stays as it is",
  (text) => {
    expect(migrateFlatTheme(text, slotsOf)).toBeUndefined();
  },
);

test("what was written is read again", () => {
  const first = writeTuiSetting('{ "theme": "fjord", }', ["theme", "light"], "parchment");
  const text = writeTuiSetting(first, ["vim", "enabled"], true);
  expect(parseTuiSettings(text)).toMatchObject({
    settings: { theme: { dark: "kedge-dark", light: "parchment" }, vim: { enabled: true } },
    warnings: [],
  });
});
