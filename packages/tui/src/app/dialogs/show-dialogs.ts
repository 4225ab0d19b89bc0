/** Brings the topmost dialog onto the screen: requests of the engine at its bottom, all others in its middle. */
import type { DialogStack } from "../../dialogs/stack/dialog-stack.ts";
import type { Screen } from "../../screen/open-screen.ts";
import type { Over } from "../../screen/screen-parts.ts";
import type { Theme } from "../../theme/theme.ts";
import type { InputIntake } from "../input/input-intake.ts";
import type { OpenRequests } from "../session/open-requests.ts";

export type ShownDialogParts = {
  readonly dialogs: DialogStack;
  readonly requests: OpenRequests;
  readonly screen: Screen;
  readonly intake: InputIntake;
  readonly theme: () => Theme;
  readonly redraw: () => void;
};

export function showDialogs({ dialogs, requests, screen, intake, theme, redraw }: ShownDialogParts): void {
  const known = new WeakMap<object, Over>();
  dialogs.onChange(() => {
    const dialog = dialogs.top();
    if (dialog === undefined) {
      screen.show(undefined);
      return;
    }
    const over: Over = known.get(dialog) ?? {
      widthWished: dialog.widthWished,
      placement: requests.isShown(dialog) ? "bottom" : "center",
      render: (width, height) => dialogs.render({ width, height, theme: theme() }),
      mouse(mouse) {
        intake.touch();
        dialogs.handle({ kind: "mouse", mouse });
        redraw();
      },
    };
    known.set(dialog, over);
    screen.show(over);
  });
}
