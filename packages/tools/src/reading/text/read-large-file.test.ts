// Proves that a file streamed in chunks shows the same lines as one read whole, whatever it holds.
import { closeSync, openSync, statSync } from "node:fs";
import { createSeededRandom, type SeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkshop, type Workshop } from "../../../test/workshop.ts";
import { hashContent } from "../../file-content.ts";
import { createLineWindow, type LineRange } from "./line-window.ts";
import { readLargeFile } from "./read-large-file.ts";

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
});
afterEach(() => workshop.close());

const pieces = ["a", "word ", "ü", "日本", "😀", "\t", "|", "x".repeat(700), "é".repeat(2_100)];
const endings = ["\n", "\n", "\n", "\r\n", "\r\n", "\n\n", "\r"];

function randomText(random: SeededRandom): string {
  const parts: string[] = random.below(2) === 0 ? ["\uFEFF"] : [];
  for (let bytes = 0; bytes < 700_000; ) {
    const part =
      (pieces[random.below(pieces.length)] ?? "").repeat(1 + random.below(3)) + (endings[random.below(12)] ?? "");
    parts.push(part);
    bytes += Buffer.byteLength(part);
  }
  return parts.join("");
}

function randomRanges(random: SeededRandom): readonly LineRange[] {
  const ranges: LineRange[] = [];
  for (let first = 1 + random.below(50); ranges.length < 1 + random.below(4); first += 40 + random.below(300))
    ranges.push({ first, last: first + random.below(30) });
  return random.below(3) === 0
    ? [...ranges.slice(0, -1), { first: ranges.at(-1)?.first ?? 1, last: Infinity }]
    : ranges;
}

test("streamed and whole are the same", async () => {
  const random = createSeededRandom();
  for (let round = 0; round < 12; round += 1) {
    const text = randomText(random);
    const path = workshop.put("large.txt", text);
    const ranges = randomRanges(random);
    const options = { isRaw: random.below(2) === 0 };
    const streamed = createLineWindow(ranges, options);
    const whole = createLineWindow(ranges, options);
    whole.addText(text);
    const descriptor = openSync(path, "r");
    try {
      const file = { descriptor, sizeBytes: statSync(path).size };
      expect(await readLargeFile(file, streamed, AbortSignal.abort()), `seed ${random.seed}`).toEqual({
        kind: "text",
        isWhole: true,
        contentHash: hashContent(text),
      });
    } finally {
      closeSync(descriptor);
    }
    expect(streamed.result(), `seed ${random.seed}, round ${round}`).toEqual(whole.result());
  }
});
