/** The whole screen in this process: a terminal in memory, an engine that is told what to say. */
import { type App, createApp } from "../src/app/create-app.ts";
import type { TuiExit, TuiParts } from "../src/app/tui-parts.ts";
import { createFakeEngine, type EngineScript, type FakeEngine } from "./fake-engine.ts";
import { createFakeTerminal, type FakeTerminal, type TerminalSize } from "./fake-terminal.ts";

export type AppOptions = {
  readonly size?: TerminalSize;
  readonly engine?: EngineScript;
  /** Of tui.json. */
  readonly settings?: { readonly [name: string]: unknown };
  readonly environment?: { readonly [name: string]: string };
  /** Without it there is no `screen`, and everything is faster. */
  readonly isShown?: boolean;
  readonly now?: () => number;
};

export interface OpenApp {
  readonly app: App;
  readonly terminal: FakeTerminal;
  readonly engine: FakeEngine;
  /** As `run` of the screen gives it back. */
  readonly ended: Promise<TuiExit>;
  /** Resolves as soon as the screen is as it should be. */
  until(isReached: (screen: readonly string[]) => boolean, what: string): Promise<readonly string[]>;
  shows(text: string): Promise<readonly string[]>;
  /** Resolves when everything told so far is drawn, and nothing more is. */
  drawn(): Promise<void>;
  close(): void;
}

const waitMsMax = 60_000;
const stepMs = 5;
/** A frame has its time; nothing in as long means that no frame waits. */
const quietMs = 45;

export function openApp(options: AppOptions = {}): OpenApp {
  const { size = { columns: 80, rows: 24 }, isShown = true } = options;
  const terminal = createFakeTerminal(size, { isShown });
  const engine = createFakeEngine(options.engine);
  const app = createApp(tuiParts(engine, options), terminal);
  const ended = app.run();
  // Whoever waits for the end sees the failure there; nobody else has to.
  ended.catch(() => undefined);
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  async function until(isReached: (screen: readonly string[]) => boolean, what: string): Promise<readonly string[]> {
    const end = performance.now() + waitMsMax;
    for (;;) {
      const screen = await terminal.screen();
      if (isReached(screen)) return screen;
      if (performance.now() > end) throw new Error(`No ${what}; the screen is:\n${screen.join("\n")}`);
      await pause(stepMs);
    }
  }

  return {
    ...{ app, terminal, engine, ended, until },
    shows: (text) => until((screen) => screen.join("\n").includes(text), `"${text}"`),
    async drawn() {
      for (let before = -1; before !== terminal.pieces.length; ) {
        before = terminal.pieces.length;
        await pause(quietMs);
      }
    },
    close() {
      app.restore();
      terminal.close();
    },
  };
}

export function tuiParts(
  engine: FakeEngine,
  { settings = {}, environment, now = Date.now }: AppOptions = {},
): TuiParts {
  return {
    engine,
    files: {
      themes: { list: () => [], read: () => undefined, watch: () => () => {} },
      readSettings: () => JSON.stringify({ display: { smoothStreaming: false }, ...settings }),
      writeSettings: () => undefined,
      history: { entries: () => [], add: () => {} },
      readChoices: () => undefined,
      saveChoices: () => {},
      readDraft: () => undefined,
      saveDraft: () => {},
      readAttachment: async () => "such file not found.",
    },
    version: "0.1.0",
    directory: engine.session.directory,
    userDirectory: "/home/me",
    environment: { TERM: "xterm-256color", COLORTERM: "truecolor", ...environment },
    now,
    prompt: "",
    editText: async (text) => ({ ok: true, text }),
    readClipboardImage: async () => "The clipboard holds no picture.",
    writeFile: async () => ({ ok: true, sentence: "Written." }),
    writeReport: async () => ({ ok: true, sentence: "Written." }),
    onReady: () => {},
    onEndSignal: () => ({ [Symbol.dispose]: () => {} }),
  };
}
