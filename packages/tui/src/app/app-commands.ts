/** What the user can have done: lines of the prompt, named actions, and everything that a slash command reaches. */
import { type Client, FailureError } from "@kedge/protocol";
import type { CommandContext, DialogName } from "../commands/command-context.ts";
import { slashCommands } from "../commands/command-table.ts";
import { createCompletionSource } from "../commands/completion-source.ts";
import { runCommandLine } from "../commands/run-command-line.ts";
import type { DialogStack } from "../dialogs/stack/dialog-stack.ts";
import type { Action } from "../keys/actions.ts";
import type { Keybinds } from "../keys/keybinds.ts";
import type { Complete } from "../prompt/completion.ts";
import { notACommand } from "../prompt/input-text.ts";
import type { Prompt } from "../prompt/prompt-parts.ts";
import type { Screen } from "../screen/open-screen.ts";
import type { TuiSettings } from "../settings/tui-settings.ts";
import { writeTuiSetting } from "../settings/write-tui-setting.ts";
import type { ClientState, Notice } from "../state/client-state.ts";
import type { SessionMirror } from "../state/session-mirror.ts";
import type { StateStore } from "../state/state-store.ts";
import { createPager } from "../transcript/index.ts";
import type { AppLook } from "./app-look.ts";
import { createChoices } from "./choices.ts";
import type { DialogParts } from "./dialog-parts.ts";
import { openDialog } from "./open-dialogs.ts";
import { openWelcome } from "./open-welcome.ts";
import { createActions } from "./perform-action.ts";
import type { SessionDesk } from "./session-desk.ts";
import type { TuiParts } from "./tui-parts.ts";

export type AppCommandParts = {
  readonly parts: TuiParts;
  readonly settings: TuiSettings;
  readonly keybinds: Keybinds;
  readonly store: StateStore<ClientState>;
  readonly dialogs: DialogStack;
  readonly look: AppLook;
  readonly client: Client;
  readonly notice: (tone: Notice["tone"], text: string) => void;
  readonly settingsWarnings: () => readonly string[];
  /** Undefined until the engine is up. */
  readonly desk: () => SessionDesk | undefined;
  /** Throws until the engine is up. */
  readonly theDesk: () => SessionDesk;
  readonly prompt: () => Prompt;
  readonly screen: () => Screen;
  readonly mirror: () => SessionMirror;
  readonly setHint: (text: string) => void;
  readonly toggleSidebar: () => void;
  readonly exit: (exitCode: number) => void;
  readonly leaveForDemo: () => void;
};

