/** Proves how a remote server is asked: sign-ins, redirects, forgotten sessions, outages and the way back. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RemoteFake, startRemoteFake } from "./remote-server.ts";
import { httpServer, type Tried, type TryParts, tryServer } from "./try-server.ts";

let fake: RemoteFake;
let tried: Tried | undefined;
beforeEach(async () => {
  fake = await startRemoteFake();
});
afterEach(async () => {
  await tried?.close();
  await fake.close();
});

const open = (parts: TryParts = {}) => tryServer(httpServer("remote", `http://127.0.0.1:${fake.port}/mcp`), parts);
const total = () => [...fake.counts.values()].reduce((sum, count) => sum + count, 0);
const done = { output: expect.stringContaining("fine is done") };

test("a 401 needs a sign-in, and nobody asks again for fifteen minutes", async () => {
  let time = 0;
  tried = open({ now: () => time });
  fake.behave("401");
  await tried.live.connect();
  expect(tried.live.state()).toEqual({ state: "needs-auth" });
  const before = total();
  time = 14 * 60_000;
  await tried.live.connect();
  expect(total()).toBe(before);
  fake.behave("none");
  time = 16 * 60_000;
  await tried.live.connect();
  expect(tried.live.state()).toEqual({ state: "connected" });
});

test("a sign-in in between counts at once", async () => {
  tried = open();
  fake.behave("401");
  await tried.live.connect();
  fake.behave("none");
  await tried.live.reconnect();
  expect(tried.live.state()).toEqual({ state: "connected" });
});

test("a 401 in a call tells the model what to tell the user", async () => {
  tried = open();
  await tried.live.connect();
  fake.behave("401");
  expect(await tried.call("fine")).toMatchObject({
    isError: true,
    output: "The MCP server remote needs a sign-in. Tell the user to run: kedge mcp auth remote. Continue without it.",
  });
  expect(tried.live.state()).toEqual({ state: "needs-auth" });
});

test("a redirect to another origin is not followed", async () => {
  const asked: string[] = [];
  tried = open({
    refuseAddress(url) {
      asked.push(new URL(url).hostname);
      return undefined;
    },
  });
  fake.behave("redirect");
  await tried.live.connect();
  expect(tried.live.state()).toMatchObject({ state: "failed" });
  expect(asked).not.toContain("169.254.169.254");
});

test("an address that may not be asked is never asked", async () => {
  tried = open({ refuseAddress: () => "it is private" });
  await tried.live.connect();
  expect(tried.live.state()).toMatchObject({ state: "failed", error: expect.stringContaining("it is private") });
  expect(total()).toBe(0);
});

test("a forgotten session is opened again, and the call that never arrived is made once more", async () => {
  tried = open();
  await tried.live.connect();
  fake.behave("expired");
  expect(await tried.call("fine")).toMatchObject(done);
  expect(fake.counts.get("initialize")).toBe(2);
});

test("a server in an outage answers with one sentence and without its insides", async () => {
  tried = open();
  await tried.live.connect();
  fake.behave("500");
  const { output, isError } = await tried.call("fine");
  expect(isError).toBe(true);
  expect(output).toBe("fine of the MCP server remote failed.");
  fake.behave("none");
  expect(await tried.call("fine")).toMatchObject(done);
});

test.each(["endless line", "endless event"] as const)("an answer that is an %s is cut off", async (how) => {
  tried = open();
  await tried.live.connect();
  fake.behave(how);
  expect(await tried.call("fine")).toMatchObject({
    isError: true,
    output: "fine of the MCP server remote answered with more than 32 MB, which is not read. Ask for less.",
  });
  fake.behave("none");
  expect(await tried.call("fine")).toMatchObject(done);
});

test.each(["no answer", "another id"] as const)("a request that gets %s ends", async (how) => {
  tried = open();
  await tried.live.connect();
  fake.behave(how);
  expect(await tried.call("fine")).toMatchObject({
    isError: true,
    output:
      "fine of the MCP server remote did not finish: the connection ended without an answer. Whether it had an effect is unknown.",
  });
  fake.behave("none");
  expect(await tried.call("fine")).toMatchObject(done);
});

test("over WebSocket it is called, and comes back by itself", async () => {
  const delays: number[] = [];
  const due: (() => void)[] = [];
  tried = tryServer(httpServer("remote", `ws://127.0.0.1:${fake.port}/`, "ws"), {
    later(work, delayMs) {
      delays.push(delayMs);
      due.push(work);
      return () => undefined;
    },
  });
  await tried.live.connect();
  expect(await tried.call("fine")).toMatchObject(done);
  const until = (state: string) =>
    new Promise<void>((resolve) => {
      const look = () => tried?.live.state().state === state && resolve();
      tried?.live.subscribe(look);
      look();
    });
  const lost = until("pending");
  fake.dropSockets();
  await lost;
  expect(tried.live.state()).toEqual({ state: "pending", attempt: 2 });
  const back = until("connected");
  due.shift()?.();
  await back;
  expect(delays).toEqual([1_000]);
  expect(await tried.call("fine")).toMatchObject(done);
});

test("what stands at an address in place of a server is named, and a handshake can ask for a sign-in", async () => {
  const other = createServer((asked, answer) => {
    if (asked.url === "/page") answer.setHeader("content-type", "text/html");
    answer.writeHead(asked.url === "/page" ? 200 : 302, { location: "http://169.254.169.254/" }).end("<p>Hello</p>");
  });
  other.on("upgrade", (asked, socket) => socket.end(`HTTP/1.1 ${asked.url?.slice(1)} Refused\r\n\r\n`));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  try {
    for (const [url, state] of [
      ["http:page", { state: "failed", error: "there is no MCP server at its URL, but a page or a file" }],
      ["http:away", { state: "failed", error: "its URL redirects elsewhere (HTTP 302), which is not followed" }],
      ["ws:401", { state: "needs-auth" }],
      ["ws:503", { state: "failed", error: "it answered with HTTP 503" }],
    ] as const) {
      const [scheme, path] = url.split(":");
      const type = scheme === "ws" ? "ws" : "http";
      tried = tryServer(httpServer("other", `${type}://127.0.0.1:${port}/${path}`, type));
      await tried.live.connect();
      expect(tried.live.state()).toEqual(state);
      await tried.close();
    }
  } finally {
    other.close();
  }
});

test("a call that was under way when the connection was lost is made once more only if that does no harm", async () => {
  tried = tryServer(httpServer("remote", `ws://127.0.0.1:${fake.port}/`, "ws"));
  await tried.live.connect();
  fake.behave("drops a call");
  expect(await tried.call("repeatable")).toMatchObject({ output: expect.stringContaining("repeatable is done") });
  expect(fake.counts.get("tools/call")).toBe(2);
  fake.behave("drops a call");
  expect(await tried.call("fine")).toMatchObject({
    isError: true,
    output: expect.stringContaining("Whether it had an effect is unknown"),
  });
  expect(fake.counts.get("tools/call")).toBe(3);
});
