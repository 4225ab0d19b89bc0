/** A real terminal for one end-to-end test: kedge typed into by keys, and what a person would see on the screen. */
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workbench } from "./workbench.ts";

const entry = join(import.meta.dirname, "../../../dist/kedge.js");

export type Terminal = {
  /** Resolves with the screen as soon as it shows the text. */
  shows(text: string): Promise<string>;
  /** As if each character were typed. */
  type(text: string): void;
  /** By its name, such as `Enter` or `C-c`. */
  press(key: string): void;
  /** All that was ever written to the terminal, in order. */
  written(): string;
  /** Resolves with the exit code of kedge. */
  ended(): Promise<number>;
  /** Whether the settings of the terminal are what they were before kedge started; asked after its end. */
  isRestored(): boolean;
  close(): Promise<void>;
};

export type TerminalOptions = { readonly environment?: { readonly [name: string]: string } };

/** Wide enough that no line of a test is broken. */
const size = ["-x", "240", "-y", "60"];

export function openTerminal(bench: Workbench, argv: readonly string[], options: TerminalOptions = {}): Terminal {
  const { directory, home, project } = bench;
  const socket = join(directory, "tmux");
  const environment = { PATH: process.env["PATH"], HOME: directory, KEDGE_HOME: home, KEDGE_KEYRING: "off" };
  const tmux = (...words: readonly string[]) => execFileSync("tmux", ["-S", socket, ...words], { encoding: "utf8" });
  const kedge = [process.execPath, entry, ...argv].map(quoted).join(" ");
  const before = join(directory, "terminal-before");
  const after = join(directory, "terminal-after");
  // Ctrl+C is for kedge; the shell around it lives on to tell how it ended.
  const script = `trap : INT; stty -g > ${before}; ${kedge}; code=$?; stty -g > ${after}; echo "ended with $code."; read rest`;
  // Control mode tells of every output, so that nothing has to be looked at again and again.
  const control = spawn("tmux", ["-S", socket, "-f", "/dev/null", "-u", "-C", "new-session", ...size, script], {
    cwd: project,
    env: { ...environment, ...options.environment },
  });
  const closed = new Promise<void>((resolve) => control.on("close", () => resolve()));
  let written = "";
  let unread = "";
  let changed = () => {};
  control.stdout.on("data", (chunk: Buffer) => {
    const lines = (unread + chunk.toString("utf8")).split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) written += /^%output %\d+ (.*)$/.exec(line)?.[1] ?? "";
    changed();
  });

  async function shows(text: string): Promise<string> {
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
      changed();
    });
    for (;;) {
      const next = new Promise<void>((resolve) => {
        changed = resolve;
      });
      if (isClosed) throw new Error(`the terminal closed before it showed ${JSON.stringify(text)}: ${written}`);
      const screen = written === "" ? "" : tmux("capture-pane", "-p", "-J", "-S", "-");
      if (screen.includes(text)) return screen;
      await next;
    }
  }

  return {
    shows,
    type: (text) => void tmux("send-keys", "-l", text),
    press: (key) => void tmux("send-keys", key),
    written: () => written,
    async ended() {
      const screen = await shows("ended with ");
      return Number(/ended with (\d+)\./.exec(screen)?.[1]);
    },
    isRestored: () => readFileSync(before, "utf8") === readFileSync(after, "utf8"),
    async close() {
      if (control.exitCode === null) tmux("kill-server");
      await closed;
    },
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
