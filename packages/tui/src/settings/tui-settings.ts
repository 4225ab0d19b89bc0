/** What the user set for the terminal in `tui.json`: read with defaults, so that a wrong value never keeps kedge from starting. */

import { isJsonObject } from "@kedge/protocol";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import type { KeybindValue } from "../keys/keybinds.ts";
import { settingTexts } from "../texts/settings.ts";
import { defaultThemes } from "../theme/builtin-themes.ts";
import type { ThemeSlots } from "../theme/choose-theme.ts";
import type { SymbolPreset } from "../theme/symbols.ts";
import { createSettingReader, isTexts, type SettingReader } from "./setting-reader.ts";

export const notificationWays = ["bell", "osc", "desktop"] as const;
export type NotificationWay = (typeof notificationWays)[number];

export type TuiSettings = {
  readonly theme: ThemeSlots;
  /** Without one the theme decides. */
  readonly symbolPreset?: SymbolPreset;
  readonly colorBlindMode: boolean;
  /** Not set is not the same as off: it is asked for at the first need. */
  readonly vim: { readonly enabled?: boolean; readonly shiftWidth: number };
  readonly keybinds: { readonly [action: string]: KeybindValue };
  readonly leader?: string;
  /** Without segments the status line has its own. */
  readonly statusLine: { readonly segments?: readonly string[]; readonly command?: string };
  readonly display: { readonly smoothStreaming: boolean; readonly showThinking: boolean };
  readonly diff: { readonly layout: "auto" | "unified" | "split" };
  readonly mouse: boolean;
  readonly notifications: {
    readonly [Trigger in "permission" | "finished" | "task" | "error"]: readonly NotificationWay[];
  };
  readonly collapseTools: boolean;
  readonly scrollLines: number;
  readonly hardwareCursor: boolean;
};

export type TuiSettingsResult = { readonly settings: TuiSettings; readonly warnings: readonly string[] };

const scrollLinesMax = 100;
const shiftWidthMax = 16;

export function parseTuiSettings(text: string | undefined): TuiSettingsResult {
  const warnings: string[] = [];
  const root = createSettingReader(parseFile(text, warnings), "", (warning) => warnings.push(warning));
  root.raw("$schema");
  const settings: TuiSettings = {
    theme: readTheme(root),
    ...optional("symbolPreset", root.oneOf<SymbolPreset>("symbolPreset", ["unicode", "nerd", "ascii"])),
    colorBlindMode: root.boolean("colorBlindMode") ?? false,
    vim: readVim(root),
    keybinds: readKeybinds(root),
    ...optional("leader", root.text("leader")),
    statusLine: readStatusLine(root.section("statusLine")),
    display: readDisplay(root.section("display")),
    diff: readDiff(root.section("diff")),
    mouse: root.boolean("mouse") ?? true,
    notifications: readNotifications(root.section("notifications")),
    collapseTools: root.boolean("collapseTools") ?? true,
    scrollLines: root.integer("scrollLines", { min: 1, max: scrollLinesMax }) ?? 3,
    hardwareCursor: root.boolean("hardwareCursor") ?? false,
  };
  root.tellUnknown();
  return { settings, warnings };
}

function parseFile(text: string | undefined, warnings: string[]): unknown {
  const source = text?.replace(/^\uFEFF/, "") ?? "";
  if (source.trim() === "") return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(source, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error === undefined && isJsonObject(value)) return value;
  if (error === undefined) warnings.push(settingTexts.notAnObject);
  else {
    const line = source.slice(0, error.offset).split("\n").length;
    warnings.push(settingTexts.notJson({ line, problem: printParseErrorCode(error.error) }));
  }
  return {};
}

function readTheme(root: SettingReader): ThemeSlots {
  const value = root.raw("theme");
  const defaults = { ...defaultThemes, mode: "auto" } as const;
  if (value === undefined) return defaults;
  if (typeof value === "string" && value !== "") return { ...defaults, flat: value };
  if (!isJsonObject(value)) {
    root.wrong("theme", settingTexts.theme);
    return defaults;
  }
  const theme = root.section("theme");
  const slots = {
    dark: theme.text("dark") ?? defaults.dark,
    light: theme.text("light") ?? defaults.light,
    mode: theme.oneOf("mode", ["auto", "dark", "light"]) ?? defaults.mode,
  };
  theme.tellUnknown();
  return slots;
}

function readVim(root: SettingReader): TuiSettings["vim"] {
  const value = root.raw("vim");
  const defaults = { shiftWidth: 2 };
  if (value === undefined) return defaults;
  if (typeof value === "boolean") return { ...defaults, enabled: value };
  if (!isJsonObject(value)) {
    root.wrong("vim", settingTexts.vim);
    return defaults;
  }
  const vim = root.section("vim");
  const settings = {
    ...optional("enabled", vim.boolean("enabled")),
    shiftWidth: vim.integer("shiftWidth", { min: 1, max: shiftWidthMax }) ?? defaults.shiftWidth,
  };
  vim.tellUnknown();
  return settings;
}

/** Names and keys are judged by whoever makes keybinds of them; here only their form. */
function readKeybinds(root: SettingReader): TuiSettings["keybinds"] {
  const section = root.section("keybinds");
  const entries = section.names().flatMap((name): readonly (readonly [string, KeybindValue])[] => {
    const value = section.raw(name);
    if (typeof value === "string" || value === false || isTexts(value)) return [[name, value]];
    section.wrong(name, settingTexts.keybind);
    return [];
  });
  return Object.fromEntries(entries);
}

function readStatusLine(section: SettingReader): TuiSettings["statusLine"] {
  const settings = {
    ...optional("segments", section.texts("segments")),
    ...optional("command", section.text("command")),
  };
  section.tellUnknown();
  return settings;
}

function readDisplay(section: SettingReader): TuiSettings["display"] {
  const settings = {
    smoothStreaming: section.boolean("smoothStreaming") ?? true,
    showThinking: section.boolean("showThinking") ?? false,
  };
  section.tellUnknown();
  return settings;
}

function readDiff(section: SettingReader): TuiSettings["diff"] {
  const settings = { layout: section.oneOf("layout", ["auto", "unified", "split"]) ?? "auto" } as const;
  section.tellUnknown();
  return settings;
}

function readNotifications(section: SettingReader): TuiSettings["notifications"] {
  const settings: TuiSettings["notifications"] = {
    permission: section.someOf("permission", notificationWays) ?? ["bell", "osc"],
    finished: section.someOf("finished", notificationWays) ?? ["osc"],
    task: section.someOf("task", notificationWays) ?? ["osc"],
    error: section.someOf("error", notificationWays) ?? ["bell", "osc"],
  };
  section.tellUnknown();
  return settings;
}

/** Left out rather than undefined, as exact optional properties want it. */
function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  // The computed name is the type's own; the compiler widens it to any string.
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };
}