export interface AppCommands {
  readonly complete: Complete;
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

const exitAgainMs = 2_000;
const notSuspendedMs = 200;
const interrupted = 130;

export function createAppCommands(app: AppCommandParts): AppCommands {
  const { parts, store, dialogs, look, client, notice } = app;
  const state = store.get;
  let isMouseOurs = app.settings.mouse;
  let isAllExpanded = false;
  let leavingSince = Number.NEGATIVE_INFINITY;
  let isReadingOlder = false;
  let isWaitingToSend = false;

  function saveSetting(path: readonly string[], value: string | boolean): void {
    const text = writeTuiSetting(parts.files.readSettings(), path, value);
    const problem = text === undefined ? "tui.json is not JSON; mend it first" : parts.files.writeSettings(text);
    if (problem !== undefined) notice("warning", `It holds until you leave, but was not kept: ${problem}.`);
  }

  function setVim(isOn = app.prompt().vimMode() === undefined): void {
    app.prompt().setVim(isOn);
    saveSetting(["vim", "enabled"], isOn);
    notice("info", isOn ? "Vim keys are on: i begins to write, Escape goes back to NORMAL." : "Vim keys are off.");
  }

  function setThinking(isShown = !look.isThinkingShown()): void {
    look.setThinking(isShown);
    app.screen().redraw();
  }

  function setTheme(name: string): void {
    const chosen = look.themes.choose(name);
    if (chosen.ok) saveSetting(["theme", chosen.slot], name);
    else notice("error", chosen.problems.join(" "));
  }

  const context: CommandContext = {
    client,
    get desk() {
      return app.theDesk();
    },
    state,
    notice,
    open: (name, argument) => open(name, argument),
    themeNames: look.themes.names,
    setTheme,
    setVim,
    setThinking,
    async reloadSettings() {
      look.themes.reload();
    },
    exit: () => app.exit(0),
    copy: (text) => app.screen().copy(text),
    lastAnswer: () => look.transcript.textOfLastAnswer() ?? "",
    writeFile: async (path, text) => (await parts.writeFile(path, text)).sentence,
  };

  async function runLine(line: string): Promise<boolean> {
    return (await runCommandLine(line, { commands: slashCommands, context })) === "done";
  }

  /** A failure of a line that nobody waits for is told, a defect ends the program. */
  function run(line: string): void {
    if (app.desk() === undefined) {
      app.screen().flash("still starting");
      return;
    }
    void runLine(line);
  }

  async function submit(delivery: "now" | "follow-up"): Promise<void> {
    const prompt = app.prompt();
    const desk = app.desk();
    const text = prompt.text();
    if (text.trim() === "") return state().activity.kind === "retrying" ? desk?.hasten() : undefined;
    if (desk === undefined || state().connection === "starting") {
      isWaitingToSend = true;
      app.setHint("sent as soon as the engine is up");
      return;
    }
    if (text.startsWith("/") && (await runLineOf(prompt, text))) return;
    if (state().session === undefined) return notice("info", "Choose a model first: /model.");
    if (text.startsWith("!")) {
      const line = prompt.takeSubmission().text;
      const command = line.replace(/^!+/, "").trim();
      return command === "" ? undefined : desk.runShell(command, { isPrivate: line.startsWith("!!") });
    }
    if (text.startsWith("#")) {
      const note = prompt.takeSubmission().text.replace(/^#+/, "").trim();
      const sessionId = state().session?.id ?? "";
      if (note !== "") await desk.send<"message.add">({ type: "message.add", sessionId, text: note });
      return;
    }
    const isRunning = state().activity.kind !== "idle";
    app.screen().scrollToEnd();
    const draft = prompt.draft();
    const isSent = await desk.submit(prompt.takeSubmission(), isRunning && delivery === "now" ? "steer" : "follow-up");
    if (!isSent && prompt.isEmpty()) prompt.restore(draft);
  }

  /** The line leaves the prompt at once, and comes back when it was none of our commands. */
  async function runLineOf(prompt: Prompt, text: string): Promise<boolean> {
    const draft = prompt.draft();
    prompt.takeSubmission();
    if (await runLine(text)) return true;
    prompt.restore(draft);
    return false;
  }

  async function editPrompt(): Promise<void> {
    const screen = app.screen();
    screen.stop();
    const edited = await parts.editText(app.prompt().text());
    screen.start();
    screen.redrawAll();
    dialogs.rearmTop();
    if (edited.ok) app.prompt().setText(edited.text);
    else notice("warning", edited.sentence);
  }

  /** The newest prompt that waits comes back to be changed. */
  async function editQueued(): Promise<void> {
    const waiting = state().messages.findLast(({ isQueued }) => isQueued === true);
    if (waiting === undefined) return app.screen().flash("no prompt waits");
    if (!app.prompt().isEmpty()) return app.screen().flash("send or clear the prompt first");
    const text = waiting.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    const isBack = await app.theDesk().withdraw(waiting.id);
    if (!isBack) return;
    app.prompt().setText(notACommand(text));
    for (const part of waiting.parts) if (part.type === "file") app.prompt().attach(part.media);
  }

  function clearInput(): void {
    const time = parts.now();
    if (!app.prompt().isEmpty()) {
      app.prompt().clear();
      return;
    }
    if (isBusy()) {
      interrupt();
      return;
    }
    if (time - leavingSince < exitAgainMs) {
      app.exit(interrupted);
      return;
    }
    leavingSince = time;
    app.setHint("ctrl+c again leaves kedge");
    setTimeout(() => app.setHint(""), exitAgainMs).unref();
  }

  /** The shell has the terminal until it gives it back; where there is no shell, the system does not stop us. */
  function suspend(): void {
    const screen = app.screen();
    screen.stop();
    const comeBack = () => {
      clearTimeout(timer);
      process.off("SIGCONT", comeBack);
      screen.start();
      screen.redrawAll();
      dialogs.rearmTop();
    };
    const timer = setTimeout(comeBack, notSuspendedMs);
    process.once("SIGCONT", comeBack);
    process.kill(process.pid, "SIGTSTP");
  }

  function isBusy(): boolean {
    return state().activity.kind !== "idle" || app.desk()?.isShellRunning() === true;
  }

  /** The user's own command first, if one runs: it is what they look at. */
  function interrupt(): void {
    const desk = app.desk();
    if (desk?.isShellRunning()) void desk.abortShell();
    else void desk?.interrupt();
  }

  async function pasteImage(): Promise<void> {
    const image = await parts.readClipboardImage();
    if (typeof image === "string") notice("info", image);
    else app.prompt().attach(image);
  }

  function openPager(): void {
    const call = state()
      .messages.flatMap(({ parts: all }) => all)
      .findLast((part) => part.type === "tool");
    const full = call?.type === "tool" ? look.transcript.fullTextOf(call.callId) : undefined;
    if (full === undefined) {
      app.screen().flash("no output to read");
      return;
    }
    dialogs.open(createPager({ title: full.title, content: { text: full.text }, theme: look.theme }));
  }

  function expand(which: "last" | "all"): void {
    if (which === "last") look.transcript.expandLast();
    else {
      isAllExpanded = !isAllExpanded;
      look.transcript.expandAll(isAllExpanded);
    }
    app.screen().redraw();
  }

  /** At the beginning of what was read, more is read; what is in sight stays where it is. */
  async function scrolled(): Promise<void> {
    if (!app.screen().isAtTop || !state().hasOlder || isReadingOlder) return;
    isReadingOlder = true;
    const width = look.transcriptView.width();
    const before = look.transcript.render(width).length;
    try {
      await app.mirror().readOlder();
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      app.screen().flash(error.failure.message);
      return;
    } finally {
      isReadingOlder = false;
    }
    const added = look.transcript.render(width).length - before;
    app.screen().redrawNow();
    app.screen().scrollBy(added);
  }

  const dialogParts: DialogParts = {
    ...{ parts, client, context, dialogs, look, state, notice, run },
    offerText: (text) => {
      if (app.prompt().isEmpty()) app.prompt().setText(text);
      else run(text.trim());
    },
    keybinds: app.keybinds,
    choices: createChoices(parts.files),
    settingsWarnings: app.settingsWarnings,
    desk: app.theDesk,
    redraw: () => app.screen().redraw(),
    leaveForDemo: app.leaveForDemo,
    perform: (action) => perform(action),
    open: (name, argument) => open(name, argument),
  };

  function open(name: DialogName, argument?: string): void {
    if (app.desk() === undefined && name !== "help" && name !== "themes") {
      app.screen().flash("still starting");
      return;
    }
    openDialog(dialogParts, name, argument);
  }

  let actions: ((action: Action) => void) | undefined;

  function perform(action: Action): void {
    actions ??= createActions({
      screen: app.screen(),
      desk: app.theDesk,
      state,
      open,
      run,
      submit: (delivery) => void submit(delivery),
      editPrompt: () => void editPrompt(),
      editQueued: () => void editQueued(),
      clearInput,
      interrupt,
      pasteImage: () => void pasteImage(),
      toggleVim: () => setVim(),
      toggleThinking: () => setThinking(),
      toggleSidebar: app.toggleSidebar,
      toggleMouse() {
        isMouseOurs = !isMouseOurs;
        app.screen().setMouse(isMouseOurs);
        app.screen().flash(isMouseOurs ? "the mouse is kedge's" : "the mouse is the terminal's");
      },
      expand,
      openPager,
      copyAnswer: () => run("/copy"),
      scrolled: () => void scrolled(),
      scrollLines: app.settings.scrollLines,
      suspend,
      exit: () => app.exit(0),
    });
    if (app.desk() === undefined && needsEngine.has(action)) {
      app.screen().flash("still starting");
      return;
    }
    actions(action);
  }

  return {
    complete: createCompletionSource({ commands: slashCommands, context, now: parts.now }).complete,
    perform,
    open,
    welcome: () => void openWelcome(dialogParts),
    scrolled: () => void scrolled(),
    isBusy,
    sendWaiting() {
      if (!isWaitingToSend) return;
      isWaitingToSend = false;
      app.setHint("");
      void submit("now");
    },
  };
}

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
