/** How long it takes from the start of kedge to a prompt that can be typed into. */
import { tmpdir } from "node:os";
import { openScene, openScreenTerminal } from "@kedge/testing/screen-terminal";
import { type Figure, percentile, rounded } from "./figures.ts";

const runs = 7;
/** The program keeps its compiled code two seconds after its start. */
const cacheWrittenMs = 3_500;

export async function measureStart(entry: string): Promise<readonly Figure[]> {
  const scene = await openScene({ entry, script: [], columns: 100, rows: 30 });
  try {
    await scene.terminal.shows("mock/mock-model");
    await new Promise((resolve) => setTimeout(resolve, cacheWrittenMs));
    const times: { readonly frameMs: number; readonly modelMs: number; readonly keyMs: number }[] = [];
    for (let run = 0; run < runs; run += 1) {
      await scene.terminal.close();
      const startedAt = performance.now();
      const terminal = await scene.restart();
      // Typed ahead, as people do; seen when the prompt has taken it.
      terminal.type("k");
      const since = () => performance.now() - startedAt;
      const [frameMs, modelMs, keyMs] = await Promise.all([
        terminal.shows("╰").then(since),
        terminal.shows("mock/mock-model").then(since),
        terminal.shows("❯ k").then(since),
      ]);
      times.push({ frameMs, modelMs, keyMs });
    }
    const figure = (measure: string, name: "frameMs" | "modelMs" | "keyMs"): Figure => {
      const values = times.map((time) => time[name]);
      const note = `median of ${runs}; ${rounded(Math.min(...values))} to ${rounded(Math.max(...values))}`;
      return { measure, value: rounded(percentile(values, 0.5)), unit: "ms", note };
    };
    return [
      await measureBareNode(),
      figure("start to the first frame", "frameMs"),
      figure("start to the first echoed key", "keyMs"),
      figure("start to the model's name", "modelMs"),
    ];
  } finally {
    await scene.close();
  }
}

/** What no program of Node can be faster than, on this machine at this moment. */
async function measureBareNode(): Promise<Figure> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now();
    const terminal = await openScreenTerminal({
      command: process.execPath,
      arguments: ["-e", "process.stdout.write('there')"],
      cwd: tmpdir(),
      environment: {},
    });
    await terminal.shows("there");
    times.push(performance.now() - startedAt);
    await terminal.close();
  }
  return {
    measure: "start of Node alone",
    value: rounded(percentile(times, 0.5)),
    unit: "ms",
    note: `median of ${runs}`,
  };
}
