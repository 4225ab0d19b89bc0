/** Proves that requests pass through proxies, and that own authorities are trusted, with certificates made for the test. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer as createHttpServer, type Server as HttpServer, request as sendRequest } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ModelEvent } from "@kedge/protocol";
import { startMockModel } from "@kedge/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sampleRequest } from "../../test/sample-request.ts";
import { createOpenAiChatProvider } from "../chat/openai-chat.ts";
import type { WireProviderOptions } from "../wire/wire-provider.ts";
import { parseHttpProxy } from "./network.ts";

const run = promisify(execFile);

const request = sampleRequest([{ role: "user", text: "hi" }]);
const frames = [{ content: "Safe." }, {}].map((delta, index) =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason: index === 0 ? null : "stop" }] }),
);
const answer = [...frames, "[DONE]"].map((data) => `data: ${data}\n\n`).join("");

let directory: string;
let ca: string;
let key: string;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "kedge-proxy-"));
  const files = { key: join(directory, "key.pem"), certificate: join(directory, "certificate.pem") };
  const form = ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  await run("openssl", [...form, ...names, "-keyout", files.key, "-out", files.certificate]);
  [ca, key] = await Promise.all([readFile(files.certificate, "utf8"), readFile(files.key, "utf8")]);
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

afterAll(() => rm(directory, { recursive: true }));

async function listen(server: HttpServer | HttpsServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  // A server that listens on TCP has such an address.
  return (server.address() as AddressInfo).port;
}

/** A vendor that is reached by TLS only. */
async function startVendor(): Promise<string> {
  const server = createHttpsServer({ key, cert: ca }, (_incoming, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(answer);
  });
  server.keepAliveTimeout = 120_000;
  return `https://localhost:${await listen(server)}/v1`;
}

type Seen = { readonly asked: string; readonly authorization: string | undefined };

type ProxyOptions = { readonly isSecure?: boolean; readonly refuseWith?: string };

