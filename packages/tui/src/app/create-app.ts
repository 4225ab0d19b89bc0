/** Puts the parts of the screen together: state in, drawings out, and what the user does to whoever it is for. */
import { FailureError } from "@kedge/protocol";
import { createTrustDialog } from "../dialogs/permission/trust-dialog.ts";
import { createDialogStack } from "../dialogs/stack/dialog-stack.ts";
import { createKeyReader } from "../keys/key-reader.ts";
import { createKeybinds } from "../keys/keybinds.ts";
import { notACommand } from "../prompt/input-text.ts";
import { createPrompt } from "../prompt/prompt.ts";
import { type Input, keyName } from "../screen/input.ts";
import { type Over, openScreen } from "../screen/open-screen.ts";
import type { Terminal } from "../screen/process-terminal.ts";
import type { Dialog } from "../screen/view.ts";
import { parseTuiSettings } from "../settings/tui-settings.ts";
import type { ClientState, Notice } from "../state/client-state.ts";
import { createSessionMirror } from "../state/session-mirror.ts";
import { createStateStore } from "../state/state-store.ts";
import { notificationSequence } from "../status/notification.ts";
import { createVimEngine } from "../vim/vim-engine.ts";
import { createAppCommands } from "./app-commands.ts";
import { createAppLook } from "./app-look.ts";
import { createFooter } from "./footer.ts";
import { createOpenRequests } from "./open-requests.ts";
import { createOwnStatus } from "./own-status.ts";
import { createInputRoute } from "./route-input.ts";
import { createSessionDesk, type SessionDesk } from "./session-desk.ts";
import { emptyState, readDraft, readSegments } from "./start-state.ts";
import { createEventTelling } from "./tell-events.ts";
import { createTicker } from "./ticker.ts";
import { engineGone, failureText, notReady } from "./told-texts.ts";
import type { EngineUp, TuiExit, TuiParts } from "./tui-parts.ts";
import { createPlaceWatch } from "./watch-place.ts";

export interface App {
  run(): Promise<TuiExit>;
  exit(exitCode: number): void;
  /** Something is broken; the terminal is given back and the error is told. */
  fail(error: unknown): void;
  /** Gives the terminal back. Safe to call twice. */
  restore(): void;
}

