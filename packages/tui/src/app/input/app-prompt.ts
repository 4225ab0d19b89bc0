/** The prompt of the screen, with the user's history, drafts and settings. */

import { slashCommands } from "../../commands/command-table.ts";
import { createCompletionSource } from "../../commands/completion-source.ts";
import { createPrompt } from "../../prompt/prompt.ts";
import type { Prompt } from "../../prompt/prompt-parts.ts";
import type { TuiSettings } from "../../settings/tui-settings.ts";
import type { ClientState } from "../../state/client-state.ts";
import { promptTexts } from "../../texts/terminal.ts";
import { createVimEngine } from "../../vim/vim-engine.ts";
import type { AppLook } from "../app-look.ts";
import { readDraft } from "../start-state.ts";
import type { TuiParts } from "../tui-parts.ts";

export type AppPromptParts = {
  readonly parts: Pick<TuiParts, "engine" | "files" | "now">;
  readonly settings: TuiSettings;
  readonly look: AppLook;
  readonly state: () => ClientState;
  readonly redraw: () => void;
};

export function createAppPrompt({ parts, settings, look, state, redraw }: AppPromptParts): Prompt {
  const { files, now } = parts;
  const context = { client: parts.engine.client, state, themeNames: look.themes.names };
  const prompt = createPrompt({
    ...{ theme: look.theme, now, history: files.history, onChange: redraw },
    complete: createCompletionSource({ commands: slashCommands, context, now }).complete,
    readAttachment: (path) => files.readAttachment(path),
    saveDraft: (draft) => files.saveDraft(draft === undefined ? undefined : JSON.stringify(draft)),
    vim: () => createVimEngine({ shiftWidth: settings.vim.shiftWidth }),
  });
  prompt.setVim(settings.vim.enabled === true);
  prompt.setHint(promptTexts.hint);
  return prompt;
}

/** What was not sent the last time. */
export function restoreDraft(prompt: Prompt, files: TuiParts["files"]): void {
  const draft = readDraft(files.readDraft());
  if (draft !== undefined) prompt.restore(draft);
}
