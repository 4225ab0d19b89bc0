/** The whole program in a real terminal: however it ends, the terminal is as before, and one sentence says what happened. */
import { execFileSync } from "node:child_process";
import { openScene, type Scene, type SceneOptions, type ScreenTerminal } from "@kedge/testing/screen-terminal";
import { afterEach, expect, test } from "vitest";
import { entry, ready, send, startTimeoutMs, waitMs, write } from "./stage.ts";

let scene: Scene | undefined;
afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

/** Tells the settings of the terminal before and after, and where the standard error begins; stays until a line is typed. */
const witness = [
  "trap : INT HUP TERM QUIT",
  'echo "before $(stty -g)"',
  '"$@" 2> "$HOME/told.txt"',
  'echo "ended with $?"',
  'echo "after $(stty -g)"',
  'sed "s/^/told: /" "$HOME/told.txt"',
  'echo "over"; read line',
].join("\n");

async function open(options: Partial<SceneOptions> = {}): Promise<ScreenTerminal> {
  const through = ["sh", "-c", witness, "sh"];
  scene = await openScene({ entry, script: [], projectName: "shop", columns: 110, through, ...options });
  return scene.terminal;
}

const calm = {
  isAlternateScreen: false,
  isBracketedPaste: false,
  isFocusTold: false,
  isMouseTaken: false,
  isInFrame: false,
  isCursorShown: true,
};

/** What is left of the program when the shell has the terminal again. */
async function remainsOf(terminal: ScreenTerminal) {
  const screen = await terminal.shows(/^over$/m, waitMs);
  const told = (word: string) => screen.filter((row) => row.startsWith(word)).map((row) => row.slice(word.length));
  const { cursor, ...state } = terminal.state();
  expect(told("after "), "the settings of the terminal").toEqual(told("before "));
  expect({ ...state, isCursorShown: cursor.isShown }).toEqual(calm);
  // What was set when it began is unset when it ends, the keyboard as well.
  const written = terminal.written();
  const count = (sequence: string) => written.split(sequence).length - 1;
  expect([count("\u001b[>7u"), count("\u001b[>4;2m"), count("\u001b[?2031h"), count("\u001b[?7l")]).toEqual([
    count("\u001b[<u"),
    count("\u001b[>4;0m"),
    count("\u001b[?2031l"),
    count("\u001b[?7h"),
  ]);
  return { code: told("ended with ")[0], told: told("told: "), farewell: told("Resume with: ") };
}

/** The program itself, below the shell that watches it. */
function programOf(terminal: ScreenTerminal): number {
  const [pid = ""] = execFileSync("pgrep", ["-P", String(terminal.pid)], { encoding: "utf8" }).split("\n");
  // Zero would be everybody.
  if (pid === "") throw new Error("the program does not exist any more");
  return Number(pid);
}

test(
  "/exit after a conversation",
  async () => {
    const terminal = await open({ script: [{ text: "Hello." }] });
    await ready(terminal);
    await send(terminal, "Hi!");
    await terminal.shows("Hello.", waitMs);
    await write(terminal, "/exit");
    terminal.press("enter");
    const { code, told, farewell } = await remainsOf(terminal);
    expect({ code, told }).toEqual({ code: "0", told: [] });
    expect(farewell).toEqual([expect.stringMatching(/^kedge --resume ses_\w+$/)]);
  },
  startTimeoutMs,
);

test(
  "ctrl+c twice",
  async () => {
    const terminal = await open();
    await ready(terminal);
    terminal.press("ctrl+c");
    await terminal.shows("press ctrl+c again to exit", waitMs);
    terminal.press("ctrl+c");
    expect(await remainsOf(terminal)).toEqual({ code: "130", told: [], farewell: [] });
  },
  startTimeoutMs,
);

test.each(["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const)(
  "%s in the middle of an answer",
  async (signal) => {
    const terminal = await open({ script: [{ text: "It begins.", holdEndUntil: new Promise(() => {}) }] });
    await ready(terminal);
    await send(terminal, "Begin.");
    await terminal.shows("It begins.", waitMs);
    process.kill(programOf(terminal), signal);
    const { code, told } = await remainsOf(terminal);
    expect({ code, told }).toEqual({ code: "130", told: [] });
  },
  startTimeoutMs,
);

test(
  "a session that does not exist is told in one sentence, and nothing of a screen is left",
  async () => {
    const terminal = await open({ arguments: ["--resume", "ses_nowhere"] });
    const { code, told } = await remainsOf(terminal);
    expect({ code, told: told.length }, told.join("\n")).toEqual({ code: "1", told: 1 });
    expect(told[0]).toMatch(/^kedge: .*ses_nowhere/);
  },
  startTimeoutMs,
);
