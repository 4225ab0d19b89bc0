/** Proves what an address of the user's own is sent, which addresses are never asked, and what becomes of bad answers. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createRemoteSummary, type RemoteSummaryParts } from "./remote-summary.ts";

const servers: Server[] = [];
const going = new AbortController().signal;
const request = { systemPrompt: "Sum up.", prompt: "Much was said." };

afterEach(async () => {
  for (const server of servers.splice(0)) {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }
});

type Answer = {
  readonly status?: number;
  readonly body: string;
  readonly headers?: { readonly [name: string]: string };
};

/** Without an answer it stays silent. */
async function serve(answer: Answer | undefined) {
  const received: { readonly line: string; readonly type: string | undefined; readonly body: string }[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ line: `${incoming.method} ${incoming.url}`, type: incoming.headers["content-type"], body });
      if (answer === undefined) return;
      response.writeHead(answer.status ?? 200, answer.headers ?? {});
      response.end(answer.body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}/sum`, host: `127.0.0.1:${port}`, received };
}

const ask = (parts: RemoteSummaryParts, signal = going) => createRemoteSummary(parts)(request, signal);
const failure = (message: string) => ({ ok: false, failure: { code: "connection_error", message, retryable: true } });

test("a listed host is asked once, and its summary is given back", async () => {
  const { endpoint, host, received } = await serve({ body: '{"summary":"Short."}' });
  expect(await ask({ endpoint, allowedHosts: [host] })).toEqual({ ok: true, summary: "Short." });
  expect(received).toEqual([{ line: "POST /sum", type: "application/json", body: JSON.stringify(request) }]);
});

test("nothing goes to private addresses that are not listed, nor unencrypted to others", async () => {
  const { endpoint, received } = await serve({ body: '{"summary":"Short."}' });
  expect(await ask({ endpoint, allowedHosts: [] })).toEqual(
    failure("It is not allowed: 127.0.0.1 is reserved for loopback."),
  );
  const lookUp = async () => ["10.0.0.7"];
  expect(await ask({ endpoint: "https://sum.example/", allowedHosts: [], lookUp })).toMatchObject({
    failure: { message: expect.stringMatching(/^It is not allowed: sum\.example resolves to 10\.0\.0\.7/) },
  });
  expect(await ask({ endpoint: "http://sum.example/", allowedHosts: [], lookUp })).toEqual(
    failure("It is not allowed: it is not encrypted. Use https."),
  );
  expect(await ask({ endpoint: "https://sum.example/", allowedHosts: [], lookUp: async () => [] })).toEqual(
    failure("It is not allowed: sum.example has no address."),
  );
  expect(received).toEqual([]);
});

test("the address that was judged is the one that is connected to", async () => {
  const { endpoint, received } = await serve({ body: '{"summary":"Short."}' });
  const { port } = new URL(endpoint);
  const named = { endpoint: `http://sum.example:${port}/sum`, allowedHosts: [`sum.example:${port}`] };
  expect(await ask({ ...named, lookUp: async () => ["127.0.0.1"] })).toEqual({ ok: true, summary: "Short." });
  expect(received).toHaveLength(1);
});

test.each<[string, Answer, string]>([
  ["a redirection", { status: 302, body: "", headers: { location: "/other" } }, "The response has status 302."],
  ["an error", { status: 500, body: '{"summary":"no"}' }, "The response has status 500."],
  ["no JSON", { body: "Short." }, 'The response is not a JSON object with a string "summary".'],
  ["another member", { body: '{"text":"Short."}' }, 'The response is not a JSON object with a string "summary".'],
  ["too much", { body: "x".repeat(1024 * 1024 + 1) }, "The response is larger than 1048576 bytes."],
])("an answer with %s is a failure", async (_, answer, message) => {
  const { endpoint, host, received } = await serve(answer);
  expect(await ask({ endpoint, allowedHosts: [host] })).toEqual(failure(message));
  expect(received).toHaveLength(1);
});

test("silence, an abort and a dead port are failures", async () => {
  const { endpoint, host } = await serve(undefined);
  expect(await ask({ endpoint, allowedHosts: [host], timeoutMs: 50 })).toEqual(failure("No response within 50 ms."));
  const never = () => new Promise<readonly string[]>(() => undefined);
  expect(await ask({ endpoint: "https://sum.example/", allowedHosts: [], timeoutMs: 50, lookUp: never })).toEqual(
    failure("No response within 50 ms."),
  );
  expect(await ask({ endpoint, allowedHosts: [host] }, AbortSignal.abort())).toEqual(failure("It was canceled."));
  const dead = await serve(undefined);
  servers.pop()?.close();
  expect(await ask({ endpoint: dead.endpoint, allowedHosts: [dead.host] })).toEqual(
    failure("The connection failed (ECONNREFUSED)."),
  );
});
