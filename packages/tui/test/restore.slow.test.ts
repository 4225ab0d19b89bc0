/** However it ends, the terminal is given back as it was, and whoever waits is told why. */
import { join } from "node:path";
import { openScreenTerminal, type ScreenTerminal } from "@kedge/testing/screen-terminal";
import { afterEach, expect, test } from "vitest";
import { stopPieces } from "./frame-grammar.ts";
import { type AppOptions, type OpenApp, openApp } from "./open-app.ts";

let open: OpenApp | undefined;
let real: ScreenTerminal | undefined;
afterEach(async () => {
  open?.close();
  await real?.close();
  open = undefined;
  real = undefined;
});

async function opened(options: AppOptions = {}): Promise<OpenApp> {
  open = openApp(options);
  await open.shows("mock/model");
  return open;
}

/** As `runTui` does it: the end, then the terminal. */
async function endOf({ app, ended, terminal }: OpenApp) {
  const end = await ended.then(
    (exit) => exit,
    (error: unknown) => ({ error }),
  );
  app.restore();
  return { end, pieces: terminal.pieces.slice(-stopPieces.length), isRaw: terminal.isRaw };
}

const restored = { pieces: stopPieces, isRaw: false };

test("/exit", async () => {
  const app = await opened();
  for (const key of ["/", "e", "x", "i", "t", "\u001b", "\r"]) app.terminal.send(key);
  expect(await endOf(app)).toEqual({ end: { exitCode: 0, farewell: "" }, ...restored });
});

test("ctrl+c twice, and not ctrl+c and ctrl+c much later", async () => {
  let now = 1_000_000;
  const app = await opened({ now: () => now });
  app.terminal.send("\u0003");
  await app.shows("press ctrl+c again to exit");
  now += 10_000;
  app.terminal.send("\u0003");
  now += 1_000;
  app.terminal.send("\u0003");
  expect(await endOf(app)).toEqual({ end: { exitCode: 130, farewell: "" }, ...restored });
});

test("the engine is gone", async () => {
  const app = await opened();
  app.engine.die("The engine stopped: out of memory.");
  const failure = {
    ...{ code: "connection_error", message: "The engine stopped: out of memory.", retryable: false },
    recovery: "Resume with kedge --continue.",
  };
  expect(await endOf(app)).toEqual({ end: { exitCode: 1, failure, farewell: "" }, ...restored });
});

test("the engine does not come up", async () => {
  const failure = { code: "unknown", message: "No such session.", retryable: false } as const;
  open = openApp({ engine: { up: { ok: false, failure, isUsage: false } } });
  expect(await endOf(open)).toEqual({ end: { exitCode: 1, failure, farewell: "" }, ...restored });
  open.close();
  open = openApp({ engine: { up: { ok: false, failure, isUsage: true } } });
  expect(await endOf(open)).toEqual({ end: { exitCode: 2, failure, farewell: "" }, ...restored });
});

test("a defect", async () => {
  const app = await opened();
  const error = new Error("a view is broken");
  app.app.fail(error);
  expect(await endOf(app)).toEqual({ end: { error }, ...restored });
});

test("with the mouse off, the focus is asked for all the same, and a mouse taken later is given back", async () => {
  const app = await opened({ settings: { mouse: false } });
  expect(app.terminal.pieces).toContain("\u001b[?1004h");
  app.terminal.send("\u0018");
  app.terminal.send("p");
  await app.shows("mouse: kedge");
  app.terminal.forget();
  app.app.restore();
  expect(app.terminal.pieces.join("")).toContain("\u001b[?1006l\u001b[?1003l\u001b[?1002l\u001b[?1000l\u001b[?1004l");
});

test("the copy of an answer is the only thing that reaches the clipboard", async () => {
  const app = await opened();
  const said = "\u001b]52;c;ZXZpbA==\u0007what was said";
  app.engine.tell({
    type: "message.updated",
    message: { id: "msg_1", sessionId: "ses", role: "assistant", createdAt: 1 },
  });
  const part = { id: "prt_1", messageId: "msg_1", time: 1, type: "text", text: said } as const;
  app.engine.tell({ type: "message.part.updated", part });
  await app.shows("what was said");
  const copies = () => app.terminal.pieces.filter((piece) => piece.includes("\u001b]52"));
  expect(copies()).toEqual([]);
  app.terminal.send("\u0018");
  app.terminal.send("y");
  await app.shows("opied");
  const [copy = "", ...more] = copies();
  expect(more).toEqual([]);
  const base64 = copy.slice("\u001b]52;c;".length, -1);
  expect(copy).toBe(`\u001b]52;c;${Buffer.from(base64, "base64").toString("base64")}\u0007`);
  expect(Buffer.from(base64, "base64").toString()).toContain("what was said");
});

test("a view that throws ends the program, and the terminal is as before", async () => {
  const witness = `echo "before $(stty -g)"; "$@"; echo "ended with $?"; echo "after $(stty -g)"; read line`;
  real = await openScreenTerminal({
    command: "sh",
    arguments: ["-c", witness, "sh", process.execPath, join(import.meta.dirname, "throwing-program.ts")],
    ...{ cwd: import.meta.dirname, columns: 110 },
    environment: { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1" },
  });
  await real.shows("mock/model", 20_000);
  expect(real.state()).toMatchObject({ isAlternateScreen: true, isMouseTaken: true, isBracketedPaste: true });
  real.press("ctrl+x");
  real.press("s");
  const screen = await real.shows(/after \S+/, 20_000);
  const told = (word: string) => screen.find((row) => row.startsWith(`${word} `))?.slice(word.length + 1);
  expect({ code: told("ended with"), settings: told("after"), words: told("unexpected") }).toEqual({
    code: "1",
    settings: told("before"),
    words: "TypeError",
  });
  expect({ ...real.state(), cursor: real.state().cursor.isShown }).toEqual({
    isAlternateScreen: false,
    isBracketedPaste: false,
    isFocusTold: false,
    isMouseTaken: false,
    isInFrame: false,
    cursor: true,
  });
});

test("parts that cannot be closed leave the terminal as before and the engine closed", async () => {
  const witness = `echo "before $(stty -g)"; "$@"; echo "ended with $?"; echo "after $(stty -g)"; read line`;
  real = await openScreenTerminal({
    command: "sh",
    arguments: ["-c", witness, "sh", process.execPath, join(import.meta.dirname, "failing-restore-program.ts")],
    ...{ cwd: import.meta.dirname, columns: 110 },
    environment: { PATH: process.env["PATH"] ?? "", NODE_NO_WARNINGS: "1" },
  });
  await real.shows("mock/model", 20_000);
  real.type("half a thought");
  await real.shows("half a thought", 20_000);
  real.press("ctrl+c");
  real.press("ctrl+c");
  real.press("ctrl+c");
  const screen = await real.shows(/after \S+/, 20_000);
  const told = (word: string) => screen.find((row) => row.startsWith(`${word} `))?.slice(word.length + 1);
  expect({ settings: told("after"), words: told("unexpected"), engine: told("engine") }).toEqual({
    settings: told("before"),
    words: "RangeError",
    engine: "closed",
  });
  expect(real.state()).toMatchObject({ isAlternateScreen: false, isBracketedPaste: false, isMouseTaken: false });
});
