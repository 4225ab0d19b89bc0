/** Puts the parts of the screen together, each after what it needs: state in, drawings out, and what the user does to whoever it is for. */

import { FailureError } from "@kedge/protocol";
import { createDialogStack } from "../dialogs/stack/dialog-stack.ts";
import type { Action } from "../keys/actions.ts";
import { createKeyReader } from "../keys/key-reader.ts";
import { createKeybinds } from "../keys/keybinds.ts";
import type { Prompt } from "../prompt/prompt-parts.ts";
import { openScreen } from "../screen/open-screen.ts";
import type { Terminal } from "../screen/process-terminal.ts";
import { parseTuiSettings } from "../settings/tui-settings.ts";
import type { ClientState } from "../state/client-state.ts";
import { createStateStore, type StateStore } from "../state/state-store.ts";
import { notificationSequence } from "../status/notification.ts";
import { farewellTexts, flashTexts } from "../texts/terminal.ts";
import { createAppCommands } from "./app-commands.ts";
import { type AppLook, createAppLook } from "./app-look.ts";
import { closeAll } from "./close-all.ts";
import { showDialogs } from "./dialogs/show-dialogs.ts";
import { createFooter } from "./footer.ts";
import { createFrames } from "./frames.ts";
import { createAppPrompt } from "./input/app-prompt.ts";
import { createInputIntake } from "./input/input-intake.ts";
import { listenToUser } from "./input/listen-to-user.ts";
import { createNotices } from "./notices.ts";
import { createOwnStatus, type OwnStatus } from "./own-status.ts";
import { beginSession } from "./session/begin-session.ts";
import { followSession } from "./session/follow-session.ts";
import type { OpenRequests } from "./session/open-requests.ts";
import { createSessionDesk, type SessionDesk } from "./session/session-desk.ts";
import { startApp } from "./start-app.ts";
import { emptyState, readSegments } from "./start-state.ts";
import { notReady } from "./told-texts.ts";
import type { EngineUp, TuiExit, TuiParts } from "./tui-parts.ts";

export interface App {
  run(): Promise<TuiExit>;
  exit(exitCode: number): void;
  /** Something is broken; the terminal is given back and the error is told. */
  fail(error: unknown): void;
  /** Gives the terminal back. Safe to call twice. */
  restore(): void;
  /** Everything again, as after the terminal missed something. */
  redrawAll(): void;
}

