/** Proves that nothing is written past the screen: warnings of the runtime and output of child processes stay off it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStage, ready, send, startTimeoutMs, waitMs } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

/** A server that writes to standard error as long as it runs. */
const noisy = 'setInterval(() => process.stderr.write("NOISE of a server\\n"), 20); process.stdin.resume();';

test("a warning of the runtime, a noisy server and a noisy hook leave the screen alone", slow, async () => {
  const scene = await open({
    script: [{ text: "Hello." }, { text: "Still here." }],
    settings: {
      mcp: { noisy: { command: process.execPath, args: ["-e", noisy] } },
      hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo NOISE of a hook >&2" }] }] },
    },
  });
  await send(scene.terminal, "One.");
  await scene.terminal.shows("Hello.", waitMs);
  // Keys that are collections make the reader of YAML warn, in the thread of the engine.
  mkdirSync(join(scene.project, ".kedge"), { recursive: true });
  writeFileSync(join(scene.project, ".kedge", "config.yml"), "? [a]\n: b\n");
  const terminal = await scene.restart(["--trust"]);
  await ready(terminal);
  await send(terminal, "Two.");
  await terminal.shows("Still here.", waitMs);
  for (const text of ["NOISE", "Warning:", "collection values"]) expect(terminal.written()).not.toContain(text);
  // The frame stands where it belongs.
  expect(terminal.screen().at(-2)).toMatch(/^╰─+╯$/);
});
