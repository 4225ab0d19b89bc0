/** Proves with real shells that terminals start where they may, end with all they started, and are bounded. */
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandOf } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { endedKeptMs, idleMsMax, terminalsMax } from "../../src/terminals/terminals.ts";
import { isAlive, openTerminalSite, type TerminalSite, waiting } from "./terminal-site.ts";

const sites: TerminalSite[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

function openSite(...given: Parameters<typeof openTerminalSite>): TerminalSite {
  const site = openTerminalSite(...given);
  sites.push(site);
  return site;
}

/** Writes its number and goes on whatever it is told but to die. */
const stubborn = `bash -c 'trap "" HUP TERM INT; echo "child $$"; while :; do sleep 0.1; done'`;

test("a shell is opened in the project and takes keys", async () => {
  const { terminals, root, clock, open, watch } = openSite();
  const ptyId = await open();
  const summary = { ptyId, command: "/bin/bash", directory: root, columns: 80, rows: 24, startedAt: clock.now };
  expect(terminals.list()).toEqual({ ok: true, value: { terminals: [{ ...summary, cursor: expect.any(Number) }] } });
  const { attachment, notes, text } = watch(ptyId);
  attachment.write(Buffer.from("echo $((40 + 2)); pwd; test -t 0 && echo terminal $TERM\n"));
  await expect.poll(text, waiting).toContain(`42\r\n${root}\r\nterminal xterm-256color\r\n`);
  attachment.write(Buffer.from("exit 7\n"));
  await expect.poll(() => notes, waiting).toEqual([{ cursor: 0, lost: 0 }, { exitCode: 7 }]);
  const cursor = Buffer.byteLength(text());
  expect(terminals.read(ptyId)).toEqual({ ok: true, value: { ...summary, cursor, exitCode: 7, screen: text() } });
});

test("the user's own shell is taken where it can be started", async () => {
  const { place, open, terminals, exitCodeOf } = openSite({ environment: () => environment });
  const shell = join(place, "own-shell");
  writeFileSync(shell, '#!/bin/sh\nexec /bin/sh "$@"\n', { mode: 0o755 });
  const environment: { [name: string]: string } = { PATH: process.env["PATH"] ?? "", SHELL: shell };
  const ptyId = await open("echo $0 $1; exit 3");
  expect(await exitCodeOf(ptyId)).toBe(3);
  expect(terminals.read(ptyId)).toMatchObject({ value: { command: "echo $0 $1; exit 3", screen: `/bin/sh\r\n` } });
  for (const broken of [place, join(place, "none"), "sh"]) {
    environment["SHELL"] = broken;
    expect(await exitCodeOf(await open("exit 4"))).toBe(4);
  }
});

test("a terminal starts inside of the project or not at all", async () => {
  const { terminals, root, place, open } = openSite();
  mkdirSync(join(root, "inner"));
  writeFileSync(join(root, "file"), "");
  symlinkSync(place, join(root, "way-out"));
  const inner = await open(undefined, { directory: "inner" });
  expect(terminals.read(inner)).toMatchObject({ value: { directory: join(root, "inner") } });
  const refusal = async (directory: string) => {
    const opened = await terminals.open({ type: "pty.open", directory });
    return opened.ok ? undefined : `${opened.failure.code}: ${opened.failure.message}`;
  };
  expect(await refusal("..")).toBe("invalid_command: .. is outside the project.");
  expect(await refusal("/etc")).toBe("invalid_command: /etc is outside the project.");
  expect(await refusal("way-out")).toBe("invalid_command: way-out is outside the project.");
  expect(await refusal("file")).toBe("invalid_command: file is not a directory.");
  expect(await refusal("none")).toMatch(/^invalid_command: none cannot be entered/);
});

test("sizes are those of a terminal, and are changed while it runs", async () => {
  const { terminals, open, watch } = openSite();
  const sized = { type: "pty.open", columns: 0, rows: 1.5 } satisfies CommandOf<"pty.open">;
  expect(await terminals.open(sized)).toMatchObject({ ok: false, failure: { code: "invalid_command" } });
  const ptyId = await open("stty size; read; stty size", { columns: 100, rows: 30 });
  const { attachment, text } = watch(ptyId);
  await expect.poll(text, waiting).toBe("30 100\r\n");
  attachment.resize(132, 50);
  attachment.write(Buffer.from("\n"));
  await expect.poll(text, waiting).toBe("30 100\r\n\r\n50 132\r\n");
  expect(terminals.read(ptyId)).toMatchObject({ value: { columns: 132, rows: 50 } });
});

test("input is text of many bytes for the line editor of the terminal, and output any bytes", async () => {
  const { open, watch } = openSite();
  const { attachment, bytes, text } = watch(await open(`printf '\\xff\\x00\\xc3'; read line; echo "<$line>"`));
  await expect.poll(() => [...bytes()], waiting).toEqual([0xff, 0, 0xc3]);
  // Two letters, and the last taken back with one key.
  attachment.write(Buffer.from("aä\x7f\n"));
  await expect.poll(text, waiting).toContain("<a>\r\n");
});

test("more input than a program reads waits without stopping anybody, and arrives whole", async () => {
  const { open, watch, root } = openSite();
  const { attachment, notes, text } = watch(
    await open(`stty raw -echo; echo ready; until test -e go; do sleep 0.05; done; head -c 1000000 | md5sum`),
  );
  await expect.poll(text, waiting).toContain("ready");
  const piece = Buffer.alloc(100_000, "x");
  expect(Array.from({ length: 10 }, () => attachment.write(piece))).toContain(false);
  expect(notes).toEqual([{ cursor: 0, lost: 0 }]);
  writeFileSync(join(root, "go"), "");
  await expect.poll(text, waiting).toContain(createHash("md5").update(Buffer.alloc(1_000_000, "x")).digest("hex"));
  expect(notes).toContainEqual({ isAwake: true });
});

test("exit codes stay for a while, those of signals too", async () => {
  const { terminals, clock, open, exitCodeOf } = openSite();
  const ids = [await open("exit 5"), await open("kill -KILL $$"), await open("no-such-program-at-all")];
  expect(await Promise.all(ids.map(exitCodeOf))).toEqual([5, 128 + 9, 127]);
  clock.now += endedKeptMs - 1;
  terminals.sweep();
  expect(terminals.list()).toMatchObject({ value: { terminals: [{}, {}, {}] } });
  clock.now += 1;
  terminals.sweep();
  expect(terminals.list()).toEqual({ ok: true, value: { terminals: [] } });
  expect(terminals.read("pty_gone")).toMatchObject({ ok: false, failure: { code: "not_found" } });
});

test("closing ends programs that want to stay: in jobs of their own, out of the session, without their mark", async () => {
  const { terminals, open, watch, pidIn } = openSite();
  const ptyId = await open();
  const { attachment, notes } = watch(ptyId);
  attachment.write(Buffer.from(`${stubborn.replace("child", "job")} &\n`));
  attachment.write(Buffer.from(`setsid ${stubborn.replace("child", "strayed")} &\n`));
  attachment.write(Buffer.from(`env -i PATH="$PATH" ${stubborn.replace("child", "unmarked")} &\n`));
  const pids = await Promise.all(["job", "strayed", "unmarked"].map((name) => pidIn(ptyId, name)));
  expect(pids.map(isAlive)).toEqual([true, true, true]);
  expect(await terminals.close(ptyId)).toEqual({ ok: true, value: {} });
  expect(pids.map(isAlive)).toEqual([false, false, false]);
  expect(notes.at(-1)).toEqual({ exitCode: expect.any(Number) });
  expect(await terminals.close(ptyId)).toMatchObject({ ok: false, failure: { code: "not_found" } });
});

test("a shell that ends takes its background with it", async () => {
  const { open, pidIn, exitCodeOf } = openSite();
  const ptyId = await open(`${stubborn} & sleep 0.3`);
  const child = await pidIn(ptyId, "child");
  expect(await exitCodeOf(ptyId)).toBe(0);
  await expect.poll(() => isAlive(child), waiting).toBe(false);
});

test("so many run at once and no more", async () => {
  const { terminals, open } = openSite();
  const wanted = Array.from({ length: terminalsMax + 2 }, () => terminals.open({ type: "pty.open", command: "cat" }));
  const opened = await Promise.all(wanted);
  const refused = opened.filter(({ ok }) => !ok);
  const failure = { code: "invalid_command", message: "20 terminals are already open." };
  expect(refused).toEqual(
    [0, 1].map(() => ({ ok: false, failure: { ...failure, recovery: "Close one first.", retryable: false } })),
  );
  const [first] = opened;
  if (first?.ok) await terminals.close(first.value.ptyId);
  await open("cat");
  await expect(open("cat")).rejects.toThrow("20 terminals");
});

test("one without clients and without output is ended after an hour", async () => {
  const { terminals, clock, open, watch, exitCodeOf } = openSite();
  const [watched, left, writing] = [await open("cat"), await open("cat"), await open("cat")];
  watch(watched);
  watch(left).attachment.leave();
  const writer = watch(writing);
  clock.now += idleMsMax / 2;
  writer.attachment.write(Buffer.from("still here\n"));
  await expect.poll(writer.text, waiting).toContain("still here\r\nstill here\r\n");
  writer.attachment.leave();
  clock.now += idleMsMax / 2;
  terminals.sweep();
  expect(await exitCodeOf(left)).toBeGreaterThan(0);
  expect(terminals.list()).toMatchObject({ value: { terminals: [{}, { exitCode: expect.any(Number) }, {}] } });
  const running = () => {
    const listed = terminals.list();
    return listed.ok ? listed.value.terminals.filter(({ exitCode }) => exitCode === undefined) : [];
  };
  expect(running().map(({ ptyId }) => ptyId)).toEqual([watched, writing]);
  clock.now += idleMsMax / 2;
  terminals.sweep();
  expect(await exitCodeOf(writing)).toBeGreaterThan(0);
});

test("switched off or without its package, opening says so and the rest answers", async () => {
  const off = openSite({ isAllowed: false });
  expect(await off.terminals.open({ type: "pty.open" })).toEqual({
    ok: false,
    failure: {
      code: "invalid_command",
      message: "Terminals are disabled.",
      recovery: "Set server.pty to true to enable them.",
      retryable: false,
    },
  });
  expect(off.terminals.list()).toEqual({ ok: true, value: { terminals: [] } });
  const missing = openSite({
    load: async () => {
      throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    },
  });
  expect(await missing.terminals.open({ type: "pty.open" })).toEqual({
    ok: false,
    failure: {
      code: "configuration",
      message: "Terminals need the package @lydell/node-pty, which cannot be loaded (ERR_MODULE_NOT_FOUND).",
      recovery: "Install kedge with its optional packages.",
      retryable: false,
    },
  });
});

test("closing all leaves nothing running and opens nothing more", async () => {
  const { terminals, open, pidIn } = openSite();
  const ids = [
    await open("echo pid $$; exec cat"),
    await open(`echo pid $$; ${stubborn}`),
    await open("echo pid $$; yes"),
  ];
  const pids = await Promise.all(ids.slice(0, 2).map((ptyId) => pidIn(ptyId)));
  const opening = terminals.open({ type: "pty.open" });
  await terminals.closeAll();
  expect(pids.map(isAlive)).toEqual([false, false]);
  const refusal = { ok: false, failure: { message: "This workspace is being closed." } };
  expect(await opening).toMatchObject(refusal);
  expect(await terminals.open({ type: "pty.open" })).toMatchObject(refusal);
  expect(terminals.list()).toEqual({ ok: true, value: { terminals: [] } });
});