export function createApp(parts: TuiParts, terminal: Terminal): App {
  const { engine, files, now } = parts;
  const { client } = engine;
  const { settings, warnings } = parseTuiSettings(files.readSettings());
  const keybinds = createKeybinds(settings);
  const keyOf = (action: Parameters<typeof keybinds.keybinds.keysOf>[0]) => keybinds.keybinds.keysOf(action)[0] ?? "";
  const store = createStateStore<ClientState>(emptyState(parts));
  const state = store.get;
  const ended = Promise.withResolvers<TuiExit>();
  let desk: SessionDesk | undefined;
  let noticeCount = 0;
  let hint = "";
  let isSidebarShown = true;
  let isOver = false;
  let startedAt = Number.NEGATIVE_INFINITY;
  let lastKeyAt = Number.NEGATIVE_INFINITY;
  let interrupts: readonly number[] = [];
  /** The text that was put into the prompt for the user to go on with. */
  let offered: string | undefined;
  /** Parts tell of changes while the others are still made. */
  let isBuilt = false;

  function notice(tone: Notice["tone"], text: string, options: Pick<Notice, "isSaidByMessage"> = {}): void {
    noticeCount += 1;
    const id = `notice-${noticeCount}`;
    store.update((before) => {
      const last = before.messages.findLast(({ isQueued }) => isQueued !== true);
      const place = {
        ...(last !== undefined && { afterMessageId: last.id }),
        ...(last?.treeParent !== undefined && { orAfterMessageId: last.treeParent }),
      };
      const made: Notice = { id, tone, text, ...place, ...options };
      return { ...before, notices: [...before.notices, made] };
    });
  }

  function theDesk(): SessionDesk {
    if (desk === undefined) throw new FailureError(notReady);
    return desk;
  }

  const dialogs = createDialogStack();
  const look = createAppLook({
    ...parts,
    settings,
    state,
    redraw: () => redraw(),
    keys: { expand: keyOf("expand"), pager: keyOf("pager") },
  });
  const commands = createAppCommands({
    ...{ parts, settings, keybinds: keybinds.keybinds, store, dialogs, look, client, notice },
    settingsWarnings: () => [...warnings, ...keybinds.warnings, ...look.themes.problems()],
    desk: () => desk,
    theDesk,
    prompt: () => prompt,
    screen: () => screen,
    mirror: () => mirror,
    setHint: (text) => {
      hint = text;
      redraw();
    },
    toggleSidebar: () => {
      isSidebarShown = !isSidebarShown;
      redraw();
    },
    exit: (exitCode) => exit(exitCode),
    leaveForDemo: () => ended.resolve({ exitCode: 0, farewell: "", isDemoWanted: true }),
  });
  const prompt = createPrompt({
    theme: look.theme,
    now,
    history: files.history,
    complete: commands.complete,
    readAttachment: (path) => files.readAttachment(path),
    saveDraft: (draft) => files.saveDraft(draft === undefined ? undefined : JSON.stringify(draft)),
    onChange: () => redraw(),
    vim: () => createVimEngine({ shiftWidth: settings.vim.shiftWidth }),
  });
  prompt.setVim(settings.vim.enabled === true);
  prompt.setHint("Ask for a change, / for commands, @ for files, ! for your shell");
  const keys = createKeyReader({ keybinds: () => keybinds.keybinds, now });
  const footer = createFooter({
    ...{ state, theme: look.theme, prompt, now, userDirectory: parts.userDirectory },
    segments: () => segments,
    interruptKey: () => keyOf("interrupt"),
    hint: () => (keys.pending().length > 0 ? `${keys.pending().join(" ")} …` : hint),
    ownStatus: () => ownStatus.text(),
  });
  const ownStatus = createOwnStatus({
    ...{ client, state, command: settings.statusLine.command, run: parts.runStatusCommand },
    onChange: () => redraw(),
  });
  const segments = readSegments(settings.statusLine.segments);
  const requests = createOpenRequests({
    ...{ state, dialogs, desk: theDesk, theme: look.theme, now, lastKeyAt: () => lastKeyAt, redraw: () => redraw() },
    notice: (text) => notice("info", text),
    createMarkdown: look.createMarkdown,
    createDiff: look.createDiff,
  });
  const route = createInputRoute({
    ...{ dialogs, keys, prompt, now },
    isRunning: commands.isBusy,
    perform: commands.perform,
    onFocus: (isFocused) =>
      store.update((before) => (before.isFocused === isFocused ? before : { ...before, isFocused })),
    onDoubleEscape: () => commands.open("rewind"),
    onDialogInterrupt() {
      if (requests.isShown(dialogs.top())) void desk?.interrupt();
      else dialogs.close();
    },
    onSequenceDropped: (dropped) => screen.flash(`${dropped.join(" ")} means nothing`),
  });
  const screen = openScreen({
    terminal,
    transcript: look.transcriptView,
    footer,
    sidebar: { ...look.sidebar, isShown: () => isSidebarShown },
    onInput: (input) => {
      if (input.kind !== "focus") lastKeyAt = now();
      if (!isLeaving(input)) route(asMeant(input));
      redraw();
    },
    onTop: () => commands.scrolled(),
    onTranscriptClick: (line) => {
      if (look.transcript.toggleGroupAt(line)) redraw();
    },
    onFooterMouse: (mouse) => {
      prompt.handle({ kind: "mouse", mouse: { ...mouse, y: mouse.y - (state().activity.kind === "idle" ? 0 : 1) } });
    },
    endHint: () => look.theme().inverse(` ${keyOf("scroll_bottom")} goes to the end `),
    mouse: settings.mouse,
    wheelLines: settings.scrollLines,
    hardwareCursor: settings.hardwareCursor,
  });
  /** However things stand, a user who wants to leave can. */
  function isLeaving(input: Input): boolean {
    if (input.kind !== "key" || keyName(input.key) !== "ctrl+c") return false;
    interrupts = [...interrupts.filter((at) => now() - at < leavingMs), now()];
    if (interrupts.length < leavingPresses) return false;
    exit(130);
    return true;
  }

  /** Enter that was pressed before the screen was there comes as a line feed. */
  function asMeant(input: Input): Input {
    if (input.kind !== "key") return input;
    const isEarly = now() - startedAt < earlyMs && keyName(input.key) === "ctrl+j";
    // A command is not the end of a text that was put there for the user.
    if (input.key.text === "/" && offered !== undefined && prompt.text() === offered) prompt.clear();
    return isEarly
      ? { kind: "key", key: { name: "enter", ctrl: false, alt: false, shift: false, meta: false } }
      : input;
  }

  const ticker = createTicker({
    nextInMs: () => least(footer.nextInMs(), look.nextInMs()),
    tick() {
      look.update();
      screen.redraw();
    },
  });

  function redraw(): void {
    if (!isBuilt) return;
    screen.redraw();
    ticker.schedule();
  }

  dialogs.onChange(() => showTop());
  const over = new WeakMap<object, Over>();
  function showTop(): void {
    const dialog = dialogs.top();
    if (dialog === undefined) {
      screen.show(undefined);
      return;
    }
    const known = over.get(dialog) ?? {
      widthWished: dialog.widthWished,
      placement: requests.isShown(dialog) ? ("bottom" as const) : ("center" as const),
      render: (width, height) => dialogs.render({ width, height, theme: look.theme() }),
      mouse: (mouse) => {
        lastKeyAt = now();
        dialogs.handle({ kind: "mouse", mouse });
        redraw();
      },
    };
    over.set(dialog, known);
    screen.show(known);
  }

  const place = createPlaceWatch(client, store);
  const events = createEventTelling({
    ...{ store, now, notice },
    notify(trigger) {
      if (state().isFocused) return;
      screen.signal(notificationSequence(trigger, settings.notifications[trigger], parts.directory));
    },
  });
  const mirror = createSessionMirror({
    ...{ client, store, now },
    onEvent: (event) => {
      place.onEvent(event);
      if (event.type === "permission.replied") requests.answered(event);
      events.tell(event);
    },
    onLost: (sentence) => notice("error", `${sentence} What was said so far is stored.`),
    onBack: () => notice("info", "The connection to the server is back."),
  });

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

  isBuilt = true;

  async function begin(up: EngineUp): Promise<void> {
    desk = createSessionDesk({
      ...{ client, store, notice, runOptions: up.runOptions },
      offerText: (text) => {
        if (!prompt.isEmpty()) return;
        prompt.setText(notACommand(text));
        offered = prompt.text();
      },
      refresh: () => mirror.refresh(),
      openSession: (sessionId) => mirror.open(sessionId),
      onFilesChanged: place.refresh,
    });
    store.update((before) => ({
      ...before,
      connection: "ready",
      directory: up.directory,
      ...(up.scope !== undefined && { scope: up.scope }),
      ...(up.runOptions.reasoning?.effort !== undefined && { effort: up.runOptions.reasoning.effort }),
    }));
    if (up.session === undefined || parts.pick !== undefined) {
      // It is sent when the user knows where to.
      if (parts.prompt !== "" && prompt.isEmpty()) prompt.setText(notACommand(parts.prompt));
      for (const media of up.attachments) prompt.attach(media);
    }
    if (up.session === undefined) return commands.welcome();
    await mirror.open(up.session.sessionId);
    if (up.session.notice !== undefined) notice("info", up.session.notice);
    if (up.session.interrupted) notice("warning", "The last run was cut off. /continue goes on with it.");
    place.refresh();
    if (parts.pick !== undefined) commands.open("pick");
    else if (parts.prompt !== "") await desk.submit({ text: parts.prompt, attachments: up.attachments }, "follow-up");
    else for (const media of up.attachments) prompt.attach(media);
    commands.sendWaiting();
  }

  function exit(exitCode: number): void {
    const { session } = state();
    const isUsed = session !== undefined && state().messages.length > 0;
    ended.resolve({ exitCode, farewell: isUsed ? `kedge --resume ${session.id} goes on with this session.` : "" });
  }

  return {
    async run() {
      const draft = readDraft(files.readDraft());
      if (draft !== undefined) prompt.restore(draft);
      engine.listen({
        onNotice: (sentence) => notice("warning", sentence.replace(/^kedge: /, "")),
        onTrustAsked: (asked) =>
          new Promise((resolve) => {
            const asking = createTrustDialog({
              ...asked,
              ...{ theme: look.theme, now, lastKeyAt: () => lastKeyAt, redraw },
              onAnswer(answer) {
                resolve(answer);
                dialogs.close(dialog);
              },
            });
            // However it goes, the engine waits for a word; without one it goes on as before, and asks at the next start.
            const dialog: Dialog = {
              ...asking,
              closed() {
                asking.closed?.();
                resolve(undefined);
              },
            };
            dialogs.open(dialog);
          }),
      });
      for (const warning of [...warnings, ...keybinds.warnings, ...look.themes.problems()]) notice("warning", warning);
      startedAt = now();
      screen.start();
      parts.onReady();
      void screen.askBackground().then((rgb) => {
        if (rgb !== undefined) look.themes.setBackground({ rgb });
      });
      screen.onSchemeChange((appearance) => look.themes.setBackground({ appearance }));
      void Promise.all([engine.gone, engine.up]).then(([reason, started]) => {
        // One that did not come up has told why, and that it went then is no news.
        if (reason !== undefined && started.ok)
          ended.resolve({ exitCode: 1, failure: engineGone(reason), farewell: "" });
      });
      // Whoever leaves before the engine is up does not wait for it.
      const starting = Promise.all([engine.up, look.load()]).then(async ([started]) => {
        if (isOver) return;
        if (started.ok) return begin(started.up);
        const { failure, isUsage } = started;
        ended.resolve({ exitCode: isUsage ? 2 : 1, failure, farewell: "" });
      });
      starting.catch((error: unknown) => {
        if (error instanceof FailureError) notice("error", failureText(error.failure));
        else fail(error);
      });
      return ended.promise;
    },
    exit,
    fail,
    restore,
  };

  function fail(error: unknown): void {
    restore();
    ended.reject(error);
  }

  function restore(): void {
    isOver = true;
    ticker.stop();
    ownStatus.close();
    mirror.close();
    prompt.close();
    look.themes.close();
    screen.close();
  }
}

/** Pressed so often in so short a time, it means that nothing else helps. */
const leavingPresses = 5;
const leavingMs = 2_000;
const earlyMs = 40;

function least(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
