/** A program whose parts cannot be closed: run in a terminal by the test of what is left behind. */
import { runTui } from "../src/app/run-tui.ts";
import { createFakeEngine } from "./fake-engine.ts";
import { tuiParts } from "./open-app.ts";

const engine = createFakeEngine();
const parts = tuiParts(engine);
let isEngineClosed = false;
try {
  await runTui({
    ...parts,
    engine: {
      ...engine,
      async close() {
        isEngineClosed = true;
      },
    },
    files: {
      ...parts.files,
      saveDraft() {
        throw new RangeError("The disk is gone.");
      },
    },
  });
} catch (error) {
  process.stderr.write(`unexpected ${error instanceof Error ? error.name : String(error)}\n`);
  process.exitCode = 1;
}
process.stderr.write(`engine ${isEngineClosed ? "closed" : "open"}\n`);
