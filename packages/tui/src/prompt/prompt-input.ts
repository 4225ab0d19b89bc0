/** From what the user did to what the prompt does: each says whether it was the prompt's, the rest is the app's. */
import { type Input, type Key, keyName } from "../screen/input.ts";
import { promptText } from "./input-text.ts";
import type { PromptEditing } from "./prompt-editing.ts";
import { editingKeys, newLineKeys } from "./prompt-keys.ts";
import { promptMode } from "./prompt-mode.ts";

/** The mouse is told by its place on the screen, which only the drawn prompt knows. */
export function handlePromptInput(editing: PromptEditing, input: Exclude<Input, { kind: "mouse" }>): boolean {
  switch (input.kind) {
    case "key":
      return handleKey(editing, input.key);
    case "paste":
      handlePaste(editing, input.text);
      return true;
    case "focus":
      return false;
  }
}

function handlePaste(editing: PromptEditing, pasted: string): void {
  const { buffer, intake } = editing;
  const search = editing.search();
  editing.clearNote();
  if (search === undefined) {
    editing.edit(() => intake.paste(pasted, { arePathsText: promptMode(buffer.text()) !== "plain" }));
    return;
  }
  search.type(promptText(pasted).split("\n", 1)[0] ?? "");
  editing.redraw();
}

function handleKey(editing: PromptEditing, key: Key): boolean {
  editing.clearNote();
  if (editing.search() !== undefined && handleSearchKey(editing, key)) return true;
  if (handlePopupKey(editing, keyName(key))) return true;
  switch (editing.handleVim(key)) {
    case "taken":
      return true;
    case "up":
      editing.stepHistory(-1);
      return true;
    case "down":
      editing.stepHistory(1);
      return true;
    case "left to others":
      return handleEditingKey(editing, key);
  }
}

function typedText({ text, ctrl, alt, meta }: Key): string | undefined {
  return text === undefined || ctrl || alt || meta ? undefined : promptText(text);
}

/** False when the search has ended and the key is still to be handled. */
function handleSearchKey(editing: PromptEditing, key: Key): boolean {
  const search = editing.search();
  const name = keyName(key);
  const typed = typedText(key);
  if (name === "escape" || name === "ctrl+c" || name === "ctrl+g") editing.leaveSearch();
  else if (name === "enter" || name === "tab") editing.takeMatch();
  else if (name === "ctrl+r" || name === "up") search?.step(-1);
  else if (name === "ctrl+s" || name === "down") search?.step(1);
  else if (name === "backspace" || name === "ctrl+h") search?.erase();
  else if (typed !== undefined) search?.type(typed);
  else if (editingKeys.has(name)) {
    editing.takeMatch();
    return false;
  }
  editing.redraw();
  return true;
}

function handlePopupKey({ completion, takeCompletion, closeCompletion, redraw }: PromptEditing, name: string): boolean {
  const popup = completion.popup();
  if (popup === undefined) return false;
  switch (name) {
    case "up":
    case "down":
      completion.select(popup.selected + (name === "up" ? -1 : 1));
      redraw();
      return true;
    case "escape":
      closeCompletion();
      return true;
    case "tab":
      takeCompletion();
      return true;
    case "enter": {
      const { kind, text } = popup.question;
      const isComplete = kind === "command" && popup.items[popup.selected]?.value === text;
      if (popup.isCurrent && !isComplete) {
        takeCompletion();
        return true;
      }
      // A list for what had been typed before must not change what is sent now.
      closeCompletion();
      return false;
    }
    default:
      return false;
  }
}

function handleEditingKey(editing: PromptEditing, key: Key): boolean {
  const { buffer, edit, act } = editing;
  const name = keyName(key);
  const isNormal = editing.vimMode() === "normal";
  const action = editingKeys.get(name);
  const typed = typedText(key);
  if (name === "up" || name === "down") return editing.moveRow(name === "up" ? -1 : 1);
  if (name === "ctrl+r") editing.openSearch();
  else if (newLineKeys.has(name)) edit(() => buffer.insert("\n"));
  else if (name === "enter") {
    const cursor = buffer.cursor();
    if (isNormal || buffer.text()[cursor - 1] !== "\\") return false;
    edit(() => {
      buffer.replace({ start: cursor - 1, end: cursor }, "\n");
    });
  } else if (action !== undefined) {
    // An empty prompt has nothing to erase, and the app has a meaning for the key.
    if (name === "ctrl+d" && buffer.text() === "") return false;
    act(action);
  } else if (typed !== undefined) edit(() => buffer.insert(typed, { isTyped: true }));
  else return false;
  return true;
}
