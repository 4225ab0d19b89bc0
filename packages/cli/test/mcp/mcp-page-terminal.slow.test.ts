/** A server that wants a page opened, in a real terminal: the whole address is shown, and nothing opens without a yes. */
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openTerminal, type Terminal } from "../terminal.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench | undefined;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  await bench?.close();
});

const page = `https://login.example.com/connect?token=${"x".repeat(60)}END`;

test.each([
  ["Enter", "accept"],
  ["2", "decline"],
])("%s tells the server %s", { timeout: 120_000 }, async (key, action) => {
  const args = [join(import.meta.dirname, "asking-server.mjs"), page];
  bench = await openWorkbench(
    [
      { toolCalls: [{ name: "tool_search", input: { query: "select:mcp__asking__connect" } }] },
      { toolCalls: [{ name: "mcp__asking__connect", input: {} }] },
      { text: "All done." },
    ],
    { mcp: { asking: { command: process.execPath, args } }, permission: { "mcp__asking__*": "allow" } },
  );
  const { model } = bench;
  terminal = openTerminal(bench, []);
  await terminal.shows("mock/mock-model · default");
  terminal.type("go");
  await terminal.shows("❯ go");
  terminal.press("Enter");
  const asked = await terminal.shows("Open the page");
  expect(asked).toContain("asking asks you to open a page at login.example.com: Connect your account.");
  // Broken into lines by the dialog, and nothing of it left out.
  expect(asked.replaceAll(/[\s│]/g, "")).toContain(page);
  // The first keys of a question are nobody's, so it is pressed until it counts.
  await vi.waitFor(
    () => {
      if (model.requests.length < 3) terminal?.press(key);
      expect(model.requests).toHaveLength(3);
    },
    { timeout: 60_000, interval: 800 },
  );
  const screen = await terminal.shows("All done.");
  expect(model.requests[2]?.raw.toString()).toContain(`told ${action}`);
  // Without a display the person opens it, after the question is gone.
  const left = screen.replaceAll(/[\s│]/g, "");
  expect(left.includes(`Nobrowsercanbeopenedhere.Open${page}`)).toBe(action === "accept");
});
