/** Expects bytes to be read the same wherever they are cut, as a network may cut them. */
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/** In two at every place, and byte by byte. */
export function expectEveryCut(bytes: Buffer, read: (chunks: readonly Buffer[]) => unknown, expected: unknown): void {
  for (let at = 0; at <= bytes.length; at += 1) {
    const found = read([bytes.subarray(0, at), bytes.subarray(at)]);
    // There are thousands, and an assertion takes several times as long as the reading.
    if (!isDeepStrictEqual(found, expected)) expect(found, `cut at ${at}`).toEqual(expected);
  }
  expect(read([...bytes].map((byte) => Buffer.of(byte)))).toEqual(expected);
}
