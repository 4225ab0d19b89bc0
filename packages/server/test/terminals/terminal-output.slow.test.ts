/** Proves that the output of a terminal reaches every client whole, or that the client is told what it lost. */
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ringBytes } from "../../src/terminals/terminal.ts";
import { behindBytesMax } from "../../src/terminals/terminal-clients.ts";
import { openTerminalSite, type TerminalSite, waiting } from "./terminal-site.ts";

let site: TerminalSite;
beforeEach(() => {
  site = openTerminalSite({ stuckMs: 60_000 });
});
afterEach(() => site.close());

/** What a terminal makes of `seq 1 <count>`. */
function sequence(count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, index) => `${index + 1}\r\n`).join(""));
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("a client that comes back again and again while output flows loses nothing and gets nothing twice", async () => {
  const { seed, below } = createSeededRandom();
  const count = 150_000;
  const ptyId = await site.open(
    `for part in $(seq 0 9); do seq $((part * 15000 + 1)) $((part * 15000 + 15000)); sleep 0.02; done`,
  );
  const parts: Buffer[] = [];
  let cursor = 0;
  for (let isOver = false; !isOver; ) {
    const watcher = site.watch(ptyId, cursor);
    expect(watcher.notes[0], `seed ${seed}`).toEqual({ cursor, lost: 0 });
    const wanted = 1 + below(60_000);
    await expect.poll(() => watcher.bytes().length >= wanted || watcher.notes.length > 1, waiting).toBe(true);
    watcher.attachment.leave();
    parts.push(watcher.bytes());
    cursor += watcher.bytes().length;
    isOver = watcher.notes.length > 1;
  }
  const [whole, expected] = [Buffer.concat(parts), sequence(count)];
  expect([whole.length, digest(whole)], `seed ${seed}`).toEqual([expected.length, digest(expected)]);
});

test("a client whose place in the output is gone is told how much it lost", async () => {
  const ptyId = await site.open("seq 1 500000");
  await site.exitCodeOf(ptyId);
  const whole = sequence(500_000);
  const oldest = whole.length - ringBytes;
  const { notes, bytes } = site.watch(ptyId, 1000);
  expect(notes).toEqual([{ cursor: oldest, lost: oldest - 1000 }, { exitCode: 0 }]);
  expect(digest(bytes())).toBe(digest(whole.subarray(oldest)));
  expect(site.watch(ptyId).notes).toEqual([{ cursor: oldest, lost: 0 }, { exitCode: 0 }]);
  expect(site.watch(ptyId, whole.length).notes).toEqual([{ cursor: whole.length, lost: 0 }, { exitCode: 0 }]);
  for (const cursor of [-1, 0.5, whole.length + 1]) {
    expect(() => site.watch(ptyId, cursor)).toThrow(`Invalid cursor ${cursor}: `);
  }
  const read = site.terminals.read(ptyId);
  expect(read.ok && whole.toString().endsWith(read.value.screen) && read.value.screen.length).toBe(64 * 1024);
});

/** Takes a piece only when it is let. */
function watchSlowly(ptyId: string) {
  const pieces: Uint8Array[] = [];
  const notes: object[] = [];
  const attached = site.terminals.attach(
    ptyId,
    {},
    {
      begin: (cursor, lost) => void notes.push({ cursor, lost }),
      write(bytes) {
        pieces.push(bytes);
        return false;
      },
      wake: () => undefined,
      end: (exitCode) => void notes.push({ exitCode }),
    },
  );
  if (!attached.ok) throw new Error(attached.failure.message);
  return { notes, pieces, resume: attached.attachment.resume };
}

test("a program waits for a slow client, which gets all of it also when the program ends meanwhile", async () => {
  const ptyId = await site.open("seq 1 700000; touch over");
  const { notes, pieces, resume } = watchSlowly(ptyId);
  const whole = sequence(700_000);
  // The same work without a client is done meanwhile.
  expect(await site.exitCodeOf(await site.open("seq 1 700000"))).toBe(0);
  const held = site.terminals.read(ptyId);
  expect(held.ok && held.value.cursor).toBeLessThan(ringBytes);
  const over = join(site.root, "over");
  for (let taken = 0; notes.length < 2; ) {
    // Nobody takes anything for a moment when the program has just ended.
    if (existsSync(over)) await site.exitCodeOf(ptyId);
    resume();
    await expect.poll(() => pieces.length > taken || notes.length > 1, waiting).toBe(true);
    taken = pieces.length;
  }
  expect(notes).toEqual([{ cursor: 0, lost: 0 }, { exitCode: 0 }]);
  expect(digest(Buffer.concat(pieces))).toBe(digest(whole));
});

test("a program that closes its terminal before it exits is not hung up on", async () => {
  const gone = "exec </dev/null >/dev/null 2>&1; until test -e go; do sleep 0.02; done; exit 7";
  const ptyId = await site.open(`echo ready; ${gone}`);
  const { notes } = watchSlowly(ptyId);
  await expect.poll(() => site.terminals.read(ptyId).ok, waiting).toBe(true);
  writeFileSync(join(site.root, "go"), "");
  expect(await site.exitCodeOf(ptyId)).toBe(7);
  expect(notes).toEqual([{ cursor: 0, lost: 0 }]);
});

test("what a waiting program wrote last is not lost when it ends before anybody took it", async () => {
  const countBytes = behindBytesMax + 10 * 1024;
  const ptyId = await site.open(`head -c ${countBytes} /dev/zero | tr '\\0' x`);
  const { notes, pieces, resume } = watchSlowly(ptyId);
  expect(await site.exitCodeOf(ptyId)).toBe(0);
  while (notes.length < 2) resume();
  expect(notes).toEqual([{ cursor: 0, lost: 0 }, { exitCode: 0 }]);
  expect(Buffer.concat(pieces).length).toBe(countBytes);
});

test("a client that takes nothing stops neither the program nor other clients, and goes on with a loss", async () => {
  await site.close();
  site = openTerminalSite({ stuckMs: 500 });
  const ptyId = await site.open("seq 1 700000; until test -e go; do sleep 0.02; done; echo end");
  const stuck = watchSlowly(ptyId);
  const other = site.watch(ptyId);
  const whole = sequence(700_000);
  await expect.poll(() => other.bytes().length, waiting).toBe(whole.length);
  const taken = Buffer.concat(stuck.pieces).length;
  const oldest = whole.length - ringBytes;
  stuck.resume();
  expect(stuck.notes).toEqual([
    { cursor: 0, lost: 0 },
    { cursor: oldest, lost: oldest - taken },
  ]);
  writeFileSync(join(site.root, "go"), "");
  await expect.poll(() => other.notes, waiting).toEqual([{ cursor: 0, lost: 0 }, { exitCode: 0 }]);
  for (let before = -1; stuck.pieces.length > before; stuck.resume()) before = stuck.pieces.length;
  const rest = Buffer.concat(stuck.pieces).subarray(taken);
  expect(digest(rest)).toBe(digest(Buffer.concat([whole, Buffer.from("end\r\n")]).subarray(oldest)));
  expect(stuck.notes.at(-1)).toEqual({ exitCode: 0 });
});
