/** Proves what is concluded from each state of the process table, those too that last only for a moment. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  canTellCallers,
  createPeerLookUp,
  type PeerSocket,
  type PeerVerdict,
} from "../../src/admission/peer-process.ts";

let proc = "";
beforeEach(() => {
  proc = mkdtempSync(join(tmpdir(), "kedge-proc-"));
  writeProcess(process.pid, {});
});
afterEach(() => rmSync(proc, { recursive: true, force: true }));

const plain: PeerSocket = {
  remoteAddress: "127.0.0.1",
  remotePort: 0xa15c,
  localAddress: "127.0.0.1",
  localPort: 0xb639,
};
const ends = "0100007F:A15C 0100007F:B639";
const mappedEnds = "0000000000000000FFFF00000100007F:A15C 0000000000000000FFFF00000100007F:B639";
const wideEnds = "00000000000000000000000001000000:A15C 00000000000000000000000001000000:B639";
const self = process.getuid?.() ?? 0;
const welcome: PeerVerdict = { kind: "welcome" };
const hidden: PeerVerdict = { kind: "hidden" };
const agent: PeerVerdict = { kind: "agent", pid: 20, program: "curl" };
const mark = "A=1\0KEDGE_JOB=kedge:boot:1:2 job\0B=2\0";

function write(path: string, text: string): void {
  mkdirSync(dirname(join(proc, path)), { recursive: true });
  writeFileSync(join(proc, path), text);
}

function writeSockets(pair: string, { inode = 55, uid = self, file = "tcp" } = {}): void {
  const other = "   0: 00000000:B639 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 1050 1\n";
  write(`net/${file}`, `  sl  local_address rem_address\n${other}   1: ${pair} 01 0:0 00:0 0 ${uid} 0 ${inode} 3\n`);
}

type Process = {
  readonly environ?: string;
  readonly parent?: number;
  readonly holds?: number;
  readonly thread?: number;
};

function writeProcess(pid: number, { environ = "", parent = 1, holds, thread = pid }: Process): void {
  write(`${pid}/environ`, environ);
  write(`${pid}/comm`, "curl\n");
  write(`${pid}/stat`, `${pid} (a (b) c) S ${parent} 1 1 0 -1 4194304 0`);
  const holders = thread === pid ? [`${pid}/fd`, `${pid}/task/${pid}/fd`] : [`${pid}/task/${thread}/fd`];
  for (const holder of holders) {
    mkdirSync(join(proc, holder), { recursive: true });
    if (holds !== undefined) symlinkSync(`socket:[${holds}]`, join(proc, holder, "3"));
  }
}

const lookUp = (socket = plain) => createPeerLookUp({ ownMarks: new Set(), procDirectory: proc })(socket);

test("who has let go of the socket is hidden", async () => {
  writeSockets(ends, { inode: 0 });
  expect(await lookUp()).toEqual(hidden);
  writeSockets("0100007F:A15D 0100007F:B639");
  expect(await lookUp()).toEqual(hidden);
  expect(await lookUp({ ...plain, remoteAddress: undefined })).toEqual(hidden);
});

test("without any process of the agent a held socket is welcome", async () => {
  writeSockets(ends);
  writeProcess(10, {});
  expect(await lookUp()).toEqual(welcome);
});

test.each([
  ["in both families", plain, mappedEnds],
  ["shown as IPv6", { ...plain, remoteAddress: "::ffff:127.0.0.1", localAddress: "::ffff:127.0.0.1" }, mappedEnds],
  ["of IPv6", { ...plain, remoteAddress: "::1", localAddress: "::1" }, wideEnds],
])("a socket %s is found", async (_name, socket, pair) => {
  writeSockets(pair, { file: "tcp6" });
  writeProcess(20, { environ: mark, holds: 55 });
  expect(await lookUp(socket)).toEqual(agent);
});

test("a process of the agent is found by its mark, by those above it, and by a thread that holds the socket alone", async () => {
  writeSockets(ends);
  writeProcess(20, { environ: mark, holds: 55 });
  expect(await lookUp()).toEqual(agent);
  rmSync(join(proc, "20"), { recursive: true });
  writeProcess(20, { environ: mark, holds: 55, thread: 21 });
  expect(await lookUp()).toEqual(agent);
  rmSync(join(proc, "20"), { recursive: true });
  writeProcess(18, { environ: mark });
  writeProcess(19, { parent: 18 });
  writeProcess(20, { parent: 19, holds: 55 });
  expect(await lookUp()).toEqual(agent);
});

test("while the agent has processes, somebody of this user must be seen to hold the socket", async () => {
  writeSockets(ends);
  writeProcess(20, { environ: mark, holds: 56 });
  expect(await lookUp()).toEqual(hidden);
  writeProcess(10, { holds: 55 });
  expect(await lookUp()).toEqual(welcome);
  rmSync(join(proc, "10"), { recursive: true });
  writeSockets(ends, { uid: self + 1 });
  expect(await lookUp()).toEqual(welcome);
});

test("a process that ended during the look counts as one of the agent", async () => {
  writeSockets(ends);
  mkdirSync(join(proc, "30"));
  expect(await lookUp()).toEqual(hidden);
  writeProcess(10, { holds: 55 });
  expect(await lookUp()).toEqual(welcome);
});

test("it is known whether processes can be looked at", () => {
  rmSync(join(proc, String(process.pid)), { recursive: true });
  expect([canTellCallers(), canTellCallers(proc), canTellCallers(join(proc, "nothing"))]).toEqual([true, false, false]);
});

/** Reading a directory fails with a code that says nothing about a single process, as too many open files do. */
function breakFile(path: string): void {
  rmSync(join(proc, path), { recursive: true, force: true });
  mkdirSync(join(proc, path), { recursive: true });
}

test.each(["net/tcp", "10/environ", "19/environ", "20/stat"])(
  "a look that fails at %s lets nobody in",
  async (path) => {
    writeSockets(ends);
    writeProcess(10, {});
    writeProcess(19, { environ: mark });
    writeProcess(20, { parent: 19, holds: 55 });
    const look = createPeerLookUp({ ownMarks: new Set(), procDirectory: proc });
    breakFile(path);
    expect(await look(plain)).toEqual(hidden);
  },
);

test("a process table that was there at the start and is gone lets nobody in, and is looked at again", async () => {
  writeSockets(ends);
  writeProcess(20, { environ: mark, holds: 55 });
  const look = createPeerLookUp({ ownMarks: new Set(), procDirectory: proc });
  rmSync(join(proc, "20/task"), { recursive: true });
  write("20/task", "");
  expect(await look(plain)).toEqual(hidden);
  rmSync(join(proc, "20"), { recursive: true });
  writeProcess(20, { environ: mark, holds: 55 });
  expect(await look(plain)).toEqual(agent);
  rmSync(join(proc, "net"), { recursive: true });
  expect(await look({ ...plain })).toEqual(hidden);
});

test("other machines and machines without a process table are not looked at", async () => {
  expect(await lookUp()).toEqual(welcome);
  writeSockets(ends, { inode: 0 });
  expect(await lookUp({ ...plain, remoteAddress: "203.0.113.7" })).toEqual(welcome);
});
