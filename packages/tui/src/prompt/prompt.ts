/** The place where the user writes: an editor with history, completions, attachments and, if wished, the keys of vim. */
import type { Mouse } from "../screen/input.ts";
import type { Theme } from "../theme/theme.ts";
import { popupFirst, popupHeight } from "./completion-popup.ts";
import { notACommand, promptText } from "./input-text.ts";
import { createPromptEditing } from "./prompt-editing.ts";
import { drawPrompt, promptColumns } from "./prompt-frame.ts";
import { handlePromptInput } from "./prompt-input.ts";
import type { PromptLayout, Row } from "./prompt-layout.ts";
import { type Border, borderOf, promptMode } from "./prompt-mode.ts";
import type { Prompt, PromptParts } from "./prompt-parts.ts";

export const promptRowsMax = 10;

export function createPrompt(parts: PromptParts): Prompt {
  const editing = createPromptEditing(parts, redraw);
  const { buffer, tokens, completion, drafts } = editing;
  let hint: string | undefined;
  let border: Border = { token: "border" };
  let drawn: { readonly width: number; readonly theme: Theme; readonly lines: readonly string[] } | undefined;
  /** What a click on the screen means. */
  let shown: { readonly rows: readonly Row[]; readonly layout: PromptLayout; readonly width: number } | undefined;
  let labelled: { readonly text: string; readonly shown: string } | undefined;

  function redraw(): void {
    drawn = undefined;
    // The label of an attachment may have changed.
    labelled = undefined;
    parts.onChange();
  }

  function draw(theme: Theme, width: number): readonly string[] {
    editing.setColumns(promptColumns(width, theme).text);
    const search = editing.search()?.state();
    const match = search?.match;
    const text = match === undefined ? buffer.text() : match.text;
    const cursor = match === undefined ? buffer.cursor() : Math.min(match.at, text.length);
    const layout = editing.layoutOf(text);
    const view = layout.view({ cursor, firstBefore: shown?.rows[0]?.start ?? 0, rowsMax: promptRowsMax });
    shown = { rows: view.rows, layout, width };
    const vimMode = editing.vimMode();
    const picture = {
      ...view,
      cursor: search === undefined ? { offset: cursor, rowStart: layout.rowAt(cursor).start } : undefined,
      hint: text === "" && search === undefined ? hint : undefined,
      border: borderOf(promptMode(text), border),
      bottomLabel: vimMode === undefined ? undefined : `-- ${vimMode.toUpperCase()} --`,
      search,
      popup: completion.popup(),
      note: editing.note(),
      isToken: (offset: number) => tokens.labelOf(text.slice(offset, offset + 2)) !== undefined,
    };
    return drawPrompt(picture, theme, width);
  }

  function handleMouse({ type, x, y }: Mouse): boolean {
    if ((type !== "press" && type !== "click") || shown === undefined || editing.search() !== undefined) return false;
    const columns = promptColumns(shown.width, parts.theme());
    const popup = columns.isFramed ? completion.popup() : undefined;
    if (popup !== undefined && y < popupHeight(popup)) {
      completion.select(popupFirst(popup) + y);
      if (type === "click") editing.takeCompletion();
      else redraw();
      return true;
    }
    const row = shown.rows[columns.isFramed ? y - popupHeight(popup) - 1 : y];
    if (row === undefined) return false;
    const offset = shown.layout.offsetInRow(row, Math.max(0, x - columns.indent));
    editing.edit(() => buffer.moveTo(offset));
    return true;
  }

  return {
    render(width) {
      const theme = parts.theme();
      if (drawn?.width !== width || drawn.theme !== theme) drawn = { width, theme, lines: draw(theme, width) };
      return drawn.lines;
    },
    handle: (input) => (input.kind === "mouse" ? handleMouse(input.mouse) : handlePromptInput(editing, input)),
    text() {
      const text = buffer.text();
      if (labelled?.text !== text) labelled = { text, shown: tokens.labelled(text) };
      return labelled.shown;
    },
    setText(text) {
      editing.edit(() => buffer.setText(tokens.tokenised(promptText(text))));
    },
    insert(text) {
      editing.edit(() => buffer.insert(promptText(text)));
    },
    attach(media) {
      editing.edit(() => editing.intake.attach(media));
    },
    clear() {
      editing.edit(() => buffer.setText(""));
    },
    isEmpty: () => buffer.text() === "",
    isPopupOpen: () => completion.popup() !== undefined || editing.search() !== undefined,
    vimMode: editing.vimMode,
    setVim: editing.setVim,
    setHint(wanted) {
      if (hint === wanted) return;
      hint = wanted;
      redraw();
    },
    setBorder(token, label) {
      if (border.token === token && border.label === label) return;
      border = { token, ...(label !== undefined && { label }) };
      redraw();
    },
    takeSubmission() {
      const text = buffer.text();
      const submission = tokens.expanded(text);
      const remembered = tokens.textOnly(text).trim();
      // What was typed as a command is one when it comes back; what was pasted is not.
      if (remembered !== "") parts.history.add(text.startsWith("!") ? remembered : notACommand(remembered));
      tokens.clear();
      editing.begin("", 0);
      drafts.drop();
      return submission;
    },
    draft: editing.readDraft,
    restore: editing.restoreDraft,
    flush: drafts.flush,
    close() {
      drafts.flush();
      completion.close();
      editing.intake.cancel();
    },
  };
}
