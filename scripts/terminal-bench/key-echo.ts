/** How long a typed character takes to the screen: at rest, beside a fast stream, and while a tool keeps the engine busy. */
import { createSeededRandom, type MockTurn } from "@kedge/testing";
import {
  bashCall,
  editCall,
  openScene,
  paced,
  readCall,
  type SceneOptions,
  type ScreenTerminal,
  startModelThread,
} from "@kedge/testing/screen-terminal";
import { busiestThreadMs, type Figure, percentile, processorTimes, rounded } from "./figures.ts";

export type EchoRun = { readonly timesMs: readonly number[]; readonly tookMs: number };

const size = { columns: 120, rows: 40 };
const lineCharactersMax = 50;
const gapMsMax = 30;
const seed = "7";

/** Types one character after the other, each when the one before is seen, until it is told to stop. */
export async function typeWhile(terminal: ScreenTerminal, shouldGoOn: (count: number) => boolean): Promise<EchoRun> {
  const random = createSeededRandom(seed);
  const timesMs: number[] = [];
  const startedAt = performance.now();
  let line = "";
  while (shouldGoOn(timesMs.length)) {
    if (line.length >= lineCharactersMax) {
      terminal.press("ctrl+u");
      line = "";
      await terminal.until((screen) => !screen.some((row) => row.includes("❯ abc")), "an empty prompt");
    }
    const next = String.fromCharCode("a".charCodeAt(0) + (line.length % 26));
    line += next;
    const wanted = `❯ ${line}`;
    const typedAt = performance.now();
    terminal.type(next);
    await terminal.until((screen) => screen.some((row) => row.includes(wanted)), `"${wanted}"`, 30_000);
    timesMs.push(performance.now() - typedAt);
    // Not in step with the frames of the screen.
    await new Promise((resolve) => setTimeout(resolve, random.below(gapMsMax)));
  }
  return { timesMs, tookMs: performance.now() - startedAt };
}

function echoFigures(name: string, { timesMs }: EchoRun, note?: string): readonly Figure[] {
  const figure = (part: string, value: number): Figure => ({
    measure: `key echo, ${name}, ${part}`,
    value: rounded(value),
    unit: "ms",
  });
  return [
    {
      ...figure("p50", percentile(timesMs, 0.5)),
      note: `${timesMs.length} keys${note === undefined ? "" : `; ${note}`}`,
    },
    figure("p95", percentile(timesMs, 0.95)),
    figure("max", Math.max(...timesMs)),
  ];
}

type Occupied = { readonly name: string; readonly turns: readonly MockTurn[] } & Pick<
  SceneOptions,
  "files" | "arguments"
>;

export async function measureIdleEcho(entry: string): Promise<readonly Figure[]> {
  const scene = await openScene({ entry, script: [], ...size });
  try {
    await scene.terminal.shows("mock/mock-model · default");
    await scene.terminal.settled(200);
    return echoFigures("idle", await typeWhile(scene.terminal, (count) => count < 200));
  } finally {
    await scene.close();
  }
}

const streamDeltas = 80_000;
const deltaCharacters = 4;
const deltasPerSecond = 10_000;

export function measureStreamEcho(entry: string): Promise<readonly Figure[]> {
  const paragraph = "The parser reads **one** token at a time and `keeps` the rest for later, as it should.\n\n";
  const code = "```ts\nconst sum = values.reduce((left, right) => left + right, 0);\n```\n\n";
  const text = (paragraph.repeat(4) + code).repeat(streamDeltas).slice(0, streamDeltas * deltaCharacters);
  const turn = paced({ text: `${text}\n\n${finished}`, deltaCharacters }, deltasPerSecond);
  return occupied(entry, { name: "10,000 deltas/s", turns: [turn] }, (tookMs) => {
    return `${Math.round((streamDeltas / tookMs) * 1_000)} deltas/s reached the screen`;
  });
}

export function measureSleepEcho(entry: string): Promise<readonly Figure[]> {
  const turns = [{ toolCalls: [bashCall("sleep 2; echo done")] }, { text: finished }];
  return occupied(entry, { name: "bash sleeps 2 s", turns, arguments: ["--allow", "bash"] });
}

const longLine = (row: number, step: number) =>
  Array.from({ length: 40 }, (_, column) => `value${(row * step + column * 7) % 977}`).join(" + ");

/** `edit` looks for what resembles the text it did not find, line by line, in the engine's own thread. */
export function measureBusyEngineEcho(entry: string): Promise<readonly Figure[]> {
  const lines = Array.from({ length: 20_000 }, (_, row) => longLine(row, 31)).join("\n");
  const missing = Array.from({ length: 200 }, (_, row) => longLine(row, 37).replaceAll("value", "other")).join("\n");
  const turns = [
    { toolCalls: [readCall("long.ts")] },
    { toolCalls: [editCall("long.ts", missing, "")] },
    { text: finished },
  ];
  return occupied(entry, {
    name: "engine computes (edit, 10 MB file)",
    turns,
    arguments: ["--allow", "edit"],
    files: { "long.ts": lines },
  });
}

const finished = "THE-END-OF-IT";

/** Types from the sending of the prompt until the last word of the answer is on the screen. */
async function occupied(
  entry: string,
  { name, turns, ...rest }: Occupied,
  noteOf: (tookMs: number) => string = () => "",
): Promise<readonly Figure[]> {
  const model = await startModelThread(turns);
  const scene = await openScene({ entry, script: model, ...size, ...rest });
  const { terminal } = scene;
  try {
    await terminal.shows("mock/mock-model · default");
    terminal.type("Go on.");
    await terminal.shows("❯ Go on.");
    const before = processorTimes(terminal.pid);
    terminal.press("enter");
    await terminal.until((screen) => screen.some((row) => row.startsWith("❯ Go on.")), "the prompt in the transcript");
    let isFinished = false;
    const isEnd = (screen: readonly string[]) => screen.some((row) => row.includes(finished));
    const ended = terminal.until(isEnd, finished, 120_000).then(() => {
      isFinished = true;
    });
    const run = await typeWhile(terminal, () => !isFinished);
    await ended;
    const busyMs = Math.round(busiestThreadMs(before, processorTimes(terminal.pid)));
    const note = [`${rounded(run.tookMs / 1_000)} s, engine's thread computed ${busyMs} ms`, noteOf(run.tookMs)];
    return echoFigures(name, run, note.filter((part) => part !== "").join("; "));
  } finally {
    await scene.close();
    await model.close();
  }
}
