/** What the user can have done: lines of the prompt, named actions, and everything that a slash command reaches. */

import type { Client } from "@kedge/protocol";
import type { CommandContext, DialogName } from "../commands/command-context.ts";
import { slashCommands } from "../commands/command-table.ts";
import { runCommandLine } from "../commands/run-command-line.ts";
import type { DialogStack } from "../dialogs/stack/dialog-stack.ts";
import type { Action } from "../keys/actions.ts";
import type { Keybinds } from "../keys/keybinds.ts";
import type { Prompt } from "../prompt/prompt-parts.ts";
import type { Screen } from "../screen/open-screen.ts";
import type { TuiSettings } from "../settings/tui-settings.ts";
import type { ClientState } from "../state/client-state.ts";
import type { SessionMirror } from "../state/session-mirror.ts";
import { flashTexts } from "../texts/terminal.ts";
import type { AppLook } from "./app-look.ts";
import { askQuestions } from "./dialogs/ask-questions.ts";
import { createChoices } from "./dialogs/choices.ts";
import type { DialogParts } from "./dialogs/dialog-parts.ts";
import { openDialog } from "./dialogs/open-dialogs.ts";
import { openWelcome } from "./dialogs/open-welcome.ts";
import { leaveScreen, suspend } from "./input/leave-screen.ts";
import { createActions } from "./input/perform-action.ts";
import { createPromptActions } from "./input/prompt-actions.ts";
import { createReadingActions } from "./input/reading-actions.ts";
import { createStopping } from "./input/stopping.ts";
import { createSwitches, type Switches } from "./input/switches.ts";
import type { TellNotice } from "./notices.ts";
import type { SessionDesk } from "./session/session-desk.ts";
import type { AgentWatch } from "./session/watch-agents.ts";
import type { TuiParts } from "./tui-parts.ts";

export type AppCommandParts = {
  readonly parts: TuiParts;
  readonly settings: TuiSettings;
  readonly keybinds: Keybinds;
  readonly state: () => ClientState;
  readonly dialogs: DialogStack;
  readonly look: AppLook;
  readonly client: Client;
  readonly notice: TellNotice;
  readonly settingsWarnings: () => readonly string[];
  /** Undefined until the engine is up. */
  readonly desk: () => SessionDesk | undefined;
  /** Throws until the engine is up. */
  readonly theDesk: () => SessionDesk;
  readonly prompt: Prompt;
  readonly screen: Screen;
  readonly mirror: SessionMirror;
  readonly agents: Pick<AgentWatch, "refresh" | "passed" | "seen">;
  readonly setHint: (text: string) => void;
  readonly toggleSidebar: () => void;
  readonly exit: (exitCode: number) => void;
  readonly leaveForDemo: () => void;
};

export interface AppCommands {
  perform(action: Action): void;
  open(name: DialogName, argument?: string): void;
  /** The first start: no model is configured. */
  welcome(): void;
  /** What is in sight changed. */
  scrolled(): void;
  isBusy(): boolean;
  /** Sends what the user wanted to be sent before there was anybody to send it to. */
  sendWaiting(): void;
}

export function createAppCommands(app: AppCommandParts): AppCommands {
  const { parts, settings, state, dialogs, look, client, notice, prompt, screen, desk, theDesk } = app;
  const switches = createSwitches({
    ...{ prompt, screen, look, notice, files: parts.files },
    isMouseOurs: settings.mouse,
  });
  const context = contextOf(app, switches, open);
  const reading = createReadingActions({ screen, mirror: app.mirror, look, dialogs, state });
  const stopping = createStopping({ ...app, now: parts.now });
  const prompts = createPromptActions({
    ...{ parts, prompt, screen, state, notice, desk, runLine },
    setHint: app.setHint,
    leaveScreen: () => leaveScreen({ screen, dialogs }),
    exit: () => app.exit(0),
  });
  const actions = createActions({
    ...{ screen, state, open, run, ...prompts, ...stopping, ...reading },
    desk: theDesk,
    toggleVim: () => switches.setVim(),
    toggleThinking: () => switches.setThinking(),
    toggleMouse: switches.toggleMouse,
    toggleSidebar: app.toggleSidebar,
    copyAnswer: () => run("/copy"),
    scrollLines: settings.scrollLines,
    suspend: () => suspend({ screen, dialogs }),
    exit: () => app.exit(0),
  });
  const dialogParts: DialogParts = {
    ...{ parts, client, context, dialogs, look, state, notice, run, perform, open },
    keybinds: app.keybinds,
    choices: createChoices(parts.files),
    settingsWarnings: app.settingsWarnings,
    desk: theDesk,
    redraw: () => screen.redraw(),
    agents: app.agents,
    leaveForDemo: app.leaveForDemo,
    offerText: (text) => {
      if (prompt.isEmpty()) prompt.setText(text);
      else run(text.trim());
    },
  };

  async function runLine(line: string): Promise<boolean> {
    return (await runCommandLine(line, { commands: slashCommands, context })) === "done";
  }

  function isStarting(): boolean {
    const isStill = desk() === undefined;
    if (isStill) screen.flash(flashTexts.starting);
    return isStill;
  }

  /** A failure of a line that nobody waits for is told, a defect ends the program. */
  function run(line: string): void {
    if (!isStarting()) void runLine(line);
  }

  function open(name: DialogName, argument?: string): void {
    if (!worksAtStart.has(name) && isStarting()) return;
    openDialog(dialogParts, name, argument);
  }

  function perform(action: Action): void {
    if (!needsEngine.has(action) || !isStarting()) actions(action);
  }

  return {
    ...{ perform, open },
    welcome: () => void openWelcome(dialogParts),
    scrolled: reading.scrolled,
    isBusy: stopping.isBusy,
    sendWaiting: prompts.sendWaiting,
  };
}

function contextOf(app: AppCommandParts, switches: Switches, open: AppCommands["open"]): CommandContext {
  const { parts, look, screen } = app;
  return {
    ...{ client: app.client, state: app.state, notice: app.notice, open },
    get desk() {
      return app.theDesk();
    },
    askQuestions: (questions) =>
      askQuestions(app.dialogs, questions, { theme: look.theme, now: parts.now, redraw: () => screen.redraw() }),
    themeNames: look.themes.names,
    setTheme: switches.setTheme,
    setVim: switches.setVim,
    setThinking: switches.setThinking,
    async reloadSettings() {
      look.themes.reload();
    },
    exit: () => app.exit(0),
    copy: (text) => screen.copy(text),
    lastAnswer: () => look.transcript.textOfLastAnswer() ?? "",
    writeFile: async (path, text) => (await parts.writeFile(path, text)).sentence,
    writeReport: (name, text) => parts.writeReport(name, text),
  };
}

/** Dialogs that ask nothing of the engine. */
const worksAtStart: ReadonlySet<DialogName> = new Set<DialogName>(["help", "themes"]);

const needsEngine: ReadonlySet<Action> = new Set<Action>([
  "interrupt",
  "queue_edit",
  "toggle_mode",
  "permission_cycle",
  "effort_cycle",
  "session_new",
  "undo",
  "redo",
  "compact",
]);
