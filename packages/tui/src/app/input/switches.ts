/** What the user switches on the screen. What is a setting is kept in tui.json. */

import type { Prompt } from "../../prompt/prompt-parts.ts";
import type { Screen } from "../../screen/open-screen.ts";
import { writeTuiSetting } from "../../settings/write-tui-setting.ts";
import { viewNoticeTexts } from "../../texts/commands.ts";
import { flashTexts } from "../../texts/terminal.ts";
import type { AppLook } from "../app-look.ts";
import type { TellNotice } from "../notices.ts";
import type { TuiFiles } from "../tui-parts.ts";

export type SwitchParts = {
  readonly files: TuiFiles;
  readonly prompt: Prompt;
  readonly screen: Screen;
  readonly look: AppLook;
  readonly notice: TellNotice;
  readonly isMouseOurs: boolean;
};

/** Without a wish the other way round. */
export interface Switches {
  setVim(isOn?: boolean): void;
  setThinking(isShown?: boolean): void;
  setTheme(name: string): void;
  toggleMouse(): void;
}

export function createSwitches({ files, prompt, screen, look, notice, ...begin }: SwitchParts): Switches {
  let { isMouseOurs } = begin;

  function saveSetting(path: readonly string[], value: string | boolean): void {
    const text = writeTuiSetting(files.readSettings(), path, value);
    const problem = text === undefined ? viewNoticeTexts.settingsInvalid : files.writeSettings(text);
    if (problem !== undefined) notice("warning", viewNoticeTexts.notSaved(problem));
  }

  return {
    setVim(isOn = prompt.vimMode() === undefined) {
      prompt.setVim(isOn);
      saveSetting(["vim", "enabled"], isOn);
      notice("info", isOn ? viewNoticeTexts.vimOn : viewNoticeTexts.vimOff);
    },
    setThinking(isShown = !look.isThinkingShown()) {
      look.setThinking(isShown);
      screen.redraw();
    },
    setTheme(name) {
      const chosen = look.themes.choose(name);
      if (chosen.ok) saveSetting(["theme", chosen.slot], name);
      else notice("error", chosen.problems.join(" "));
    },
    toggleMouse() {
      isMouseOurs = !isMouseOurs;
      screen.setMouse(isMouseOurs);
      screen.flash(isMouseOurs ? flashTexts.mouseOfKedge : flashTexts.mouseOfTerminal);
    },
  };
}
