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
  ['{ "theme": 3 }', "theme is 3; it must be a name or an object with dark, light and mode. The default is used."],
  ['{ "theme": { "dark": "" } }', 'theme.dark is ""; it must be a text. The default is used.'],
  ['{ "theme": { "mode": "dim" } }', 'theme.mode is "dim"; it must be one of auto, dark, light. The default is used.'],
  ['{ "theme": { "drak": "x" } }', "theme.drak is not a setting and is ignored; did you mean dark?"],
  ['{ "symbolPreset": "x" }', 'symbolPreset is "x"; it must be one of unicode, nerd, ascii. The default is used.'],
  ['{ "mouse": "yes" }', 'mouse is "yes"; it must be true or false. The default is used.'],
  ['{ "mouse": null }', "mouse is null; it must be true or false. The default is used."],
  ['{ "vim": 1 }', "vim is 1; it must be true, false or an object with enabled and shiftWidth. The default is used."],
  [
    '{ "vim": { "shiftWidth": 0 } }',
    "vim.shiftWidth is 0; it must be a whole number from 1 to 16. The default is used.",
  ],
  ['{ "scrollLines": 1.5 }', "scrollLines is 1.5; it must be a whole number from 1 to 100. The default is used."],
  ['{ "keybinds": [] }', "keybinds is []; it must be an object. The default is used."],
  [
    '{ "keybinds": { "help": 1 } }',
    "keybinds.help is 1; it must be a text such as ctrl+k, a list of texts, or false. The default is used.",
  ],
  [
    '{ "statusLine": { "segments": ["a", 1] } }',
    'statusLine.segments is ["a",1]; it must be a list of texts. The default is used.',
  ],
  ['{ "display": true }', "display is true; it must be an object. The default is used."],
  [
    '{ "diff": { "layout": "both" } }',
    'diff.layout is "both"; it must be one of auto, unified, split. The default is used.',
  ],
  [
    '{ "notifications": { "task": ["horn"] } }',
    'notifications.task is ["horn"]; it must be a list of bell, osc, desktop. The default is used.',
  ],
  ['{ "scrolLines": 4 }', "scrolLines is not a setting and is ignored; did you mean scrollLines?"],
  ['{ "zzz": 4 }', "zzz is not a setting and is ignored."],
  ["[]", "tui.json does not hold an object; defaults are used."],
  ['{\n  "mouse": false\n  "vim": true\n}', "tui.json is not JSON (line 3: CommaExpected); defaults are used."],
  ['{ "mouse": ', "tui.json is not JSON (line 1: ValueExpected); defaults are used."],
])("%s is told once, and the default counts", (text, warning) => {
  expect(parseTuiSettings(text)).toEqual({ settings: defaults, warnings: [warning] });
});

test("one wrong value leaves the others alone, and a long one is cut in the message", () => {
  const { settings, warnings } = parseTuiSettings(JSON.stringify({ mouse: "x".repeat(200), scrollLines: 9 }));
  expect(settings).toEqual({ ...defaults, scrollLines: 9 });
  expect(warnings).toEqual([`mouse is "${"x".repeat(39)}…; it must be true or false. The default is used.`]);
});
