/** Events are the same however the bytes are cut, also in chunks much longer than an event. */
import { Buffer } from "node:buffer";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { createEventSplitter, eventData } from "./server-sent-events.ts";

const template = Buffer.from("data: the same again\n\n");

/** What the events say; `template` is taken undecoded wherever an event begins with it. */
function dataOf(chunks: readonly Buffer[]): readonly string[] {
  const data: string[] = [];
  const splitter = createEventSplitter({
    take(bytes, from) {
      if (!bytes.subarray(from, from + template.length).equals(template)) return -1;
      data.push("taken");
      return from + template.length;
    },
    event: (bytes, hasReturns) => {
      const text = eventData(bytes, hasReturns);
      if (text !== undefined) data.push(text);
    },
    tooLarge: () => data.push("too large"),
  });
  for (const chunk of chunks) splitter.push(chunk);
  return data;
}

function cut(bytes: Buffer, chunkBytes: () => number): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = Math.min(bytes.length, from + chunkBytes());
    chunks.push(bytes.subarray(from, end));
    from = end;
  }
  return chunks;
}

test("events cut at random places in short and long chunks", () => {
  const { seed, below } = createSeededRandom();
  const lineEnds = ["\n", "\r\n", "\r"];
  for (let round = 0; round < 60; round++) {
    const end = lineEnds[below(lineEnds.length)] ?? "\n";
    const texts = Array.from(
      { length: 300 },
      (_, index) => `${index} ${"ä€x".repeat(below(round % 4 === 0 ? 3000 : 60))}`,
    );
    const events = texts.map((text) => `${below(3) === 0 ? `event: delta${end}` : ""}data: ${text}${end}${end}`);
    const bytes = Buffer.concat(events.flatMap((event) => [Buffer.from(event), ...(below(2) === 0 ? [template] : [])]));
    const whole = dataOf([bytes]);
    const long = cut(bytes, () => 4097 + below(70_000));
    const mixed = cut(bytes, () => 1 + below(below(2) === 0 ? 12 : 20_000));
    expect({ seed, round, data: dataOf(long) }).toEqual({ seed, round, data: whole });
    expect({ seed, round, data: dataOf(mixed) }).toEqual({ seed, round, data: whole });
    expect(whole.filter((text) => text !== "taken")).toEqual(texts);
  }
});

test("an event cut at every byte before a long chunk", () => {
  const first = Buffer.from("event: delta\r\ndata: one\r\n\r\n");
  const rest = Buffer.concat([template, Buffer.from(`data: ${"y".repeat(5000)}\n\n`), template]);
  const bytes = Buffer.concat([template, first, rest]);
  for (let at = 1; at < template.length + first.length; at++) {
    const data = dataOf([bytes.subarray(0, at), bytes.subarray(at)]);
    expect({ at, data }).toEqual({ at, data: ["taken", "one", "taken", "y".repeat(5000), "taken"] });
  }
});
