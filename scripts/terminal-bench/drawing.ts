/** What the screen writes and how much it takes: typing, scrolling a long conversation, a large paste, many sizes. */
import { createSeededRandom } from "@kedge/testing";
import { openScene, type ScreenTerminal } from "@kedge/testing/screen-terminal";
import { countFrames, type Figure, residentMegabytes, rounded } from "./figures.ts";

export async function measureBytesPerKey(entry: string): Promise<readonly Figure[]> {
  const keys = 40;
  const scene = await openScene({ entry, script: [{ text: "One **line**.\n".repeat(200) }], columns: 200, rows: 50 });
  const { terminal } = scene;
  try {
    await terminal.shows("mock/mock-model · default");
    terminal.type("Say it.");
    terminal.press("enter");
    await terminal.shows("One line.");
    await terminal.settled(1_500);
    const mark = terminal.mark();
    for (let key = 1; key <= keys; key += 1) {
      terminal.type("k");
      await terminal.shows(`❯ ${"k".repeat(key)}`);
    }
    await terminal.settled(200);
    const value = rounded(terminal.bytesSince(mark) / keys, 0);
    return [{ measure: "bytes written per typed character, 200×50", value, unit: "bytes", note: `mean of ${keys}` }];
  } finally {
    await scene.close();
  }
}

const codeCacheMs = 3_000;
const transcriptLines = 10_000;
const heldMs = 3_000;
const repeatMs = 16;

export async function measureLongTranscript(entry: string): Promise<readonly Figure[]> {
  const line = (row: number) => `- ${row}: the words of a line that is long enough to be *read*, and \`short\` enough.`;
  const text = `${Array.from({ length: transcriptLines }, (_, row) => line(row)).join("\n")}\n\nTHE-END-OF-IT`;
  const scene = await openScene({ entry, script: [{ text, deltaCharacters: 200 }], columns: 120, rows: 40 });
  try {
    let { terminal } = scene;
    await terminal.shows("mock/mock-model · default");
    // The very first start writes the code caches, which every other one has.
    await terminal.settled(codeCacheMs);
    terminal.kill("SIGTERM");
    await terminal.ended();
    terminal = await scene.restart([]);
    await terminal.shows("mock/mock-model · default");
    await terminal.settled(500);
    const before = residentMegabytes(terminal.pid);
    terminal.type("Say it all.");
    await terminal.shows("❯ Say it all.");
    const sentAt = performance.now();
    terminal.press("enter");
    await terminal.shows("THE-END-OF-IT", 120_000);
    const shownMs = performance.now() - sentAt;
    await terminal.settled(1_000, 60_000);
    const after = residentMegabytes(terminal.pid);
    const scrolled = [
      ...(await holdKey("pageUp", terminal, () => terminal.press("pageUp"))),
      ...(await holdKey("wheel", terminal, () => terminal.wheel(-1))),
    ];
    const scrolledMegabytes = residentMegabytes(terminal.pid);
    terminal.press("ctrl+c");
    await terminal.shows("again leaves");
    terminal.press("ctrl+c");
    await terminal.ended();
    const resumedAt = performance.now();
    terminal = await scene.restart(["--continue"]);
    const [resumedMs, slowestMs] = await typeDuring(terminal, terminal.shows("THE-END-OF-IT", 60_000), resumedAt);
    await terminal.settled(1_000, 60_000);
    return [
      { measure: "answer of 10,000 lines, prompt to its end", value: rounded(shownMs), unit: "ms" },
      ...scrolled,
      { measure: "memory before it", value: before, unit: "MB", note: "RSS of the whole process" },
      { measure: "memory after it", value: after, unit: "MB" },
      { measure: "memory after scrolling it", value: scrolledMegabytes, unit: "MB" },
      { measure: "kedge --continue of it, start to its end", value: rounded(resumedMs), unit: "ms" },
      {
        measure: "slowest key while it is read",
        value: rounded(slowestMs),
        unit: "ms",
        note: "the first frame included",
      },
      { measure: "memory after --continue", value: residentMegabytes(terminal.pid), unit: "MB" },
    ];
  } finally {
    await scene.close();
  }
}

