import { expect, test } from "vitest";
import { parseTuiSettings, type TuiSettings } from "./tui-settings.ts";

const defaults: TuiSettings = {
  theme: { dark: "kedge-dark", light: "kedge-light", mode: "auto" },
  colorBlindMode: false,
  vim: { shiftWidth: 2 },
  keybinds: {},
  statusLine: {},
  display: { smoothStreaming: true, showThinking: false },
  diff: { layout: "auto" },
  mouse: true,
  notifications: { permission: ["bell", "osc"], finished: ["osc"], task: ["osc"], error: ["bell", "osc"] },
  collapseTools: true,
  scrollLines: 3,
  hardwareCursor: false,
};

test.each([undefined, "", " \n", "{}", "\uFEFF{}", "// nothing yet\n{ /* here */ }", '{ "$schema": "x" }'])(
  "%j gives the defaults",
  (text) => {
    expect(parseTuiSettings(text)).toEqual({ settings: defaults, warnings: [] });
  },
);

test("everything that can be set is read", () => {
  const text = `{
    // The evening ones.
    "theme": { "dark": "ember", "light": "parchment", "mode": "dark" },
    "symbolPreset": "ascii",
    "colorBlindMode": true,
    "vim": { "enabled": false, "shiftWidth": 4 },
    "keybinds": { "palette": "ctrl+p", "help": false, "exit": ["ctrl+d", "<leader>q"], "odd.name": "none" },
    "leader": "ctrl+b",
    "statusLine": { "segments": ["model", "path"], "command": "my-line" },
    "display": { "smoothStreaming": false, "showThinking": true },
    "diff": { "layout": "split" },
    "mouse": false,
    "notifications": { "permission": [], "finished": ["desktop"], "task": ["bell"], "error": ["bell", "desktop"] },
    "collapseTools": false,
    "scrollLines": 7,
    "hardwareCursor": true,
  }`;
  const settings: TuiSettings = {
    theme: { dark: "ember", light: "parchment", mode: "dark" },
    symbolPreset: "ascii",
    colorBlindMode: true,
    vim: { enabled: false, shiftWidth: 4 },
    keybinds: { palette: "ctrl+p", help: false, exit: ["ctrl+d", "<leader>q"], "odd.name": "none" },
    leader: "ctrl+b",
    statusLine: { segments: ["model", "path"], command: "my-line" },
    display: { smoothStreaming: false, showThinking: true },
    diff: { layout: "split" },
    mouse: false,
    notifications: { permission: [], finished: ["desktop"], task: ["bell"], error: ["bell", "desktop"] },
    collapseTools: false,
    scrollLines: 7,
    hardwareCursor: true,
  };
  expect(parseTuiSettings(text)).toEqual({ settings, warnings: [] });
});

test.each<[string, Partial<TuiSettings>]>([
  ['{ "theme": "ember" }', { theme: { ...defaults.theme, flat: "ember" } }],
  ['{ "theme": { "mode": "light" } }', { theme: { ...defaults.theme, mode: "light" } }],
  ['{ "vim": true }', { vim: { enabled: true, shiftWidth: 2 } }],
  ['{ "vim": { "shiftWidth": 8 } }', { vim: { shiftWidth: 8 } }],
])("%s is a short form", (text, expected) => {
  expect(parseTuiSettings(text)).toEqual({ settings: { ...defaults, ...expected }, warnings: [] });
});

test.each<[string, string]>([
  ['{ "theme": 3 }', "theme is 3 but must be a name or an object with dark, light and mode. Using the default."],
  ['{ "theme": { "dark": "" } }', 'theme.dark is "" but must be a string. Using the default.'],
  ['{ "theme": { "mode": "dim" } }', 'theme.mode is "dim" but must be one of auto, dark, light. Using the default.'],
  ['{ "theme": { "drak": "x" } }', "theme.drak is not a setting and is ignored; did you mean dark?"],
  ['{ "symbolPreset": "x" }', 'symbolPreset is "x" but must be one of unicode, nerd, ascii. Using the default.'],
  ['{ "mouse": "yes" }', 'mouse is "yes" but must be true or false. Using the default.'],
  ['{ "mouse": null }', "mouse is null but must be true or false. Using the default."],
  ['{ "vim": 1 }', "vim is 1 but must be true, false or an object with enabled and shiftWidth. Using the default."],
  ['{ "vim": { "shiftWidth": 0 } }', "vim.shiftWidth is 0 but must be a whole number from 1 to 16. Using the default."],
  ['{ "scrollLines": 1.5 }', "scrollLines is 1.5 but must be a whole number from 1 to 100. Using the default."],
  ['{ "keybinds": [] }', "keybinds is [] but must be an object. Using the default."],
  [
    '{ "keybinds": { "help": 1 } }',
    "keybinds.help is 1 but must be a string such as ctrl+k, a list of strings, or false. Using the default.",
  ],
  [
    '{ "statusLine": { "segments": ["a", 1] } }',
    'statusLine.segments is ["a",1] but must be a list of strings. Using the default.',
  ],
  ['{ "display": true }', "display is true but must be an object. Using the default."],
  [
    '{ "diff": { "layout": "both" } }',
    'diff.layout is "both" but must be one of auto, unified, split. Using the default.',
  ],
  [
    '{ "notifications": { "task": ["horn"] } }',
    'notifications.task is ["horn"] but must be a list of bell, osc, desktop. Using the default.',
  ],
  ['{ "scrolLines": 4 }', "scrolLines is not a setting and is ignored; did you mean scrollLines?"],
  ['{ "zzz": 4 }', "zzz is not a setting and is ignored."],
  ["[]", "tui.json must contain a JSON object. Using defaults."],
  ['{\n  "mouse": false\n  "vim": true\n}', "tui.json is not valid JSON (line 3: CommaExpected). Using defaults."],
  ['{ "mouse": ', "tui.json is not valid JSON (line 1: ValueExpected). Using defaults."],
])("%s is told once, and the default counts", (text, warning) => {
  expect(parseTuiSettings(text)).toEqual({ settings: defaults, warnings: [warning] });
});

test("one wrong value leaves the others alone, and a long one is cut in the message", () => {
  const { settings, warnings } = parseTuiSettings(JSON.stringify({ mouse: "x".repeat(200), scrollLines: 9 }));
  expect(settings).toEqual({ ...defaults, scrollLines: 9 });
  expect(warnings).toEqual([`mouse is "${"x".repeat(39)}… but must be true or false. Using the default.`]);
});
