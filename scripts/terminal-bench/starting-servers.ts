/** What servers that hang or are not there cost a start: five of them against none, in alternating runs. */
import { createServer } from "node:net";
import { openScene, type Scene } from "@kedge/testing/screen-terminal";
import { type Figure, percentile, rounded } from "./figures.ts";

const runs = 11;
/** The program keeps its compiled code two seconds after its start. */
const cacheWrittenMs = 3_500;

type Times = { readonly keyMs: number; readonly modelMs: number };

export async function measureStartWithServers(entry: string): Promise<readonly Figure[]> {
  // Takes every connection and never says a word.
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const mcp = {
    sleeping: { command: "sleep", args: ["300"] },
    mute: { command: process.execPath, args: ["-e", "setInterval(() => undefined, 1000)"] },
    gone: { command: "./there-is-no-such-program" },
    silent: { url: `http://127.0.0.1:${port}/mcp` },
    closed: { url: "http://127.0.0.1:9/mcp" },
  };
  const scenes: Scene[] = [];
  const times: readonly [Times[], Times[]] = [[], []];
  try {
    for (const settings of [{}, { mcp }])
      scenes.push(await openScene({ entry, script: [], columns: 100, rows: 30, settings }));
    for (const scene of scenes) await scene.terminal.shows("mock/mock-model");
    await new Promise((resolve) => setTimeout(resolve, cacheWrittenMs));
    for (const scene of scenes) await scene.terminal.close();
    for (let run = 0; run < runs; run += 1) {
      // Whoever goes second finds a warmer machine.
      for (const at of run % 2 === 0 ? [0, 1] : [1, 0]) {
        const scene = scenes[at];
        if (scene !== undefined) times[at]?.push(await startOnce(scene));
      }
    }
    return figuresOf(times);
  } finally {
    for (const scene of scenes) await scene.close();
    silent.close();
  }
}

async function startOnce(scene: Scene): Promise<Times> {
  const startedAt = performance.now();
  const terminal = await scene.restart();
  const since = () => performance.now() - startedAt;
  terminal.type("k");
  const [keyMs, modelMs] = await Promise.all([
    terminal.shows("❯ k").then(since),
    terminal.shows("mock/mock-model").then(since),
  ]);
  await terminal.close();
  return { keyMs, modelMs };
}

function figuresOf([none, five]: readonly [readonly Times[], readonly Times[]]): readonly Figure[] {
  return (["keyMs", "modelMs"] as const).flatMap((name) => {
    const what = name === "keyMs" ? "start to the first echoed key" : "start to the model's name";
    const medians = [none, five].map((times) =>
      percentile(
        times.map((each) => each[name]),
        0.5,
      ),
    );
    const added = five.map((each, at) => each[name] - (none[at]?.[name] ?? 0));
    const [without = 0, withFive = 0] = medians;
    const note = `${rounded(without)} without, ${rounded(withFive)} with; of pairs ${rounded(percentile(added, 0.5))}; ${runs} runs each`;
    return [
      { measure: `five slow or dead servers add, ${what}`, value: rounded(withFive - without), unit: "ms", note },
    ];
  });
}
