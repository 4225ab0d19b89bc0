/** Proves that a screen and a console follow an automatic handoff: the next prompt is answered in the new session. */
import { expect, test } from "vitest";
import { openWorkbench } from "../workbench.ts";
import { openStage, send, startTimeoutMs, waitMs } from "./stage.ts";

const open = openStage();
const slow = { timeout: startTimeoutMs };

const settings = { compaction: { strategy: "handoff", thresholdTokens: 20_000 } };
const script = [
  { text: "Half done.", usage: { input: 25_000, output: 10 } },
  { text: "The parser is half done." },
  { text: "All done." },
];

test("the terminal UI continues in the new session", slow, async () => {
  const { terminal, model } = await open({ settings, script });
  await send(terminal, "Fix the parser.");
  await terminal.shows("continues in a new session", waitMs);
  await send(terminal, "Finish it.");
  await terminal.shows("All done.", waitMs);
  expect(terminal.screen().join("\n")).not.toContain("Half done.");
  const requests = model.requests;
  expect(requests).toHaveLength(3);
  expect(JSON.stringify(requests[2])).toContain("The parser is half done.");
});

test("the console continues in the new session", slow, async () => {
  const bench = await openWorkbench(script, settings);
  try {
    const child = bench.start(["--console"]);
    let shown = "";
    child.stdout.on("data", (data) => {
      shown += String(data);
    });
    const says = (text: string) => expect.poll(() => shown).toContain(text);
    await says("Exit: /exit.");
    child.stdin.write("Fix the parser.\n");
    await says("It continues in session");
    child.stdin.write("Finish it.\n");
    await says("All done.");
    child.stdin.end("/exit\n");
    await new Promise((resolve) => child.once("close", resolve));
    expect(bench.model.requests).toHaveLength(3);
    expect(JSON.stringify(bench.model.requests[2]?.body)).toContain("The parser is half done.");
    expect(JSON.stringify(bench.model.requests[2]?.body)).not.toContain("Fix the parser.");
  } finally {
    await bench.close();
  }
});
