/** Proves over real WebSockets that a terminal is reached by those who may, whole, resumable and bounded. */
import { connect as connectRaw } from "node:net";
import { afterEach, expect, test } from "vitest";
import { adminToken, promptToken } from "../admission/admission-site.ts";
import { openSocketSite, type SocketSite } from "./terminal-server-site.ts";
import { isAlive, waiting } from "./terminal-site.ts";

const sites: SocketSite[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

async function openSite(...given: Parameters<typeof openSocketSite>): Promise<SocketSite> {
  const site = await openSocketSite(...given);
  sites.push(site);
  return site;
}

const pathOf = (ptyId: string, query = "") => `/pty/${ptyId}/connect${query}`;

test("keys go in, output comes out, sizes change, and the exit code is the last word", async () => {
  const { open, connect, inside } = await openSite();
  const client = connect(pathOf(await open('read line; echo "<$line>"; read; stty size; read; exit 6')));
  await expect.poll(() => client.notes, waiting).toEqual([{ type: "cursor", cursor: 0 }]);
  expect(inside()).toBe(1);
  client.send("grüße\n");
  await expect.poll(client.text, waiting).toContain("<grüße>\r\n");
  client.note({ type: "resize", columns: 99, rows: 33 });
  client.send("\n");
  await expect.poll(client.text, waiting).toContain("33 99\r\n");
  client.send("\n");
  expect(await client.closed()).toEqual([1000, "The terminal has ended."]);
  expect(client.notes).toEqual([
    { type: "cursor", cursor: 0 },
    { type: "exit", exitCode: 6 },
  ]);
  expect(inside()).toBe(0);
});

test("a client that lost its connection goes on where it was, and one that comes after the end gets all", async () => {
  const { open, connect } = await openSite();
  const ptyId = await open("for part in 1 2 3 4 5 6; do seq ${part}00001 ${part}20000; sleep 0.02; done");
  const whole = [1, 2, 3, 4, 5, 6]
    .flatMap((part) => Array.from({ length: 20_000 }, (_, index) => `${part * 100_000 + index + 1}\r\n`))
    .join("");
  let text = "";
  for (let isOver = false; !isOver; ) {
    const before = text.length;
    const client = connect(pathOf(ptyId, before === 0 ? "" : `?cursor=${before}`));
    await expect.poll(() => client.bytes().length > 100_000 || client.notes.length > 1, waiting).toBe(true);
    client.socket.terminate();
    await client.closed();
    expect(client.notes[0]).toEqual({ type: "cursor", cursor: before });
    text += client.text();
    isOver = client.notes.length > 1;
  }
  expect(text === whole).toBe(true);
  const late = connect(pathOf(ptyId));
  await late.closed();
  expect(late.text() === whole).toBe(true);
  expect(late.notes.at(-1)).toEqual({ type: "exit", exitCode: 0 });
});

test("a place in the output that is gone is told, one that never was is refused", async () => {
  const { open, connect, exitCodeOf, refusalOf } = await openSite();
  const ptyId = await open("seq 1 400000");
  await exitCodeOf(ptyId);
  const lengthBytes = 400_000 * 2 + Array.from({ length: 400_000 }, (_, index) => `${index + 1}`).join("").length;
  const cursor = lengthBytes - 2 * 1024 * 1024;
  const client = connect(pathOf(ptyId, "?cursor=7"));
  expect(await client.closed()).toEqual([1000, "The terminal has ended."]);
  expect(client.notes).toEqual([
    { type: "cursor", cursor, lost: cursor - 7 },
    { type: "exit", exitCode: 0 },
  ]);
  expect(client.bytes().length).toBe(2 * 1024 * 1024);
  const beyond = `Invalid cursor ${lengthBytes + 1}: the terminal has written ${lengthBytes} bytes.`;
  expect(await refusalOf(pathOf(ptyId, `?cursor=${lengthBytes + 1}`))).toEqual([400, "invalid_command", beyond]);
  const wrong = "The cursor -1 is not a number of bytes.";
  expect(await refusalOf(pathOf(ptyId, "?cursor=-1"))).toEqual([400, "bad_request", wrong]);
});

test("strangers, foreign pages and lesser tokens stay outside", async () => {
  const { open, refusalOf, port, inside } = await openSite();
  const path = pathOf(await open("cat"));
  const codeOf = async (...given: Parameters<typeof refusalOf>) => (await refusalOf(...given)).slice(0, 2);
  expect(await codeOf(path, { origin: "http://evil.example" })).toEqual([403, "foreign_origin"]);
  expect(await codeOf(path, { origin: `http://127.0.0.1:${port + 1}` })).toEqual([403, "foreign_origin"]);
  expect(await codeOf(path, { origin: "null" })).toEqual([403, "foreign_origin"]);
  expect(await codeOf(path, { origin: undefined })).toEqual([403, "origin_required"]);
  expect(await codeOf(path, { authorization: undefined })).toEqual([401, "unauthorized"]);
  expect(await codeOf(path, { authorization: "Bearer kedge_wrong" })).toEqual([401, "unauthorized"]);
  expect(await refusalOf(path, { authorization: `Bearer ${promptToken}` })).toEqual([
    403,
    "scope",
    "A terminal requires the scope admin; this credential has prompt.",
  ]);
  expect(await refusalOf(pathOf("pty_none"))).toEqual([404, "not_found", "No terminal pty_none."]);
  expect(await codeOf("/pty/connect")).toEqual([404, "not_found"]);
  expect(await codeOf(`${path}?directory=elsewhere`)).toEqual([404, "directory"]);
  expect(await codeOf(path, { "x-kedge-directory": "%" })).toEqual([400, "bad_request"]);
  expect(inside()).toBe(0);
});

test("what is no note closes the connection with a reason, and leaves the terminal", async () => {
  const { open, connect, terminals } = await openSite();
  const ptyId = await open("cat");
  const reasonFor = async (frame: string | Buffer, isBinary: boolean) => {
    const client = connect(pathOf(ptyId));
    await expect.poll(() => client.notes.length, waiting).toBe(1);
    client.socket.send(frame, { binary: isBinary });
    return client.closed();
  };
  const noObject = "A text frame is a JSON object with a type. Send keys as binary frames.";
  expect(await reasonFor("ls\n", false)).toEqual([1008, noObject]);
  expect(await reasonFor("null", false)).toEqual([1008, noObject]);
  expect(await reasonFor('{"type":"exit"}', false)).toEqual([
    1008,
    "The type of a text frame must be resize or close.",
  ]);
  const noSize = "A resize needs columns and rows, both from 1 to 1,000.";
  expect(await reasonFor('{"type":"resize","columns":80}', false)).toEqual([1008, noSize]);
  expect(await reasonFor('{"type":"resize","columns":80,"rows":1001}', false)).toEqual([1008, noSize]);
  expect(await reasonFor(Buffer.alloc(1024 * 1024 + 1), true)).toEqual([1009, ""]);
  expect(terminals.read(ptyId)).toMatchObject({ ok: true, value: { columns: 80, screen: "" } });
});

test("a client ends the terminal for all, with what runs in it", async () => {
  const { open, connect, pidIn, terminals } = await openSite();
  const ptyId = await open(`trap "" HUP TERM; echo "pid $$"; while :; do sleep 0.1; done`);
  const [one, other] = [connect(pathOf(ptyId)), connect(pathOf(ptyId))];
  const pid = await pidIn(ptyId);
  await expect.poll(() => [one.notes.length, other.notes.length], waiting).toEqual([1, 1]);
  one.note({ type: "close" });
  expect(await Promise.all([one.closed(), other.closed()])).toEqual([
    [1000, "The terminal has ended."],
    [1000, "The terminal has ended."],
  ]);
  expect(other.notes.at(-1)).toEqual({ type: "exit", exitCode: 128 + 9 });
  expect(isAlive(pid)).toBe(false);
  await expect.poll(() => terminals.list(), waiting).toEqual({ ok: true, value: { terminals: [] } });
});

/** Becomes a WebSocket and reads nothing from then on. */
async function connectDeaf(port: number, path: string) {
  const socket = connectRaw(port, "127.0.0.1");
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Origin: http://127.0.0.1:${port}`,
    `Authorization: Bearer ${adminToken}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return socket;
}

test("a client that reads nothing costs no memory and stops nobody for long", async () => {
  const { open, connect, port, terminals, inside } = await openSite({ terminals: { stuckMs: 300 } });
  const ptyId = await open("yes kedge");
  const deaf = await connectDeaf(port, pathOf(ptyId));
  await expect.poll(inside, waiting).toBe(1);
  const written = () => {
    const listed = terminals.list();
    return listed.ok ? (listed.value.terminals[0]?.cursor ?? 0) : 0;
  };
  await expect.poll(written, waiting).toBeGreaterThan(4_000_000);
  const before = process.memoryUsage().arrayBuffers;
  await expect.poll(written, waiting).toBeGreaterThan(20_000_000);
  // Looked at more than once: what nobody holds any more may wait for its collection, what is held never goes.
  await expect.poll(() => process.memoryUsage().arrayBuffers - before, waiting).toBeLessThan(8_000_000);
  const other = connect(pathOf(ptyId));
  await expect.poll(() => other.bytes().length, waiting).toBeGreaterThan(1_000_000);
  deaf.destroy();
});

test("one that answers no ping is let go", async () => {
  const { open, connect, port, inside, beat } = await openSite();
  const ptyId = await open("cat");
  const client = connect(pathOf(ptyId));
  await expect.poll(() => client.notes.length, waiting).toBe(1);
  const deaf = await connectDeaf(port, pathOf(ptyId));
  await expect.poll(inside, waiting).toBe(2);
  let pings = 0;
  client.socket.on("ping", () => {
    pings += 1;
  });
  for (const round of [1, 2, 3]) {
    beat();
    await expect.poll(() => pings, waiting).toBe(round);
    // Sent behind the answer to the ping: when it comes back, the server has read both.
    client.send(`round ${round}\n`);
    await expect.poll(client.text, waiting).toContain(`round ${round}`);
    await expect.poll(inside, waiting).toBe(round === 1 ? 2 : 1);
  }
  deaf.destroy();
});

test("when the server closes, every client learns it and nothing is left running", async () => {
  const site = await openSocketSite();
  const ids = [
    await site.open("echo pid $$; exec cat"),
    await site.open(`trap "" HUP TERM; echo "pid $$"; while :; do sleep 0.1; done`),
  ];
  const clients = ids.map((ptyId) => site.connect(pathOf(ptyId)));
  const pids = await Promise.all(ids.map((ptyId) => site.pidIn(ptyId)));
  await expect.poll(() => clients.map(({ notes }) => notes.length), waiting).toEqual([1, 1]);
  await site.close();
  expect(pids.map(isAlive)).toEqual([false, false]);
  const ends = await Promise.all(clients.map((client) => client.closed()));
  expect(ends).toEqual([
    [1000, "The terminal has ended."],
    [1000, "The terminal has ended."],
  ]);
});
