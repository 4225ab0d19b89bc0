/** Proves through a whole server that terminals are opened by routes, used on WebSockets, and ended with the server. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { at, openSite, type ServerSite } from "../http/server-site.ts";
import { isAlive, waiting } from "./terminal-site.ts";

let site: ServerSite;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

type Headers = { readonly [name: string]: string };

function connect(target: string, headers: Headers = { authorization: `Bearer ${site.server.token}` }) {
  const { url } = site.server;
  const socket = new WebSocket(`${url.replace("http", "ws")}${target}`, { headers: { origin: url, ...headers } });
  const received = { text: "", ends: [] as unknown[] };
  socket.on("message", (data, isBinary) => {
    if (isBinary) received.text += String(data);
  });
  socket.on("close", (code, reason) => received.ends.push([code, String(reason)]));
  socket.on("unexpected-response", (_request, response) => received.ends.push(response.statusCode));
  socket.on("error", () => undefined);
  return { socket, received };
}

test("a terminal is opened by a route, used on a WebSocket with a ticket, and ended with the server", async () => {
  const opened = await site.call("POST", "/pty", { body: { command: "echo pid $$; exec cat" } });
  expect(opened.status).toBe(200);
  const ptyId = at(opened.json, "ptyId");
  const ticket = at((await site.call("POST", "/auth/ticket")).json, "ticket");
  const { socket, received } = connect(`/pty/${ptyId}/connect?ticket=${ticket}`, {});
  await expect.poll(() => received.text, waiting).toMatch(/^pid \d+\r\n$/);
  const pid = Number(received.text.slice("pid ".length));
  socket.send(Buffer.from("hello\n"));
  await expect.poll(() => received.text, waiting).toContain("hello\r\nhello\r\n");
  expect((await site.call("GET", `/pty/${ptyId}`)).json).toMatchObject({ ptyId, screen: received.text });
  expect(site.server.instances.list().map((instance) => instance.clients())).toEqual([1]);
  await site.server.close();
  expect(isAlive(pid)).toBe(false);
  await expect.poll(() => received.ends, waiting).toEqual([[1000, "The terminal has ended."]]);
  expect(site.bugs).toEqual([]);
});

test("lesser tokens and foreign pages open and reach no terminal", async () => {
  const ptyId = at((await site.call("POST", "/pty", { body: { command: "cat" } })).json, "ptyId");
  const target = `/pty/${ptyId}/connect`;
  for (const scope of ["read", "prompt", "approve"] as const) {
    const token = site.tokenOf(scope);
    expect((await site.call("POST", "/pty", { body: {}, token })).status).toBe(403);
    expect((await site.call("GET", `/pty/${ptyId}`, { token })).status).toBe(403);
    const { received } = connect(target, { authorization: `Bearer ${token}` });
    await expect.poll(() => received.ends, waiting).toEqual([403]);
  }
  const foreign = connect(target, { authorization: `Bearer ${site.server.token}`, origin: "http://evil.example" });
  await expect.poll(() => foreign.received.ends, waiting).toEqual([403]);
});
