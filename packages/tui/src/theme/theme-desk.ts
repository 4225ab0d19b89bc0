/** Holds the theme that the screen is drawn in: chosen, tried out, taken back, and read again when its file changes. */

import { themeProblemTexts } from "../texts/settings.ts";
import { builtinThemeNames } from "./builtin-themes.ts";
import {
  chooseSlot,
  chooseTheme,
  settleSlots,
  type TerminalBackground,
  type ThemeMode,
  type ThemeSlot,
  type ThemeSlots,
} from "./choose-theme.ts";
import { loadTheme, type ThemeFiles, themeNames } from "./load-theme.ts";
import { makeTheme, type ThemeLook } from "./make-theme.ts";
import type { ParsedTheme } from "./parse-theme.ts";
import type { Theme } from "./theme.ts";

export type ThemeDeskParts = {
  readonly slots: ThemeSlots;
  readonly background: TerminalBackground;
  readonly look: Omit<ThemeLook, "isDarkTerminal">;
  readonly files: ThemeFiles;
};

export type ThemeOutcome = { readonly ok: true } | { readonly ok: false; readonly problems: readonly string[] };
/** The slot is where the name belongs in the settings. */
export type ThemeChosen =
  | { readonly ok: true; readonly slot: ThemeSlot }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface ThemeDesk {
  /** The same object as long as nothing changed. */
  current(): Theme;
  names(): readonly string[];
  /** What the user should be told of the theme in use; empty when all is well. */
  problems(): readonly string[];
  /** Shows another theme until it is chosen or taken back. One that cannot be shown changes nothing. */
  preview(name: string): ThemeOutcome;
  cancelPreview(): void;
  /** Takes a theme for the slot in use; a failing one changes nothing. */
  choose(name: string): ThemeChosen;
  setMode(mode: ThemeMode): void;
  setBackground(background: TerminalBackground): void;
  /** Reads the file of the theme in use again. A broken or missing file leaves all as it was. */
  reload(): ThemeOutcome;
  /** Told when the theme or its problems changed. */
  onChange(listener: () => void): () => void;
  close(): void;
}

/** Editors write a file in several steps; it is read when they are through. */
const reloadDelayMs = 100;

export function createThemeDesk({
  slots: firstSlots,
  background: firstBackground,
  look,
  files,
}: ThemeDeskParts): ThemeDesk {
  let slots = settleSlots(firstSlots, files);
  let background = firstBackground;
  let chosen = chooseTheme(slots, background, files);
  let reloadProblems: readonly string[] = [];
  let previewed: ParsedTheme | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  let shown = show();
  let unwatch = watch();

  function show(): Theme {
    return makeTheme(previewed ?? chosen.theme, { ...look, isDarkTerminal: chosen.slot === "dark" });
  }

  function watch(): () => void {
    const { name } = chosen.theme;
    if (builtinThemeNames.includes(name)) return () => {};
    return files.watch(name, () => {
      clearTimeout(timer);
      timer = setTimeout(reload, reloadDelayMs);
    });
  }

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  function changed(): void {
    shown = show();
    tell();
  }

  /** After this another file may be the one to watch, and what was waiting for the old one is void. */
  function rechoose(): void {
    clearTimeout(timer);
    unwatch();
    chosen = chooseTheme(slots, background, files);
    reloadProblems = [];
    unwatch = watch();
    changed();
  }

  /** In the same slot nothing is read again: a file that broke meanwhile must not cost the last good state. */
  function reconsider(): void {
    if (chooseSlot(slots.mode, background) !== chosen.slot) rechoose();
  }

  function reload(): ThemeOutcome {
    const { name } = chosen.theme;
    const result = loadTheme(name, files);
    if (!result.ok) {
      reloadProblems = result.problems.map((problem) => themeProblemTexts.ofTheme({ theme: name, problem }));
      tell();
      return { ok: false, problems: reloadProblems };
    }
    reloadProblems = [];
    chosen = { ...chosen, theme: result.theme, warnings: result.warnings };
    changed();
    return { ok: true };
  }

  return {
    current: () => shown,
    names: () => themeNames(files),
    problems: () => [...chosen.problems, ...chosen.warnings, ...reloadProblems],
    preview(name) {
      const result = loadTheme(name, files);
      if (!result.ok) return result;
      previewed = result.theme;
      changed();
      return { ok: true };
    },
    cancelPreview() {
      if (previewed === undefined) return;
      previewed = undefined;
      changed();
    },
    choose(name) {
      const result = loadTheme(name, files);
      if (!result.ok) return result;
      slots = { ...slots, [chosen.slot]: name };
      previewed = undefined;
      rechoose();
      return { ok: true, slot: chosen.slot };
    },
    setMode(mode) {
      slots = { ...slots, mode };
      reconsider();
    },
    setBackground(next) {
      background = { ...background, ...next };
      reconsider();
    },
    reload,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearTimeout(timer);
      unwatch();
      listeners.clear();
    },
  };
}
