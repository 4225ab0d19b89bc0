/** Proves with the real program that remote servers are reached through the proxy of a setting or of the environment. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { type SmallHttpServer, startSmallHttpServer } from "./small-http-server.ts";

let bench: Workbench;
let server: SmallHttpServer;
let proxy: Server;
const seen: string[] = [];

afterEach(async () => {
  seen.length = 0;
  proxy.closeAllConnections();
  proxy.close();
  server.close();
  await bench.close();
});

/** Knows one host, which nobody else can resolve, and fetches from the server of the test in its place. */
async function openProxy(): Promise<string> {
  server = await startSmallHttpServer();
  proxy = createServer((asked: IncomingMessage, answer: ServerResponse) => {
    seen.push(`${asked.method} ${asked.url} ${asked.headers["proxy-authorization"] ?? "-"}`);
    const { "proxy-authorization": _, ...headers } = asked.headers;
    const path = new URL(asked.url ?? "").pathname;
    const onward = request({ host: "127.0.0.1", port: server.port, path, method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    asked.pipe(onward);
  });
  proxy.on("connect", (asked, socket) => {
    seen.push(`CONNECT ${asked.url}`);
    const onward = connect(server.port, "127.0.0.1", () => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
    onward.on("close", () => socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has such an address.
  return `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const host = "tracker.corp.example";

test("by the setting, with its user name and password", async () => {
  const address = await openProxy();
  bench = await openWorkbench([], {
    mcp: { tracker: { url: `http://${host}/mcp` } },
    network: { proxy: `http://me:secret@${address}` },
  });
  const { code, stdout } = await bench.run(["mcp", "test", "tracker", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    state: "connected",
    tools: ["mcp__tracker__fine"],
  });
  expect(code).toBe(0);
  const authorization = `Basic ${Buffer.from("me:secret").toString("base64")}`;
  expect(seen[0]).toBe(`POST http://${host}/mcp ${authorization}`);
  // The server knows nothing of sign-ins; what counts here is the way on which it was asked.
  expect((await bench.run(["mcp", "auth", "tracker"])).code).toBe(1);
  expect(seen).toContain(`GET http://${host}/.well-known/oauth-protected-resource/mcp ${authorization}`);
});

test("by the environment, and in sessions too", async () => {
  const address = await openProxy();
  bench = await openWorkbench([{ toolCalls: [{ name: "mcp__tracker__fine", input: {} }] }, { text: "Done." }], {
    mcp: { tracker: { url: `http://${host}/mcp` } },
    permission: { "mcp__*": "allow" },
  });
  const environment = { HTTP_PROXY: `http://${address}`, NO_PROXY: "127.0.0.1" };
  const { stdout } = await bench.run(["-p", "go", "--output-format", "stream-json"], { environment });
  expect(stdout).toContain("fine is done");
});

test("with TLS a tunnel is asked for, and a refusal of the proxy is told", async () => {
  const address = await openProxy();
  bench = await openWorkbench([], {
    mcp: { tracker: { url: `https://${host}/mcp` }, live: { url: `wss://${host}:8443/mcp` } },
    network: { proxy: `http://${address}` },
  });
  const { stdout } = await bench.run(["mcp", "list", "--check", "--json"]);
  expect(seen).toEqual(expect.arrayContaining([`CONNECT ${host}:443`, `CONNECT ${host}:8443`]));
  const refused = { state: "failed", error: expect.stringContaining("proxy refused with status 403") };
  expect(JSON.parse(stdout).servers).toMatchObject([
    { name: "live", ...refused },
    { name: "tracker", ...refused },
  ]);
});

test("an address of a metadata service is refused before the proxy is asked", async () => {
  const address = await openProxy();
  bench = await openWorkbench([], {
    mcp: { evil: { url: "http://169.254.169.254/mcp" } },
    network: { proxy: `http://${address}` },
  });
  const { stdout } = await bench.run(["mcp", "test", "evil", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    state: "failed",
    error: expect.stringContaining("its URL is not allowed"),
  });
  expect(seen).toEqual([]);
});
