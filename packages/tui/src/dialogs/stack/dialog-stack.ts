/** The dialogs that are open, the newest on top: who gets the keys, and who is told when one leaves. */
import { type Input, keyName } from "../../screen/input.ts";
import { createRemembered } from "../../screen/remembered.ts";
import type { Dialog } from "../../screen/view.ts";
import { type DialogPlace, frameLines, renderInside, toInside } from "./dialog-frame.ts";
import type { GuardedDialog } from "./early-keys.ts";

export interface DialogStack {
  open(dialog: Dialog): void;
  /** The top one without an argument; one that is not open is left alone. */
  close(dialog?: Dialog): void;
  top(): Dialog | undefined;
  isEmpty(): boolean;
  /** The screen was away, so the top one comes into sight again; what was typed meanwhile is no answer to it. */
  rearmTop(): void;
  /**
   * Given to the top one; places of the mouse are those on its frame. False when nobody wanted it: then keys that hold
   * everywhere may be looked for, but the prompt must not get it while a dialog is open.
   */
  handle(input: Input): boolean;
  /** The top one in its frame; nothing when none is open. The same array as long as nothing changed. */
  render(place: DialogPlace): readonly string[];
  /** Told when a dialog came or went. Gives back the way to stop. */
  onChange(listener: () => void): () => void;
}

/** Only some of them ask what must not be answered by accident. */
interface OpenDialog extends Dialog, Partial<Pick<GuardedDialog, "rearm">> {}

export function createDialogStack(): DialogStack {
  const open: OpenDialog[] = [];
  const listeners = new Set<() => void>();
  const cached = createRemembered<readonly string[]>();
  const top = () => open.at(-1);
  const rearmTop = () => top()?.rearm?.();

  function close(dialog: Dialog | undefined = top()): void {
    const at = dialog === undefined ? -1 : open.lastIndexOf(dialog);
    if (at < 0) return;
    // Taken away first, so that a dialog that closes itself when it is told is told only once.
    open.splice(at, 1);
    // One that was covered comes into sight.
    if (at === open.length) rearmTop();
    dialog?.closed?.();
    changed();
  }

  function changed(): void {
    for (const listener of [...listeners]) listener();
  }

  return {
    open(dialog) {
      if (open.includes(dialog)) throw new Error("the dialog is open already");
      open.push(dialog);
      rearmTop();
      changed();
    },
    close,
    top,
    isEmpty: () => open.length === 0,
    rearmTop,
    handle(input) {
      const dialog = top();
      if (dialog === undefined) return false;
      if (dialog.handle(toInside(input))) return true;
      if (input.kind !== "key" || keyName(input.key) !== "escape") return false;
      close(dialog);
      return true;
    },
    render(place) {
      const dialog = top();
      if (dialog === undefined) return none;
      const { width, height, theme } = place;
      const { title } = dialog;
      const inside = renderInside(dialog, place);
      return cached([title, inside, width, height, theme], () => frameLines(title, inside, place));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const none: readonly string[] = [];
