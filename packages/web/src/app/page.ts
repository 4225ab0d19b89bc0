/** Everything behind what the page shows: its client, the state of the session before the person, and what can be done. */
import { type Client, type EventFrame, FailureError, includesScope, type Question, type Scope } from "@kedge/protocol";
import {
  type ClientState,
  type CommandContext,
  createAgentWatch,
  createEventTelling,
  createModeCycle,
  createNotices,
  createPlaceWatch,
  createRereading,
  createSessionDesk,
  createSessionMirror,
  createStateStore,
  type DialogName,
  type SessionDesk,
  type StateStore,
} from "@kedge/tui/session";
import { emptyState, soon } from "../session/mirror-parts.ts";
import * as texts from "../texts/frame.ts";
import { views } from "../views/index.ts";
import { connectPage } from "./client.ts";
import { copyText, downloadText } from "./hand-over.ts";
import type { PageCommands } from "./page-commands.ts";
import { createPageStream, type PageStream, type StreamState } from "./page-stream.ts";
import { createRouter, type Router, sessionAddress, startAddress, viewAddress } from "./router.ts";
import { createSessionListing, type SessionListing } from "./session-listing.ts";
import { openSettings, type PageSettings, themeNames } from "./settings.ts";

export type OpenDialog = {
  readonly name: DialogName | "effort" | "rename" | "agent" | "ask";
  readonly argument?: string;
  /** What a command wants to know, for the dialog `ask`. */
  readonly asking?: Asking;
};

export type Asking = {
  readonly id: number;
  readonly questions: readonly Question[];
  /** Undefined when the person leaves them. Only the first call counts. */
  readonly answer: (answers: readonly string[] | undefined) => void;
};

export type PageState = {
  readonly stream: StreamState;
  /** Why the stream ended, where it did. */
  readonly sentence?: string;
  readonly dialog?: OpenDialog;
  readonly isListOpen: boolean;
  /** What an undo put back into the prompt; a new object each time. */
  readonly offered?: { readonly text: string };
  readonly directory: string;
  readonly model?: string;
  readonly scope?: Scope;
};

export interface Page {
  readonly client: Client;
  readonly store: StateStore<ClientState>;
  readonly state: StateStore<PageState>;
  readonly settings: StateStore<PageSettings>;
  readonly router: Router;
  readonly stream: PageStream;
  readonly listing: SessionListing;
  readonly desk: SessionDesk;
  readonly notice: ReturnType<typeof createNotices>;
  /** What a line of the prompt can become, and what is done for one; loaded with the first. */
  readonly commands: () => Promise<PageCommands>;
  /** Carries out a line that begins with a slash; false when it is a prompt after all. */
  runLine(line: string): Promise<boolean>;
  open(dialog: OpenDialog): void;
  closeDialog(): void;
  readOlder(): Promise<void>;
  /** Shows a session, or none at the start. */
  show(sessionId: string | undefined): Promise<void>;
  /** After signing in: begins to listen, and asks where it is and what it may do. */
  begin(): void;
  nextMode(): void;
  mayAnswer(needed: Scope): boolean;
}

