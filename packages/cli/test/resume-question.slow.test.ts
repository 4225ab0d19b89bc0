/** Proves in a real terminal that `--resume` without a name shows the newest sessions and takes up the one chosen. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
let terminal: Terminal | undefined;
beforeEach(async () => {
  bench = await openWorkbench([{ text: "Parsers." }, { text: "Printers." }, { text: "Went on." }]);
  await bench.run(["-p", "about the parser"]);
  await bench.run(["-p", "about the printer"]);
});
afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  await bench.close();
});

test("a number takes up that session", async () => {
  terminal = openTerminal(bench, ["--console", "--resume"]);
  const screen = await terminal.shows("Session (number, id or title):");
  expect(screen).toMatch(/1 .* about the printer\n.*2 .* about the parser/);
  terminal.type("2");
  terminal.press("Enter");
  await terminal.shows("> ");
  terminal.type("go on");
  terminal.press("Enter");
  await terminal.shows("Went on.");
  const messages = bench.model.requests.at(-1)?.body.messages?.filter(({ role }) => role === "user");
  expect(messages?.map(({ content }) => content)).toEqual(["about the parser", "go on"]);
});

test("no answer is no session", async () => {
  terminal = openTerminal(bench, ["--console", "resume"]);
  await terminal.shows("Session (number, id or title):");
  terminal.press("Enter");
  await terminal.shows("No session chosen.");
  expect(await terminal.ended()).toBe(1);
});
