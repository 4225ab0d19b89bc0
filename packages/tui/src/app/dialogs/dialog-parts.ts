/** What dialogs are opened with. */
import type { Client } from "@kedge/protocol";
import type { CommandContext, DialogName } from "../../commands/command-context.ts";
import type { DialogStack } from "../../dialogs/stack/dialog-stack.ts";
import type { Action } from "../../keys/actions.ts";
import type { Keybinds } from "../../keys/keybinds.ts";
import type { Dialog } from "../../screen/view.ts";
import type { ClientState, Notice } from "../../state/client-state.ts";
import type { AppLook } from "../app-look.ts";
import type { SessionDesk } from "../session/session-desk.ts";
import type { AgentWatch } from "../session/watch-agents.ts";
import type { TuiParts } from "../tui-parts.ts";
import type { Choices } from "./choices.ts";

export type DialogParts = {
  readonly parts: TuiParts;
  readonly client: Client;
  readonly context: CommandContext;
  readonly dialogs: DialogStack;
  readonly look: AppLook;
  readonly keybinds: Keybinds;
  readonly choices: Choices;
  readonly settingsWarnings: () => readonly string[];
  readonly state: () => ClientState;
  readonly desk: () => SessionDesk;
  readonly notice: (tone: Notice["tone"], text: string) => void;
  readonly redraw: () => void;
  /** Asks again who works for the session. */
  readonly agents: Pick<AgentWatch, "refresh" | "passed" | "seen">;
  readonly run: (line: string) => void;
  /** Into the prompt, to be gone on with. */
  readonly offerText: (text: string) => void;
  readonly leaveForDemo: () => void;
  readonly perform: (action: Action) => void;
  readonly open: (name: DialogName, argument?: string) => void;
};

/** Opens a dialog that is closed by what is chosen in it. */
export function openClosing(dialogs: DialogStack, make: (close: () => void) => Dialog): void {
  const dialog = make(() => dialogs.close(dialog));
  dialogs.open(dialog);
}
