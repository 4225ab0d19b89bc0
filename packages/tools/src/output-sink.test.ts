import type { Artifact } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createOutputSink } from "./output-sink.ts";

function openSink(headBytes: number, tailBytes: number) {
  const shown: [string, string][] = [];
  const clock = { ms: 1_000 };
  const spilled: string[] = [];
  const openArtifact = (): Artifact => ({
    number: 7,
    path: "",
    write: (text) => void spilled.push(text),
    close: () => undefined,
  });
  const sink = createOutputSink({
    headBytes,
    tailBytes,
    onProgress: (chunk, stream) => shown.push([chunk, stream]),
    now: () => clock.ms,
    openArtifact,
  });
  return { sink, shown, clock, spilled };
}

test("keeps everything that fits", () => {
  const { sink } = openSink(6, 4);
  sink.write("abc", "stdout");
  sink.write("defghij", "stderr");
  expect([sink.text(), sink.totalBytes, sink.truncated]).toEqual(["abcdefghij", 10, false]);
});

test("keeps head and tail and says how much is missing", () => {
  const { sink } = openSink(6, 4);
  for (const character of "abcdefghijklmnopqrstuvwxyz") sink.write(character, "stdout");
  expect([sink.text(), sink.totalBytes, sink.truncated]).toEqual(["abcdef\n[… 16 bytes left out …]\nwxyz", 26, true]);
});

test("never cuts inside a character", () => {
  const { sink } = openSink(4, 4);
  sink.write("€€€€€", "stdout");
  expect([sink.text(), sink.truncated]).toEqual(["€\n[… 9 bytes left out …]\n€", true]);
});

test("a long stream of chunks of any size gives the same as one chunk", () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  let state = seed;
  const text = Array.from({ length: 20_000 }, (_, index) => (index % 7 === 0 ? "ü" : String(index % 10))).join("");
  const whole = openSink(600, 400).sink;
  whole.write(text, "stdout");
  const pieces = openSink(600, 400).sink;
  for (let start = 0; start < text.length; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    const end = start + 1 + (state % 9);
    pieces.write(text.slice(start, end), "stdout");
    start = end;
  }
  expect(pieces.text(), `seed ${seed}`).toBe(whole.text());
});

test("progress comes at once, then at most every 100 ms, streams kept apart and in order", () => {
  const { sink, shown, clock } = openSink(100, 100);
  sink.write("a", "stdout");
  sink.write("b", "stdout");
  clock.ms += 99;
  sink.write("c", "stdout");
  sink.write("d", "stderr");
  expect(shown).toEqual([["a", "stdout"]]);
  clock.ms += 1;
  sink.write("e", "stdout");
  expect(shown.slice(1)).toEqual([
    ["bc", "stdout"],
    ["d", "stderr"],
    ["e", "stdout"],
  ]);
  sink.write("f", "stdout");
  sink.text();
  expect(shown.at(-1)).toEqual(["f", "stdout"]);
});

test("the last words before a silence are shown without another write", async () => {
  const seen = Promise.withResolvers<string>();
  const sink = createOutputSink({
    headBytes: 10,
    tailBytes: 10,
    onProgress: (chunk) => chunk === "second" && seen.resolve(chunk),
    now: () => 0,
    openArtifact: () => {
      throw new Error("nothing is left out here");
    },
  });
  sink.write("first", "stdout");
  sink.write("second", "stdout");
  // The sink's timer does not keep the process alive, so something else must.
  const alive = setInterval(() => undefined, 1_000);
  expect(await seen.promise).toBe("second");
  clearInterval(alive);
});

test("a flood between two moments of progress shows its end only", () => {
  const { sink, shown, clock } = openSink(10, 10);
  sink.write("start", "stdout");
  for (let index = 0; index < 100; index++) sink.write("x".repeat(1_000), "stdout");
  clock.ms += 100;
  sink.write("end", "stdout");
  expect(shown.slice(1)).toEqual([[`${"x".repeat(16_381)}end`, "stdout"]]);
});

test("what is left out lies whole in an artifact, which is opened only then", () => {
  const { sink, spilled } = openSink(4, 4);
  sink.write("abcd", "stdout");
  sink.write("ef", "stderr");
  expect(sink.artifact).toBeUndefined();
  sink.write("ghij", "stdout");
  sink.write("k", "stdout");
  expect(sink.artifact).toBe(7);
  expect(spilled.join("")).toBe("abcdefghijk");
  expect(sink.text()).toBe("abcd\n[… 3 bytes left out …]\nhijk");
});
