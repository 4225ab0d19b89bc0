/** Keeps what was typed for something else from answering a dialog that came up under the fingers. */
import type { Dialog } from "../screen/view.ts";

/** When the dialog came into sight, in the same milliseconds as `now`. */
export type Appearance = { readonly now: () => number; readonly shownAt: number };

const earlyKeysMs = 200;

/** In its first moments keys, pastes and clicks are taken by nobody: neither an answer, nor passed on. */
export function guardEarlyKeys(dialog: Dialog, { now, shownAt }: Appearance): Dialog {
  return {
    get title() {
      return dialog.title;
    },
    widthWished: dialog.widthWished,
    render: (width, height) => dialog.render(width, height),
    handle: (input) => (input.kind !== "focus" && now() - shownAt < earlyKeysMs) || dialog.handle(input),
    closed: () => dialog.closed?.(),
  };
}
