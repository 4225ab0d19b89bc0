/** Proves that TLS is checked, resumed and shared, with a certificate made for the test. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import type { ModelEvent } from "@kedge/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleRequest } from "../../test/sample-request.ts";
import { createOpenAiChatProvider } from "../chat/openai-chat.ts";

const run = promisify(execFile);

const request = sampleRequest([{ role: "user", text: "hi" }]);
const sse = [{ content: "Safe." }, {}].map((delta, index) =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason: index === 0 ? null : "stop" }] }),
);
const answer = [...sse, "[DONE]"].map((data) => `data: ${data}\n\n`);

type SeenRequest = { readonly port: number | undefined; readonly [fact: string]: unknown };

let directory: string;
let certificate: string;
let server: Server;
let port: number;
const seen: SeenRequest[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "kedge-tls-"));
  certificate = join(directory, "certificate.pem");
  const key = join(directory, "key.pem");
  const form = ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  await run("openssl", [...form, ...names, "-keyout", key, "-out", certificate]);
  server = createServer({ key: await readFile(key), cert: await readFile(certificate) }, (incoming, response) => {
    // An HTTPS server has no other sockets.
    const socket = incoming.socket as TLSSocket & { readonly servername?: string };
    seen.push({
      port: socket.remotePort,
      protocol: socket.alpnProtocol,
      name: socket.servername,
      resumed: socket.isSessionReused(),
    });
    // The first connection is closed, so that the second one can show that it resumes the session.
    const headers = { "content-type": "text/event-stream", ...(seen.length === 1 ? { connection: "close" } : {}) };
    response.writeHead(200, headers);
    for (const event of answer) response.write(event);
    response.end();
  });
  server.keepAliveTimeout = 120_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on TCP has such an address.
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  await rm(directory, { recursive: true });
});

test("a certificate that nobody vouches for is refused before anything is sent", async () => {
  const provider = createOpenAiChatProvider({ baseUrl: `https://localhost:${port}/v1` });
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, new AbortController().signal)) events.push(event);
  expect(events).toMatchObject([{ type: "failed", failure: { code: "ssl_cert_error", retryable: false } }]);
  expect(seen).toEqual([]);
});

test("a trusted server is named, its session resumed, its connection shared and not waited for", async () => {
  const entry = new URL("../chat/openai-chat.ts", import.meta.url).href;
  const program = `
    const { createOpenAiChatProvider } = await import(${JSON.stringify(entry)});
    const provider = createOpenAiChatProvider({ baseUrl: "https://localhost:${port}/v1" });
    const types = [];
    for (let turn = 0; turn < 3; turn++) {
      for await (const event of provider.stream(${JSON.stringify(request)}, new AbortController().signal))
        types.push(event.type === "text-delta" ? event.text : event.type);
    }
    console.log(JSON.stringify(types));
  `;
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate };
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { env });
  expect(JSON.parse(stdout)).toEqual(["Safe.", "end", "Safe.", "end", "Safe.", "end"]);
  const [first, second] = seen.map((one) => one.port);
  expect(seen).toEqual([
    { port: first, protocol: "http/1.1", name: "localhost", resumed: false },
    { port: second, protocol: "http/1.1", name: "localhost", resumed: true },
    { port: second, protocol: "http/1.1", name: "localhost", resumed: true },
  ]);
  expect(second).not.toBe(first);
});

test("a certificate for another name is refused, also when its issuer is trusted", async () => {
  const entry = new URL("../chat/openai-chat.ts", import.meta.url).href;
  const program = `
    const { createOpenAiChatProvider } = await import(${JSON.stringify(entry)});
    const provider = createOpenAiChatProvider({ baseUrl: "https://127.0.0.1:${port}/v1" });
    for await (const event of provider.stream(${JSON.stringify(request)}, new AbortController().signal))
      console.log(event.failure.code);
  `;
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate };
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { env });
  expect(stdout).toBe("ssl_cert_error\n");
});
