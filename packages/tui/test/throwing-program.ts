/** A program whose screen breaks when the status is opened: run in a terminal by the test of what is left behind. */
import { runTui } from "../src/app/run-tui.ts";
import { createFakeEngine } from "./fake-engine.ts";
import { tuiParts } from "./open-app.ts";

// The answer has nothing of what the dialog shows.
const engine = createFakeEngine({ answers: { "project.read": {} } });
try {
  await runTui(tuiParts(engine));
} catch (error) {
  process.stderr.write(`unexpected ${error instanceof Error ? error.name : String(error)}\n`);
  process.exitCode = 1;
}
