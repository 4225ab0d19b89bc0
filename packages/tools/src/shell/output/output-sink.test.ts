import type { Artifact } from "@kedge/protocol";
import { createSeededRandom, withPatience } from "@kedge/testing";
import { expect, test } from "vitest";
import { createOutputSink } from "./output-sink.ts";

function openSink(headBytes: number, tailBytes: number, openArtifact?: () => Artifact) {
  const shown: [string, string][] = [];
  const clock = { ms: 1_000 };
  const spilled: string[] = [];
  const sink = createOutputSink({
    headBytes,
    tailBytes,
    onProgress: (chunk, stream) => shown.push([chunk, stream]),
    now: () => clock.ms,
    openArtifact:
      openArtifact ??
      (() => ({ number: 7, path: "", write: (text) => void spilled.push(text), close: () => undefined })),
  });
  return { sink, shown, clock, spilled };
}

/** The text that a sink makes of chunks, all from standard output. */
function read(...chunks: readonly string[]): string {
  const { sink } = openSink(100_000, 100_000);
  for (const chunk of chunks) sink.write(chunk, "stdout");
  return sink.text();
}

/** Cuts a text at places that follow from the seed. */
function cutAnyhow(text: string, seed: number): readonly string[] {
  const pieces: string[] = [];
  let state = seed;
  for (let start = 0; start < text.length; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    const end = start + 1 + ((state >> 8) % 9);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

test("keeps everything that fits", () => {
  const { sink } = openSink(6, 4);
  sink.write("abc", "stdout");
  sink.write("defghij", "stderr");
  expect(sink.dump()).toEqual({
    output: "abcdefghij",
    truncated: false,
    totalLines: 1,
    totalBytes: 10,
    outputLines: 1,
    outputBytes: 10,
    stderrRanges: [[3, 10]],
  });
});

test("keeps head and tail by lines and says what is missing, for people and for programs", () => {
  const { sink } = openSink(8, 8);
  for (const line of ["a1\n", "b2\n", "c3\n", "d4\n", "e5\n", "f6\n", "g7"]) sink.write(line, "stdout");
  expect(sink.dump()).toEqual({
    output: "a1\nb2\n[… 9 bytes left out: lines 3-5 …]\nf6\ng7",
    truncated: true,
    totalLines: 7,
    totalBytes: 20,
    outputLines: 5,
    outputBytes: 49,
    artifactId: 7,
    stderrRanges: [],
    cut: {
      direction: "middle",
      truncatedBy: "bytes",
      shownRange: [
        [1, 2],
        [6, 7],
      ],
    },
  });
});

test("a text without lines is cut by bytes, never inside a character", () => {
  const plain = openSink(6, 4).sink;
  for (const character of "abcdefghijklmnopqrstuvwxyz") plain.write(character, "stdout");
  expect([plain.text(), plain.dump().totalBytes, plain.dump().truncated]).toEqual([
    "abcdef\n[… 16 bytes left out …]\nwxyz",
    26,
    true,
  ]);
  const wide = openSink(4, 4).sink;
  wide.write("€€€€€", "stdout");
  expect([wide.text(), wide.dump().truncated]).toEqual(["€\n[… 9 bytes left out …]\n€", true]);
});

test("only the tail is kept where no head is wanted, and the other way round", () => {
  for (const [head, tail, direction, output] of [
    [0, 6, "head", "[… 12 bytes left out: lines 1-4 …]\ne5\n"],
    [6, 0, "tail", "a1\nb2\n[… 9 bytes left out: lines 3-5 …]\n"],
  ] as const) {
    const { sink } = openSink(head, tail);
    sink.write("a1\nb2\nc3\nd4\ne5\n", "stdout");
    expect(sink.dump()).toMatchObject({ output, cut: { direction } });
  }
});

test("bytes of standard error are found in the shown text on both sides of a cut", () => {
  const { sink } = openSink(12, 12);
  sink.write("out\n", "stdout");
  sink.write("érr1\n", "stderr");
  for (let index = 0; index < 50; index++) sink.write(`line ${index}\n`, index % 2 === 0 ? "stdout" : "stderr");
  sink.write("err2\n", "stderr");
  sink.write("end\n", "stdout");
  const { output, stderrRanges } = sink.dump();
  const bytes = Buffer.from(output);
  expect(stderrRanges.map(([start, end]) => bytes.toString("utf8", start, end))).toEqual(["érr1\n", "err2\n"]);
});

test("a long stream of chunks of any size gives the same as one chunk", () => {
  const { seed } = createSeededRandom();
  const text = Array.from({ length: 20_000 }, (_, index) =>
    index % 7 === 0 ? "ü" : index % 97 === 0 ? "\n" : index % 501 === 0 ? "\r\n" : String(index % 10),
  ).join("");
  const whole = openSink(600, 400);
  whole.sink.write(text, "stdout");
  const pieces = openSink(600, 400);
  for (const piece of cutAnyhow(text, seed)) pieces.sink.write(piece, "stdout");
  expect(pieces.sink.dump(), `seed ${seed}`).toEqual(whole.sink.dump());
  expect(pieces.spilled.join(""), `seed ${seed}`).toBe(text.replaceAll("\r", ""));
});

test("terminal control vanishes, wherever it is cut", () => {
  const { seed } = createSeededRandom();
  const raw =
    "\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u001b\\link\u001b]8;;\u0007 \u001b(Bset \u001b7a\u001b8 bell\u0007 nul\0 tab\t\u0008.\n";
  const plain = "red link set a bell nul tab\t.\n";
  expect(read(raw)).toBe(plain);
  expect(read("\u009b2Jeight bits")).toBe("eight bits");
  expect(read(...raw)).toBe(plain);
  for (let round = 0; round < 50; round++)
    expect(read(...cutAnyhow(raw.repeat(3), seed + round)), `seed ${seed + round}`).toBe(plain.repeat(3));
});

test("of a progress line only its last state is left", () => {
  expect(read("10%\r50%\r100%\ndone\n")).toBe("100%\ndone\n");
  expect(read("10%", "\r", "50%\r", "100%", "\n", "done\n")).toBe("100%\ndone\n");
  expect(read("\r10%\r20%\r")).toBe("20%");
  expect(read("windows\r\nlines\r", "\nend\r\r\n")).toBe("windows\nlines\nend\n");
  expect(read(`${"0123456789\r".repeat(10_000)}end\n`).length).toBeLessThan(200);
});

test("a flood of carriage returns comes to an end", () => {
  const flood = Array.from({ length: 50 }, () => `${"\r".repeat(60_000)}x\n`);
  expect(withPatience(() => read(...flood))).toBe("x\n".repeat(50));
});

test("what was shown of a line already is not replaced any more", () => {
  const { sink } = openSink(1_000, 1_000);
  sink.write("10%\r", "stdout");
  expect(sink.text()).toBe("10%");
  sink.write("20%\r", "stdout");
  expect(sink.text()).toBe("10%\n20%");
  sink.write("\nprompt", "stdout");
  sink.write("oh\n", "stderr");
  expect(sink.text()).toBe("10%\n20%\npromptoh\n");
});

test("lines are cut after 768 columns, and all of them lie in the artifact", () => {
  const long = "é".repeat(1_000);
  const { sink, spilled } = openSink(10_000, 10_000);
  sink.write(`first\n${long}\nlast\n`, "stdout");
  expect(sink.dump()).toMatchObject({
    output: `first\n${"é".repeat(768)}[… 232 characters]\nlast\n`,
    truncated: true,
    totalLines: 3,
    totalBytes: 2_012,
    artifactId: 7,
    cut: { direction: "tail", truncatedBy: "columns", shownRange: [[1, 3]] },
  });
  expect(spilled.join("")).toBe(`first\n${long}\nlast\n`);
  expect(read("x".repeat(767), "🙂🙂\n")).toBe(`${"x".repeat(767)}[… 4 characters]\n`);
  expect(read("x".repeat(768), "\n")).toBe(`${"x".repeat(768)}\n`);
});

test("a line of megabytes keeps its columns and takes no memory", () => {
  const { sink, spilled } = openSink(1_000, 1_000);
  for (let index = 0; index < 200; index++) sink.write("y".repeat(65_536), "stdout");
  expect(sink.text()).toBe(`${"y".repeat(768)}[… ${200 * 65_536 - 768} characters]`);
  expect(spilled.reduce((sum, text) => sum + text.length, 0)).toBe(200 * 65_536);
});

test("progress comes at once, then at most every 100 ms, streams kept apart and in order", () => {
  const { sink, shown, clock } = openSink(100, 100);
  sink.write("a", "stdout");
  sink.write("b", "stdout");
  clock.ms += 99;
  sink.write("c", "stdout");
  sink.write("\u001b[1md", "stderr");
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
  sink.write("ab\n", "stdout");
  sink.write("cd\n", "stderr");
  expect(sink.dump().artifactId).toBeUndefined();
  sink.write("gh\n", "stdout");
  sink.write("i", "stdout");
  expect(sink.dump().artifactId).toBe(7);
  expect(sink.text()).toBe("ab\n[… 6 bytes left out: lines 2-3 …]\ni");
  expect(spilled.join("")).toBe("ab\ncd\ngh\ni");
});

test("an artifact that cannot be opened or written costs the rest, not the command", () => {
  const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  const refuse = () => {
    throw full;
  };
  const { sink } = openSink(4, 4, refuse);
  sink.write("ab\ncd\nef\ngh\n", "stdout");
  expect(sink.text()).toBe("ab\n[… 6 bytes left out: lines 2-3 …]\ngh\n[The rest is lost: no space left]\n");
  expect(sink.dump().artifactId).toBeUndefined();
  const later = openSink(4, 4, () => ({ number: 1, path: "", write: refuse, close: () => undefined })).sink;
  for (const line of ["ab\n", "cd\n", "ef\n"]) later.write(line, "stdout");
  expect(later.text()).toMatch(/\[The rest is lost: no space left\]\n$/);
});
