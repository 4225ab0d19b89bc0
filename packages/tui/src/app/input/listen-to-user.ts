/** Takes what the user does on the screen to whoever it is for. */

import type { DialogStack } from "../../dialogs/stack/dialog-stack.ts";
import type { KeyReader } from "../../keys/key-reader.ts";
import type { Prompt } from "../../prompt/prompt-parts.ts";
import type { Screen } from "../../screen/open-screen.ts";
import type { ClientState } from "../../state/client-state.ts";
import type { StateStore } from "../../state/state-store.ts";
import { flashTexts } from "../../texts/terminal.ts";
import type { AppCommands } from "../app-commands.ts";
import type { AppLook } from "../app-look.ts";
import type { OpenRequests } from "../session/open-requests.ts";
import type { SessionDesk } from "../session/session-desk.ts";
import type { InputIntake } from "./input-intake.ts";
import { createInputRoute } from "./route-input.ts";

export type ListeningParts = {
  readonly store: StateStore<ClientState>;
  readonly screen: Screen;
  readonly intake: InputIntake;
  readonly dialogs: DialogStack;
  readonly keys: KeyReader;
  readonly prompt: Prompt;
  readonly requests: OpenRequests;
  readonly commands: AppCommands;
  readonly look: AppLook;
  /** Undefined until the engine is up. */
  readonly desk: () => SessionDesk | undefined;
  readonly now: () => number;
  readonly redraw: () => void;
};

export function listenToUser(parts: ListeningParts): void {
  const { store, screen, intake, dialogs, keys, prompt, requests, commands, look, now, redraw } = parts;
  const route = createInputRoute({
    ...{ dialogs, keys, prompt, now, isRunning: commands.isBusy, perform: commands.perform },
    onFocus: (isFocused) =>
      store.update((before) => (before.isFocused === isFocused ? before : { ...before, isFocused })),
    onDoubleEscape: () => commands.open("rewind"),
    onDialogInterrupt() {
      if (requests.isShown(dialogs.top())) void parts.desk()?.interrupt();
      else dialogs.close();
    },
    onSequenceDropped: (dropped) => screen.flash(flashTexts.unbound(dropped.join(" "))),
  });
  screen.listen({
    onInput(input) {
      const meant = intake.read(input);
      if (meant !== undefined) route(meant);
      redraw();
    },
    onTop: commands.scrolled,
    onTranscriptClick(line) {
      if (look.transcript.toggleGroupAt(line)) redraw();
    },
    onFooterMouse(mouse) {
      const isActivityShown = store.get().activity.kind !== "idle";
      prompt.handle({ kind: "mouse", mouse: { ...mouse, y: mouse.y - (isActivityShown ? 1 : 0) } });
    },
  });
}
