/** Reading what was said: older pages when the beginning comes into sight, parts that unfold, and the pager. */

import { FailureError } from "@kedge/protocol";
import type { DialogStack } from "../../dialogs/stack/dialog-stack.ts";
import type { Screen } from "../../screen/open-screen.ts";
import type { ClientState } from "../../state/client-state.ts";
import type { SessionMirror } from "../../state/session-mirror.ts";
import { flashTexts } from "../../texts/terminal.ts";
import { createPager } from "../../transcript/pager.ts";
import type { AppLook } from "../app-look.ts";

export type ReadingParts = {
  readonly screen: Screen;
  readonly mirror: SessionMirror;
  readonly look: AppLook;
  readonly dialogs: DialogStack;
  readonly state: () => ClientState;
};

export interface ReadingActions {
  /** What is in sight changed. */
  scrolled(): void;
  expand(which: "last" | "all"): void;
  openPager(): void;
}

export function createReadingActions({ screen, mirror, look, dialogs, state }: ReadingParts): ReadingActions {
  let isAllExpanded = false;
  let isReadingOlder = false;

  /** At the beginning of what was read, more is read; what is in sight stays where it is. */
  async function readOlder(): Promise<void> {
    if (!screen.isAtTop || !state().hasOlder || isReadingOlder) return;
    isReadingOlder = true;
    const width = look.transcriptView.width();
    const before = look.transcript.render(width).length;
    try {
      await mirror.readOlder();
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      screen.flash(error.failure.message);
      return;
    } finally {
      isReadingOlder = false;
    }
    const added = look.transcript.render(width).length - before;
    screen.redrawNow();
    screen.scrollBy(added);
  }

  return {
    scrolled: () => void readOlder(),
    expand(which) {
      if (which === "last") look.transcript.expandLast();
      else {
        isAllExpanded = !isAllExpanded;
        look.transcript.expandAll(isAllExpanded);
      }
      screen.redraw();
    },
    openPager() {
      const call = state()
        .messages.flatMap(({ parts }) => parts)
        .findLast((part) => part.type === "tool");
      const full = call?.type === "tool" ? look.transcript.fullTextOf(call.callId) : undefined;
      if (full === undefined) {
        screen.flash(flashTexts.nothingToRead);
        return;
      }
      dialogs.open(createPager({ title: full.title, content: { text: full.text }, theme: look.theme }));
    },
  };
}