/** When it came, and the longest that a key typed meanwhile waited. */
async function typeDuring(terminal: ScreenTerminal, reached: Promise<unknown>, startedAt: number) {
  let tookMs: number | undefined;
  void reached.then(() => {
    tookMs = performance.now() - startedAt;
  });
  let slowestMs = 0;
  for (let typed = "k"; tookMs === undefined; typed += "k") {
    const typedAt = performance.now();
    terminal.type("k");
    await terminal.shows(`❯ ${typed}`, 60_000);
    slowestMs = Math.max(slowestMs, performance.now() - typedAt);
  }
  await reached;
  return [tookMs, slowestMs] as const;
}

async function holdKey(name: string, terminal: ScreenTerminal, press: () => void): Promise<readonly Figure[]> {
  let written = "";
  const stop = terminal.onWrite((text) => {
    written += text;
  });
  const startedAt = performance.now();
  let pressed = 0;
  while (performance.now() - startedAt < heldMs) {
    press();
    pressed += 1;
    await new Promise((resolve) => setTimeout(resolve, repeatMs));
  }
  const heldForMs = performance.now() - startedAt;
  const frames = countFrames(written);
  const bytes = written.length;
  const quietMs = 100;
  const releasedAt = performance.now();
  await terminal.settled(quietMs, 60_000);
  const lagMs = Math.max(0, performance.now() - releasedAt - 2 * quietMs);
  stop();
  const note = `${pressed} presses in ${rounded(heldForMs / 1_000)} s, ${Math.round(bytes / Math.max(1, frames))} bytes each`;
  return [
    {
      measure: `scrolling 10,000 lines, ${name} held`,
      value: rounded((frames / heldForMs) * 1_000),
      unit: "frames/s",
      note,
    },
    { measure: `still moving after ${name} is released`, value: rounded(lagMs), unit: "ms" },
  ];
}

const pasteBytes = 1_000_000;

export async function measurePaste(entry: string): Promise<readonly Figure[]> {
  const scene = await openScene({ entry, script: [], columns: 120, rows: 40 });
  const { terminal } = scene;
  try {
    await terminal.shows("mock/mock-model · default");
    await terminal.settled(300);
    const pastedAt = performance.now();
    terminal.paste("A line that was pasted, of fifty characters, about\n".repeat(pasteBytes / 51));
    await terminal.taken();
    const takenMs = performance.now() - pastedAt;
    terminal.type("k");
    await terminal.shows(/\[pasted .*\]\s?k/, 60_000);
    const value = rounded(performance.now() - pastedAt);
    return [
      {
        measure: "1 MB pasted, until the next key is shown",
        value,
        unit: "ms",
        note: `read after ${rounded(takenMs)} ms`,
      },
    ];
  } finally {
    await scene.close();
  }
}

const storms = 100;

export async function measureResizeStorm(entry: string): Promise<readonly Figure[]> {
  const random = createSeededRandom("11");
  const text = "Some words of an **answer** that wrap here and there, wherever the edge is.\n\n".repeat(100);
  const scene = await openScene({ entry, script: [{ text }], columns: 120, rows: 40 });
  const { terminal } = scene;
  try {
    await terminal.shows("mock/mock-model · default");
    terminal.type("Say it.");
    terminal.press("enter");
    await terminal.shows("Some words");
    await terminal.settled(1_500);
    const mark = terminal.mark();
    const startedAt = performance.now();
    for (let turn = 0; turn < storms; turn += 1) {
      terminal.resize(40 + random.below(160), 10 + random.below(50));
      await new Promise((resolve) => setTimeout(resolve, random.below(8)));
    }
    const stormMs = performance.now() - startedAt;
    terminal.resize(100, 30);
    await terminal.until(
      ([...rows]) => rows.filter((row) => /^[╭╰].{98}[╮╯]$/.test(row)).length === 2,
      "a whole prompt",
    );
    const settledMs = performance.now() - startedAt - stormMs;
    const after = await terminal.settled(300);
    const bytes = terminal.bytesSince(mark);
    terminal.press("ctrl+l");
    const redrawn = await terminal.settled(300);
    const isSame = JSON.stringify(after) === JSON.stringify(redrawn);
    return [
      {
        measure: `${storms} sizes, until the last one is drawn`,
        value: rounded(settledMs),
        unit: "ms after the last",
        note: `${rounded(stormMs)} ms of resizing, ${Math.round(bytes / 1024)} KB; the screen is ${isSame ? "right" : "WRONG"}`,
      },
    ];
  } finally {
    await scene.close();
  }
}
