/** What drawing costs: nothing while nothing changes, little for a key, and no more frames than a screen can show. */
import { afterEach, expect, test } from "vitest";
import { foreignPieces, startPieces, stopPieces } from "./frame-grammar.ts";
import { hostileSequences } from "./hostile-text.ts";
import { type AppOptions, type OpenApp, openApp } from "./open-app.ts";
import { rowEvents } from "./row-events.ts";
import { callOf, messageOf, promptOf } from "./transcript-samples.ts";

let open: OpenApp | undefined;
afterEach(() => {
  open?.close();
  open = undefined;
});

async function opened(options: AppOptions = {}): Promise<OpenApp> {
  open = openApp(options);
  await open.shows("mock/model");
  await open.drawn();
  return open;
}

const large = { columns: 200, rows: 50 };
const frameMark = "\u001b[?2026h";

test("nothing is written but our own frames, between the start and the stop that belong together", async () => {
  const { terminal, app } = await opened({ size: large });
  app.restore();
  const others = terminal.pieces.filter((piece) => !piece.startsWith(`${frameMark}\u001b[2J`));
  const small = others.filter((piece) => foreignPieces([piece]).length > 0);
  expect(small).toEqual([...startPieces, ...stopPieces]);
  expect(terminal.isRaw).toBe(false);
});

test("an unchanged screen writes nothing, however often it is drawn", async () => {
  const { terminal, engine, drawn } = await opened({ size: large });
  terminal.forget();
  for (let count = 0; count < 10; count += 1) {
    terminal.send("\u001b[I");
    engine.tell({ type: "session.updated", session: { ...engine.session } });
    await drawn();
  }
  expect(terminal.pieces).toEqual([]);
});

test("a key costs less than a kilobyte at 200 columns, a line of history on the screen or not", async () => {
  const { terminal, engine, drawn, shows } = await opened({ size: large });
  const said = Array.from({ length: 60 }, (_, index) => `Line ${index} of what was said before.`).join("\n\n");
  engine.tell(...rowEvents(promptOf("0", "Say much."), messageOf("1", { bodies: [{ type: "text", text: said }] })));
  await shows("Line 59");
  await drawn();
  for (const key of ["a", "字", "👍", " ", "\u007f"]) {
    terminal.forget();
    terminal.send(key);
    await drawn();
    const bytes = Buffer.byteLength(terminal.pieces.join(""));
    expect(bytes, `bytes for ${JSON.stringify(key)}`).toBeLessThan(1_024);
    expect(bytes).toBeGreaterThan(0);
  }
});

/** A screen shows sixty in a second; one more for each end, and a few that a stall holds back. */
const framesMax = 70;

/** Tells so many things evenly over a second by the clock: one that stalls tells more at once, and never for longer. */
async function overOneSecond(total: number, tell: (count: number) => void): Promise<void> {
  const begun = performance.now();
  for (let told = 0; told < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - begun) * total) / 1_000));
    for (; told < due; told += 1) tell(told);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

test("ten thousand deltas in one second are at most seventy frames, and all of them arrive", async () => {
  const { terminal, engine, shows } = await opened({ size: large, isShown: true });
  const { completedAt: _, ...answer } = messageOf("1", { bodies: [{ type: "text", text: "" }] });
  engine.tell({ type: "session.status", status: { state: "busy" } }, ...rowEvents(promptOf("0", "Count."), answer));
  await shows("Count.");
  terminal.forget();
  const partId = answer.parts[0]?.id ?? "";
  await overOneSecond(10_000, (told) => {
    const delta = told % 20 === 19 ? `${told}\n\n` : `${told} `;
    engine.tell({ type: "message.part.delta", messageId: answer.id, partId, field: "text", delta });
  });
  const frames = terminal.pieces.filter((piece) => piece.startsWith(frameMark)).length;
  expect(frames).toBeLessThanOrEqual(framesMax);
  expect(foreignPieces(terminal.pieces)).toEqual([]);
  await shows("9999");
});

test("a running call with an output of many pieces does not draw more often either", async () => {
  const { terminal, engine, shows } = await opened();
  const call = callOf("bash", { command: "make" }, { status: "running", startedAt: 1 });
  const { completedAt: _, ...answer } = messageOf("1", { bodies: [call] });
  engine.tell(...rowEvents(promptOf("0", "Make it."), answer));
  await shows("make");
  terminal.forget();
  await overOneSecond(5_000, (count) => {
    const progress = { callId: "call_bash", count, stream: "stdout" } as const;
    engine.tell({ type: "task.progress", ...progress, text: `built ${count}\n` });
  });
  const frames = terminal.pieces.filter((piece) => piece.startsWith(frameMark)).length;
  expect(frames).toBeLessThanOrEqual(framesMax);
  await shows("built 4999");
});

test("what is looked for would be found: each hostile sequence in a frame makes it a foreign one", () => {
  const frameWith = (text: string) =>
    `${frameMark}\u001b[5;1H\u001b[2K\u001b[1mhi\u001b[22m ${text} there\u001b[?25l\u001b[?2026l`;
  expect(foreignPieces([frameWith("日本語 👍")])).toEqual([]);
  const missed = hostileSequences.filter((sequence) => foreignPieces([frameWith(sequence)]).length === 0);
  expect(missed).toEqual([]);
});