export function createApp(parts: TuiParts, terminal: Terminal): App {
  const { now } = parts;
  const { client } = parts.engine;
  const { settings, warnings } = parseTuiSettings(parts.files.readSettings());
  const { keybinds, warnings: keyWarnings } = createKeybinds(settings);
  const keyOf = (action: Action) => keybinds.keysOf(action)[0] ?? "";
  const ended = Promise.withResolvers<TuiExit>();
  const store = createStateStore<ClientState>(emptyState(parts));
  const state = store.get;
  const notice = createNotices(store);
  const frames = createFrames();
  const { redraw } = frames;
  let session: SessionDesk | undefined;
  let hint = "";
  let isSidebarShown = true;
  let isOver = false;

  const desk = () => session;
  function theDesk(): SessionDesk {
    if (session === undefined) throw new FailureError(notReady);
    return session;
  }

  function exit(exitCode: number): void {
    ended.resolve({ exitCode, farewell: farewellOf(state()) });
  }

  const dialogs = createDialogStack();
  const look = createAppLook({
    ...{ ...parts, settings, state, redraw },
    keys: { expand: keyOf("expand"), pager: keyOf("pager") },
  });
  const prompt = createAppPrompt({ parts, settings, look, state, redraw });
  const intake = createInputIntake({ prompt, now, onLeave: () => exit(130) });
  const keys = createKeyReader({ keybinds: () => keybinds, now });
  const ownStatus = createOwnStatus({
    ...{ client, state, command: settings.statusLine.command, run: parts.runStatusCommand, onChange: redraw },
  });
  const footer = createFooter({
    ...{ state, theme: look.theme, prompt, now, userDirectory: parts.userDirectory, ownStatus: ownStatus.text },
    segments: readSegments(settings.statusLine.segments),
    interruptKey: keyOf("interrupt"),
    hint: () => (keys.pending().length > 0 ? `${keys.pending().join(" ")} …` : hint),
  });
  const screen = openScreen({
    ...{ terminal, footer, transcript: look.transcriptView },
    sidebar: { ...look.sidebar, isShown: () => isSidebarShown },
    endHint: () => look.theme().inverse(flashTexts.jumpToEnd(keyOf("scroll_bottom"))),
    ...{ mouse: settings.mouse, wheelLines: settings.scrollLines, hardwareCursor: settings.hardwareCursor },
  });
  const { mirror, requests, refreshPlace, agents } = followSession({
    ...{ client, store, now, notice, dialogs, look, theDesk, lastKeyAt: intake.lastAt, redraw },
    notify(trigger) {
      if (state().isFocused) return;
      screen.signal(notificationSequence(trigger, settings.notifications[trigger], parts.directory));
    },
  });
  const settingsWarnings = () => [...warnings, ...keyWarnings, ...look.themes.problems()];
  const commands = createAppCommands({
    ...{ parts, settings, keybinds, state, dialogs, look, client, notice, settingsWarnings },
    ...{ desk, theDesk, prompt, screen, mirror, agents, exit },
    setHint(text) {
      hint = text;
      redraw();
    },
    toggleSidebar() {
      isSidebarShown = !isSidebarShown;
      redraw();
    },
    leaveForDemo: () => ended.resolve({ exitCode: 0, farewell: "", isDemoWanted: true }),
  });
  listenToUser({ store, screen, intake, dialogs, keys, prompt, requests, commands, look, desk, now, redraw });
  showDialogs({ dialogs, requests, screen, intake, theme: look.theme, redraw });
  drawChanges({ store, look, ownStatus, requests, prompt, redraw });
  frames.begin({
    redraw: screen.redraw,
    nextInMs: () => least(footer.nextInMs(), look.nextInMs()),
    tick() {
      look.update();
      screen.redraw();
    },
  });

  async function begin(up: EngineUp): Promise<void> {
    session = createSessionDesk({
      ...{ client, store, notice, runOptions: up.runOptions, offerText: intake.offer },
      ...{ refresh: mirror.refresh, openSession: mirror.open, onFilesChanged: refreshPlace },
    });
    await beginSession(up, { parts, store, client, desk: session, prompt, mirror, commands, notice, refreshPlace });
  }

  function fail(error: unknown): void {
    ended.reject(error);
    restore();
  }

  function restore(): void {
    isOver = true;
    closeAll([frames.stop, ownStatus.close, mirror.close, prompt.close, look.themes.close, screen.close]);
  }

  return {
    run() {
      startApp({
        ...{ parts, prompt, dialogs, look, intake, screen, notice, settingsWarnings, redraw, begin, fail },
        end: ended.resolve,
        isOver: () => isOver,
      });
      return ended.promise;
    },
    exit,
    fail,
    restore,
    redrawAll: screen.redrawAll,
  };
}

type Drawn = {
  readonly store: StateStore<ClientState>;
  readonly look: AppLook;
  readonly ownStatus: OwnStatus;
  readonly requests: OpenRequests;
  readonly prompt: Prompt;
  readonly redraw: () => void;
};

/** Whatever changes in the state is drawn, in this order: what was said comes before the questions about it. */
function drawChanges({ store, look, ownStatus, requests, prompt, redraw }: Drawn): void {
  store.subscribe(
    (next) => next,
    () => {
      look.update();
      ownStatus.update();
      redraw();
    },
  );
  store.subscribe((next) => next.requests, requests.update);
  store.subscribe(
    (next) => next.session?.mode,
    (mode) => prompt.setBorder(mode === "plan" ? "accent" : "border", mode === "default" ? undefined : mode),
  );
}

/** Tells how to come back to a session in which something was said. */
function farewellOf({ session, messages }: ClientState): string {
  return session === undefined || messages.length === 0 ? "" : farewellTexts.resume(session.id);
}

function least(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
