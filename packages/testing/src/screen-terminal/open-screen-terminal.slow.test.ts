import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import { openScreenTerminal, type ScreenTerminal } from "./open-screen-terminal.ts";

let terminal: ScreenTerminal | undefined;

afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
});

async function openShell(script: string, background?: string): Promise<ScreenTerminal> {
  terminal = await openScreenTerminal({
    command: "sh",
    arguments: ["-c", script],
    cwd: tmpdir(),
    environment: { PATH: process.env["PATH"] ?? "" },
    columns: 30,
    rows: 6,
    ...(background !== undefined && { background }),
  });
  return terminal;
}

test("cells carry their colours and styles", async () => {
  const shell = await openShell("printf '\\033[1;38;2;1;2;3;48;5;21mA\\033[0;3;7mB\\033[0m界'; read line");
  await shell.shows("AB界");
  const [row = []] = shell.cells();
  const plain = {
    ...{ foreground: undefined, background: undefined, isBold: false, isDim: false, isItalic: false },
    ...{ isUnderlined: false, isInverse: false, isStruck: false },
  };
  expect(row.slice(0, 5)).toEqual([
    { ...plain, text: "A", width: 1, foreground: "#010203", background: "#0000ff", isBold: true },
    { ...plain, text: "B", width: 1, isItalic: true, isInverse: true },
    { ...plain, text: "界", width: 2 },
    { ...plain, text: "", width: 0 },
    { ...plain, text: " ", width: 1 },
  ]);
});

test("the terminal answers a program that asks for its background and its kind", async () => {
  // 32 bytes: the two answers, whose escapes are left out for the screen.
  const answers = "dd bs=1 count=32 2>/dev/null | tr -d '\\033'";
  const shell = await openShell(`stty raw -echo; printf '\\033]11;?\\007\\033[c'; ${answers}; read line`, "#102030");
  expect((await shell.shows("c"))[0]).toBe("]11;rgb:1010/2020/3030\\[?1;2c");
});

test("a large input reaches a slow program whole", async () => {
  const shell = await openShell("stty raw -echo; echo ready; sleep 0.2; head -c 300000 | cksum; read line");
  await shell.shows("ready");
  shell.type("0123456789".repeat(30_000));
  const [, sum] = /(\d+) 300000/.exec((await shell.shows(/\d+ 300000/)).join("\n")) ?? [];
  expect(sum).toBe("1993361615");
});

test("a program that ended before this was told is closed", async () => {
  const shell = await openShell("exit 3");
  // Blocks this thread, so that nothing is told meanwhile.
  while (existsSync(`/proc/${shell.pid}`));
  await shell.close();
  expect(await shell.ended()).toBe(3);
});

test("what does not appear ends in an error with the screen", async () => {
  const shell = await openShell("echo something else; read line");
  await shell.shows("else");
  await expect(shell.shows("wanted", 50)).rejects.toThrow(
    "50 ms passed without wanted; the screen is:\n│something else",
  );
});

test("a program that ends early is told, with its exit code", async () => {
  const shell = await openShell("exit 3");
  await expect(shell.shows("wanted")).rejects.toThrow("The program ended with 3 before wanted");
  expect(await shell.ended()).toBe(3);
});
