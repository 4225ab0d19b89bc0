/** Proves that a log holds nothing of what has gone out of it. */
import { collectGarbage } from "@kedge/testing";
import { expect, test } from "vitest";
import {
  createEventLog,
  encodedCharactersMax,
  keptCharactersMax,
  type LogEntry,
  resumedCharactersMax,
} from "./event-log.ts";
import { bytesOf } from "./sent-frame.ts";

function entry(position: number, characters: number): LogEntry {
  const frame = { id: `${position}`, type: "server.heartbeat", directory: "/", properties: {} } as const;
  return { frame, characters, position, number: 0, isFact: true, isDelta: false, sessionId: "ses_1" };
}

test("what is too old or too much is let go of at once", async () => {
  const log = createEventLog(() => 0);
  const gone = pushed(log, 3);
  // Alone it is as much as is kept for those who come back.
  log.push(entry(4, resumedCharactersMax));
  expect([log.first, log.end, log.lost.position]).toEqual([3, 4, 3]);
  await collectGarbage();
  expect(gone.map((each) => each.deref())).toEqual([undefined, undefined, undefined]);
  expect(log.at(3)?.position).toBe(4);
});

test("beyond what is kept for those who come back, only what somebody has still to read stays", () => {
  const log = createEventLog(() => 0);
  let next = 0;
  const leave = log.keepFor(() => next);
  const size = resumedCharactersMax / 10;
  const push = (count: number) => {
    for (let index = 0; index < count; index += 1) log.push(entry(log.end + 1, size));
  };
  push(30);
  expect([log.first, log.end]).toEqual([0, 30]);
  next = 7;
  push(1);
  expect([log.first, log.lost.position, log.end]).toEqual([7, 7, 31]);
  next = log.end;
  push(1);
  expect([log.first, log.end]).toEqual([22, 32]);
  push(60);
  expect(log.charactersFrom(log.first)).toBeLessThanOrEqual(keptCharactersMax);
  leave();
  push(1);
  expect([log.first, log.end]).toEqual([83, 93]);
});

test("bytes are kept of the newest events alone, and made again for whoever is behind", () => {
  const log = createEventLog(() => 0);
  const entries = Array.from({ length: 2_000 }, (_, index) => entry(index + 1, encodedCharactersMax / 1_000));
  for (const each of entries) {
    bytesOf(each);
    log.push(each);
  }
  expect(entries.filter(({ bytes }) => bytes !== undefined)).toEqual(entries.slice(-1_000));
  const [oldest] = entries;
  expect(oldest && bytesOf(oldest).length).toBeGreaterThan(0);
});

/** In a function of its own, so that no variable of the test holds what was pushed. */
function pushed(log: ReturnType<typeof createEventLog>, count: number): readonly WeakRef<LogEntry>[] {
  return Array.from({ length: count }, (_, index) => {
    const each = entry(index + 1, 10);
    log.push(each);
    return new WeakRef(each);
  });
}