export function createPage(window: Window): Page {
  const now = () => Date.now();
  const router = createRouter({ window });
  const settings = openSettings(window);
  const state = createStateStore<PageState>({ stream: "connecting", isListOpen: false, directory: "" });
  const store = createStateStore<ClientState>(emptyState(now()));
  const connection = connectPage();
  const stream = createPageStream({
    ...{ client: connection.client, now, isSeen: () => !window.document.hidden, locks: window.navigator.locks },
    ...{ onState: streamState, onLongRest: connection.dropDead, onFrame: heard },
  });
  const client: Client = { ...connection.client, follow: stream.follow };
  const notice = createNotices(store);
  const listing = createSessionListing(client);
  const place = createPlaceWatch(client, store);
  const agents = createAgentWatch(client, store);
  const events = createEventTelling({ store, now, notice, notify: () => {} });
  const modes = createModeCycle();
  const project = createRereading({ read: readProject, onFailed: () => {}, isOver: () => false });
  const mirror = createSessionMirror({
    ...{ client, store, now, schedule: soon(window) },
    onEvent(event) {
      place.onEvent(event);
      agents.onEvent(event);
      events.tell(event);
    },
    onLost: (sentence) => notice("error", texts.savedSoFar(sentence)),
  });
  const desk = createSessionDesk({
    ...{ client, store, notice, runOptions: {}, refresh: mirror.refresh, onFilesChanged: place.refresh },
    offerText: (text) => state.update((before) => ({ ...before, offered: { text } })),
    async openSession(sessionId) {
      router.go(sessionAddress(sessionId));
      await show(sessionId);
    },
  });

  function streamState(next: StreamState, sentence?: string): void {
    if (next === "lost") connection.giveUp();
    state.update(({ sentence: _, ...before }) => ({
      ...before,
      stream: next,
      ...(sentence !== undefined && { sentence }),
    }));
  }

  function heard(frame: EventFrame): void {
    // Another server may have taken the place of the one before.
    if (frame.type === "server.connected") project.demand().catch(tellProblem);
    listing.heard(frame);
  }

  let opening: { readonly sessionId: string; readonly done: Promise<void> } | undefined;

  /** The same one again is not read again. */
  async function show(sessionId: string | undefined): Promise<void> {
    if (sessionId === undefined) {
      opening = undefined;
      mirror.close();
      return store.update(() => ({ ...emptyState(now()), connection: "ready", directory: state.get().directory }));
    }
    if (opening?.sessionId !== sessionId) opening = { sessionId, done: mirror.open(sessionId) };
    const mine = opening;
    try {
      await mine.done;
    } catch (error) {
      // It may be there when it is wanted again.
      if (opening === mine) opening = undefined;
      throw error;
    }
  }

  function tellProblem(error: unknown): void {
    notice("error", error instanceof Error ? error.message : String(error));
  }

  function open(dialog: OpenDialog): void {
    const view = viewsOfDialogs[dialog.name];
    if (view !== undefined && views.some(({ path }) => path === view)) router.go(viewAddress(view));
    else state.update((before) => ({ ...before, dialog }));
  }

  let asked = 0;
  function askQuestions(questions: readonly Question[]): Promise<readonly string[] | undefined> {
    const answered = Promise.withResolvers<readonly string[] | undefined>();
    asked += 1;
    open({ name: "ask", asking: { id: asked, questions, answer: answered.resolve } });
    return answered.promise;
  }

  async function readProject(signal: AbortSignal): Promise<void> {
    const read = await client.ask<"project.read">({ type: "project.read" }, { signal });
    if (!read.ok) throw new FailureError(read.failure);
    const { directory, model, scope, projectId } = read.value;
    state.update((before) => ({
      ...before,
      ...{ directory, ...(model !== undefined && { model }), ...(scope !== undefined && { scope }) },
    }));
    store.update((before) => ({ ...before, directory, ...(scope !== undefined && { scope }) }));
    listing.setProject(projectId);
  }

  const context: CommandContext = {
    ...{ client, desk, notice, state: store.get },
    open: (name, argument) => open(argument === undefined ? { name } : { name, argument }),
    askQuestions,
    themeNames: () => themeNames,
    setTheme: (theme) => settings.update((before) => ({ ...before, theme })),
    setVim: () => notice("info", texts.vimInTerminal),
    setThinking: (isShown) =>
      settings.update((before) => ({ ...before, showsThinking: isShown ?? !before.showsThinking })),
    async reloadSettings() {},
    exit: () => router.go(startAddress),
    copy: (text) => void copyText(window, text),
    lastAnswer: () => lastAnswer(store.get()),
    writeFile: async (path, text) => downloadText(window, path, text),
    writeReport: async (name, text) => ({ ok: true, sentence: downloadText(window, name, text) }),
  };

  let loaded: Promise<PageCommands> | undefined;
  function commands(): Promise<PageCommands> {
    loaded ??= import("./page-commands.ts").then(({ createPageCommands }) => createPageCommands(context, now));
    // Tried again with the next line.
    loaded.catch(() => (loaded = undefined));
    return loaded;
  }

  return {
    ...{ client, store, state, settings, router, stream, listing, desk, notice, open, show },
    ...{ commands, runLine: async (line: string) => (await commands()).runLine(line) },
    closeDialog: () => state.update(({ dialog: _, ...before }) => before),
    begin: stream.start,
    readOlder: () => mirror.readOlder().catch(tellProblem),
    nextMode() {
      const { session } = store.get();
      if (session !== undefined) void desk.changeMode(modes.next(session));
    },
    mayAnswer: (needed) => includesScope(state.get().scope ?? "admin", needed),
  };
}

/** Side views that show what the terminal has a dialog for. */
const viewsOfDialogs: { readonly [name: string]: string } = {
  cost: "cost",
  context: "context",
  stats: "stats",
  permissions: "permissions",
  agents: "agents",
  servers: "mcp",
  tasks: "tasks",
  diff: "changes",
  "memory-inbox": "memory",
};

function lastAnswer({ messages }: ClientState): string {
  const answer = messages.findLast(
    ({ role, parts }) => role === "assistant" && parts.some(({ type }) => type === "text"),
  );
  return (answer?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