/** Passes on whole requests and tunnels, to loopback whatever the name. */
async function startProxy({ isSecure = false, refuseWith }: ProxyOptions = {}) {
  const seen: Seen[] = [];
  const server = isSecure ? createHttpsServer({ key, cert: ca }) : createHttpServer();
  server.on("request", (incoming, response) => {
    seen.push({
      asked: `${incoming.method} ${incoming.url}`,
      authorization: incoming.headers["proxy-authorization"],
    });
    const { "proxy-authorization": _own, ...headers } = incoming.headers;
    const onward = sendRequest(incoming.url ?? "", { method: "POST", headers }, (vendor) => {
      response.writeHead(vendor.statusCode ?? 500, vendor.headers);
      vendor.pipe(response);
    });
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, client: Socket) => {
    seen.push({ asked: `CONNECT ${incoming.url}`, authorization: incoming.headers["proxy-authorization"] });
    client.on("error", () => client.destroy());
    if (refuseWith !== undefined) {
      client.end(`HTTP/1.1 ${refuseWith}\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const port = Number(incoming.url?.split(":")[1]);
    const onward = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    onward.on("error", () => client.destroy());
    client.on("close", () => onward.destroy());
  });
  const port = await listen(server);
  return { seen, port };
}

async function ask(options: WireProviderOptions, turns = 1): Promise<readonly ModelEvent[]> {
  const provider = createOpenAiChatProvider(options);
  const events: ModelEvent[] = [];
  for (let turn = 0; turn < turns; turn++) {
    for await (const event of provider.stream(request, new AbortController().signal)) events.push(event);
  }
  return events;
}

const typesOf = (events: readonly ModelEvent[]) => events.map(({ type }) => type);

test("a given authority is trusted besides those of the system", async () => {
  const baseUrl = await startVendor();
  expect(await ask({ baseUrl })).toMatchObject([{ failure: { code: "ssl_cert_error" } }]);
  expect(typesOf(await ask({ baseUrl, ca }))).toEqual(["text-delta", "end"]);
});

test("what needs no TLS is fetched by the proxy, on one connection", async () => {
  const mock = await startMockModel({ script: [] });
  closers.push(mock.close);
  const { seen, port } = await startProxy();
  const events = await ask({ baseUrl: mock.baseUrl, proxy: `http://me:a%20secret@127.0.0.1:${port}` }, 2);
  expect(typesOf(events)).toEqual(["text-delta", "end", "text-delta", "end"]);
  const asked = `POST ${mock.baseUrl}/chat/completions`;
  const authorization = `Basic ${Buffer.from("me:a secret").toString("base64")}`;
  expect(seen).toEqual([
    { asked, authorization },
    { asked, authorization },
  ]);
  expect(mock.requests.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/chat/completions"]);
});

test.each([
  ["http", false],
  ["https", true],
])("TLS goes through a tunnel of an %s proxy, which is kept for the next request", async (protocol, isSecure) => {
  const baseUrl = await startVendor();
  const { seen, port } = await startProxy({ isSecure });
  const events = await ask({ baseUrl, ca, proxy: `${protocol}://me:secret@localhost:${port}` }, 3);
  expect(typesOf(events)).toEqual(["text-delta", "end", "text-delta", "end", "text-delta", "end"]);
  const authorization = `Basic ${Buffer.from("me:secret").toString("base64")}`;
  expect(seen).toEqual([{ asked: `CONNECT ${new URL(baseUrl).host}`, authorization }]);
});

test("the vendor's certificate is checked behind the tunnel", async () => {
  const { port } = await startProxy();
  const events = await ask({ baseUrl: await startVendor(), proxy: `http://127.0.0.1:${port}` });
  expect(events).toMatchObject([{ type: "failed", failure: { code: "ssl_cert_error" } }]);
});

test.each([
  ["407 Proxy Authentication Required", "configuration", "requires a user name and password"],
  ["502 Bad Gateway", "connection_error", "The proxy refused to connect to localhost"],
])("a proxy that refuses with %s is named", async (refuseWith, code, sentence) => {
  const { port } = await startProxy({ refuseWith });
  const events = await ask({ baseUrl: await startVendor(), proxy: `http://127.0.0.1:${port}` });
  expect(events).toMatchObject([{ type: "failed", failure: { code, message: expect.stringContaining(sentence) } }]);
});

test("a proxy that does not exist cannot be reached", async () => {
  const events = await ask({ baseUrl: await startVendor(), proxy: "http://127.0.0.1:1" });
  expect(events).toMatchObject([{ type: "failed", failure: { code: "connection_error" } }]);
});

test("an abort while the tunnel is asked for ends at once, and closes the connection to the proxy", async () => {
  const controller = new AbortController();
  const server = createHttpServer();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // The tunnel is never granted.
  server.on("connect", (_incoming, client: Socket) => {
    client.on("error", () => client.destroy());
    client.on("end", resolve).resume();
    controller.abort();
  });
  const port = await listen(server);
  const provider = createOpenAiChatProvider({ baseUrl: "https://localhost/v1", proxy: `http://127.0.0.1:${port}` });
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, controller.signal)) events.push(event);
  expect(events).toMatchObject([{ type: "failed", failure: { code: "aborted" } }]);
  await closed;
});

test("a process does not wait for a tunnel that is kept", async () => {
  const baseUrl = await startVendor();
  const { port } = await startProxy();
  const entry = new URL("../chat/openai-chat.ts", import.meta.url).href;
  const options = JSON.stringify({ baseUrl, ca, proxy: `http://127.0.0.1:${port}` });
  const program = `
    const { createOpenAiChatProvider } = await import(${JSON.stringify(entry)});
    const provider = createOpenAiChatProvider(${options});
    for await (const event of provider.stream(${JSON.stringify(request)}, new AbortController().signal))
      console.log(event.type);
  `;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program]);
  expect(stdout).toBe("text-delta\nend\n");
});

test("only http and https URLs name a proxy", () => {
  expect(() => parseHttpProxy("socks5://127.0.0.1:1080")).toThrow("A proxy needs an http or https URL.");
  expect(parseHttpProxy("http://127.0.0.1:3128")).toEqual({ url: new URL("http://127.0.0.1:3128") });
});
