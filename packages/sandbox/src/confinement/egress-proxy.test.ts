import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type EgressProxy, openEgressProxy } from "./egress-proxy.ts";

let directory: string;
let socketPath: string;
let server: Server;
let port: number;
let proxy: EgressProxy;
let asked: string[];
let isPermitted: boolean;

const askHost = async (host: string) => {
  asked.push(host);
  return isPermitted;
};

beforeEach(async () => {
  [asked, isPermitted] = [[], false];
  directory = mkdtempSync(join(tmpdir(), "kedge-proxy-"));
  socketPath = join(directory, "proxy");
  server = createServer(async (asked, answer) => {
    const body = await text(asked);
    answer.end(JSON.stringify({ method: asked.method, url: asked.url, body, headers: asked.headers }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  const names: Readonly<Record<string, readonly string[]>> = { "known.example": ["127.0.0.1"] };
  proxy = await openEgressProxy({
    socketPath,
    allowedHosts: [`known.example:${port}`, "known.example", "unknown.example:80", "127.0.0.1:9"],
    lookUp: async (name) => names[name] ?? [],
    askerOf: (word) => (word === "own" ? askHost : undefined),
  });
});
afterEach(() => {
  proxy.close();
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

type Asked = {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
};

async function ask({
  body,
  ...options
}: Asked): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath, ...options }, resolve)
      .on("error", reject)
      .end(body);
  });
  return { status: answer.statusCode, body: await text(answer) };
}

test("a request is passed on with its body, under the name that was judged, without what belongs to the proxy", async () => {
  const answer = await ask({
    method: "POST",
    path: `http://known.example:${port}/a?b=c`,
    body: "content",
    headers: { host: "elsewhere.example", "proxy-authorization": "Basic secret", "x-own": "1" },
  });
  expect(answer.status).toBe(200);
  const seen: unknown = JSON.parse(answer.body);
  expect(seen).toEqual({
    method: "POST",
    url: "/a?b=c",
    body: "content",
    headers: { host: `known.example:${port}`, "x-own": "1", "content-length": "7", connection: "close" },
  });
});

test.each([
  [
    "a host that is not on the list",
    "http://other.example/",
    /^The sandbox of kedge refuses other\.example: .*"other\.example" to sandbox\.allowedHosts/,
  ],
  [
    "a private address behind a name without its port",
    "http://known.example/",
    /resolves to 127\.0\.0\.1, which is reserved for loopback/,
  ],
  ["a name that has no address", "http://unknown.example/", /has no address/],
  ["the metadata of a cloud", "http://169.254.169.254/latest", /refuses 169\.254\.169\.254/],
])("refuses %s", async (_what, path, sentence) => {
  expect(await ask({ path })).toEqual({ status: 403, body: expect.stringMatching(sentence) });
});

test("says what failed when an allowed host does not answer", async () => {
  expect(await ask({ path: "http://127.0.0.1:9/" })).toEqual({
    status: 502,
    body: expect.stringContaining("127.0.0.1:9"),
  });
});

test("is no server itself", async () => {
  expect(await ask({ path: "/" })).toMatchObject({ status: 400 });
  expect(await ask({ path: `https://known.example:${port}/` })).toMatchObject({ status: 400 });
});

test("headers have a limit", async () => {
  const headers = { "x-long": "a".repeat(20_000) };
  expect(await ask({ path: `http://known.example:${port}/`, headers })).toMatchObject({ status: 431 });
});

const authorization = (word: string) => `Basic ${Buffer.from(`command:${word}`).toString("base64")}`;
const asCommand = (path: string, word = "own") =>
  ask({ path, headers: { "proxy-authorization": authorization(word) } });

test("about a host that is not on the list the command that waits is asked for, by its word", async () => {
  const path = `http://127.0.0.1:${port}/x`;
  expect((await asCommand(path)).status).toBe(403);
  isPermitted = true;
  expect(await asCommand(path)).toMatchObject({ status: 200, body: expect.stringContaining('"url":"/x"') });
  expect(asked).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${port}`]);
});

test("nobody is asked on behalf of a stranger, about a host on the list, or about what stays refused", async () => {
  isPermitted = true;
  const own = `http://127.0.0.1:${port}/`;
  expect((await asCommand(own, "other")).status).toBe(403);
  expect((await ask({ path: own })).status).toBe(403);
  expect((await asCommand(`http://known.example:${port}/`)).status).toBe(200);
  expect((await asCommand(`http://localhost:${port}/`)).status).toBe(403);
  expect(asked).toEqual([]);
});

test("a name that was permitted and leads inside stays refused", async () => {
  isPermitted = true;
  const answer = await asCommand("http://known.example:8/");
  expect(answer).toMatchObject({ status: 403, body: expect.stringContaining("127.0.0.1") });
  expect(asked).toEqual(["known.example:8"]);
});
