/** Proves that a ring gives back exactly what was written, at every cursor that it still has. */
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { createOutputRing } from "./output-ring.ts";

function readAll(ring: ReturnType<typeof createOutputRing>, from: number, pieceMax: number): Buffer {
  const pieces: Uint8Array[] = [];
  for (let cursor = from; cursor < ring.end(); ) {
    const piece = ring.read(cursor, pieceMax);
    pieces.push(piece);
    cursor += piece.length;
  }
  return Buffer.concat(pieces);
}

test("every kept byte is found at its cursor, however it was written", () => {
  const { seed, below } = createSeededRandom();
  for (let round = 0; round < 200; round++) {
    const capacity = 1 + below(40);
    const ring = createOutputRing(capacity);
    let written = Buffer.alloc(0);
    for (let step = 0; step < 30; step++) {
      const bytes = Buffer.from(Array.from({ length: below(90) }, () => below(256)));
      ring.append(bytes);
      written = Buffer.concat([written, bytes]);
      const oldest = Math.max(0, written.length - capacity);
      expect([ring.end(), ring.oldest()], `seed ${seed}`).toEqual([written.length, oldest]);
      const from = oldest + below(written.length - oldest + 1);
      expect(readAll(ring, from, 1 + below(50)), `seed ${seed}`).toEqual(written.subarray(from));
    }
  }
});

test("what was read does not change when the ring comes round", () => {
  const ring = createOutputRing(4);
  ring.append(Buffer.from("abcd"));
  const read = ring.read(0, 4);
  ring.append(Buffer.from("efgh"));
  expect(Buffer.from(read).toString()).toBe("abcd");
  expect(() => ring.read(0, 4)).toThrow("no cursor 0");
});
