/** The same program in a real tmux: a prompt, a permission, a window that changes its size, and a terminal as before. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { bashCall } from "@kedge/testing/screen-terminal";
import { afterEach, expect, test, vi } from "vitest";
import { openTerminal, type Terminal } from "../terminal.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { startTimeoutMs } from "./stage.ts";

let bench: Workbench | undefined;
let terminal: Terminal | undefined;

afterEach(async () => {
  await terminal?.close();
  await bench?.close();
});

test("kedge in tmux", { timeout: startTimeoutMs }, async () => {
  bench = await openWorkbench([
    { text: "I shall make it.", toolCalls: [bashCall("touch made.txt")] },
    { text: "It is made." },
  ]);
  terminal = openTerminal(bench, []);
  await terminal.shows("mock/mock-model · default");
  terminal.type("Make it.");
  await terminal.shows("❯ Make it.");
  terminal.press("Enter");
  await terminal.shows("Allow once");
  const made = join(bench.project, "made.txt");
  // The first keys are nobody's, so it is pressed until it counts.
  await vi.waitFor(
    () => {
      if (!existsSync(made)) terminal?.press("y");
      expect(existsSync(made)).toBe(true);
    },
    { timeout: startTimeoutMs / 2, interval: 800 },
  );
  await terminal.shows("It is made.");
  const tmux = (...words: readonly string[]) =>
    execFileSync("tmux", ["-S", join(bench?.directory ?? "", "tmux"), ...words], { encoding: "utf8" });
  tmux("resize-window", "-x", "70", "-y", "20");
  await terminal.shows(`╭${"─".repeat(68)}╮`);
  await terminal.shows("It is made.");
  terminal.press("C-c");
  await terminal.shows("Describe a change");
  terminal.type("/exit");
  await terminal.shows("❯ /exit");
  terminal.press("Enter");
  const screen = await terminal.shows("Resume with: kedge --resume");
  expect(screen).toMatch(/kedge --resume ses_\S+/);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.isRestored()).toBe(true);
});
