/** Proves what becomes of calls over HTTP where streams break, resume, flood or answer in ways of their own. */
import type { ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { createStreamReturns } from "../../src/mcp/connection/event-streams.ts";
import { type HttpAct, type HttpScripted, httpScripted, sse, sseHead, text } from "./scripted-server.ts";
import { httpServer, type Tried, tryServer } from "./try-server.ts";

let tried: Tried | undefined;
let http: HttpScripted | undefined;
afterEach(async () => {
  await tried?.close();
  await http?.close();
});

async function connected(act: HttpAct, type: "http" | "sse" = "http"): Promise<Tried & { http: HttpScripted }> {
  const started = await httpScripted(act);
  http = started;
  tried = tryServer(httpServer("odd", started.url, type));
  await tried.live.connect();
  expect(tried.live.state()).toEqual({ state: "connected" });
  return { ...tried, http: started };
}

const onCall =
  (answer: (response: ServerResponse, id: number) => void): HttpAct =>
  (_, response, { method, id = 0 }) => {
    if (method !== "tools/call") return undefined;
    answer(response, id);
    return true;
  };

test.each([
  ["text/html", "<html>Please sign in</html>"],
  ["text/plain", "no"],
  ["application/octet-stream", "\u0000\u0001"],
  ["", ""],
])("an answer of the type %s ends the call with one sentence", async (type, body) => {
  const { call } = await connected(
    onCall((response) => response.writeHead(200, type === "" ? {} : { "content-type": type }).end(body)),
  );
  const { output, isError } = await call("act");
  expect([isError, output]).toEqual([true, "act of the MCP server odd failed."]);
});

test.each([204, 202, 400, 403, 413, 429, 502])("the status %s to a call ends it", async (status) => {
  const { call } = await connected(onCall((response) => response.writeHead(status).end()));
  const { output, isError } = await call("act");
  expect([isError, output.length < 300]).toEqual([true, true]);
});

test("an answer whose media type has parameters and capitals is read", async () => {
  const { call } = await connected(
    onCall((response, id) =>
      response
        .writeHead(200, { "content-type": "Application/JSON; Charset=UTF-8" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result: text("read") })),
    ),
  );
  expect((await call("act")).output).toContain("read");
});

test("JSON that breaks off ends the call", async () => {
  const { call } = await connected(
    onCall((response, id) =>
      response.writeHead(200, { "content-type": "application/json" }).end(`{"jsonrpc":"2.0","id":${id},"resu`),
    ),
  );
  expect((await call("act")).isError).toBe(true);
});

test("an answer in a list of messages, as older servers send it, is read", async () => {
  const { call } = await connected(
    onCall((response, id) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify([{ jsonrpc: "2.0", id, result: text("from a list") }])),
    ),
  );
  expect((await call("act")).output).toContain("from a list");
});

test("events in pieces, with comments, other names, carriage returns and several data lines are put together", async () => {
  const { call } = await connected(
    onCall((response, id) => {
      const message = JSON.stringify({ jsonrpc: "2.0", id, result: text("whole ✓") }, null, 1).split("\n");
      const event = Buffer.from(
        `: hello\r\n\r\nevent: other\r\ndata: {}\r\n\r\n${message.map((line) => `data: ${line}\r\n`).join("")}\r\n`,
      );
      response.writeHead(200, sseHead);
      for (const byte of event) response.write(Buffer.from([byte]));
      response.end();
    }),
  );
  expect((await call("act")).output).toContain("whole ✓");
});

test("a stream that breaks behind an event with an id is resumed where it broke, and the call is made once", async () => {
  const { call, http } = await connected((request, response, { method, id = 0 }) => {
    if (method === "tools/call") {
      open = id;
      response.writeHead(200, sseHead);
      response.write(`id: 7\nretry: 10\ndata:\n\n`, () => response.destroy());
      return true;
    }
    if (request.headers["last-event-id"] !== "7") return undefined;
    response.writeHead(200, sseHead).end(sse({ jsonrpc: "2.0", id: open, result: text("resumed") }, "8"));
    return true;
  });
  expect((await call("act")).output).toContain("resumed");
  expect(http.requests.filter(({ rpc }) => rpc === "tools/call")).toHaveLength(1);
});
let open = 0;

test("a stream that cannot be resumed ends the call, and the call is not made again", async () => {
  const { call, http } = await connected((_, response, { method }) => {
    if (method !== "tools/call") return undefined;
    response.writeHead(200, sseHead);
    response.write("id: 7\nretry: 10\ndata:\n\n", () => response.destroy());
    return true;
  });
  const { output, isError } = await call("act");
  expect([isError, output]).toEqual([true, expect.stringContaining("did not finish")]);
  expect(http.requests.filter(({ rpc }) => rpc === "tools/call")).toHaveLength(1);
});

test("a stream that ends at once and asks to come back at once is not opened without rest", () => {
  const delays: number[] = [];
  let nowMs = 0;
  const schedule = createStreamReturns({
    now: () => nowMs,
    later(_, delayMs) {
      delays.push(delayMs);
      return () => undefined;
    },
  });
  for (let at = 0; at < 12; at += 1) schedule(() => undefined, 0, 0);
  schedule(() => undefined, 5_000, 0);
  nowMs += 61_000;
  schedule(() => undefined, 0, 0);
  expect(delays).toEqual([...Array<number>(10).fill(100), 1_000, 1_000, 5_000, 100]);
});

test("twenty thousand notices in front of an answer are mostly passed over", async () => {
  const { call, live } = await connected(
    onCall((response, id) => {
      response.writeHead(200, sseHead);
      const notice = sse({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }).repeat(1_000);
      for (let at = 0; at < 20; at += 1) response.write(notice);
      response.end(sse({ jsonrpc: "2.0", id, result: text("after the flood") }));
    }),
  );
  expect((await call("act")).output).toContain("after the flood");
  expect(live.log.text()).toContain("It sends more notices or requests than are read.");
});

test("a session that is forgotten in the middle of a call: it is opened again, and the call is made once more", async () => {
  let sessions = 0;
  const { call, http } = await connected((request, response, { method, id }) => {
    if (method === "initialize") {
      sessions += 1;
      const result = {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "o", version: "1" },
      };
      response
        .writeHead(200, { "content-type": "application/json", "mcp-session-id": `s${sessions}` })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      return true;
    }
    if (method !== "tools/call" || request.headers["mcp-session-id"] !== "s1") return undefined;
    response.writeHead(404).end();
    return true;
  });
  expect((await call("act")).output).toContain("done");
  expect([sessions, http.requests.filter(({ rpc }) => rpc === "tools/call").length]).toEqual([2, 2]);
});

test("headers that a command prints go with every request, and a command that fails is told in one sentence", async () => {
  const seen = new Set<string | undefined>();
  http = await httpScripted((request) => {
    seen.add(request.headers["x-token"]?.toString());
    return undefined;
  });
  const server = httpServer("odd", http.url);
  const helped = (headersHelper: string) =>
    tryServer({ ...server, transport: { ...server.transport, headersHelper } as typeof server.transport });
  tried = helped(`printf '{"x-token": "%s at %s"}' "$CLAUDE_CODE_MCP_SERVER_NAME" here`);
  await tried.live.connect();
  expect([tried.live.state().state, [...seen]]).toEqual(["connected", ["odd at here"]]);
  await tried.close();
  tried = helped("echo secret >&2; echo no; exit 3");
  await tried.live.connect();
  expect(tried.live.state()).toEqual({
    state: "failed",
    error: "its headersHelper did not print a JSON object of headers",
  });
});

/** The transport of before: a stream for answers, another address for requests. */
function legacy(onCallSent: (stream: ServerResponse, id: number) => void): { act: HttpAct; streams: ServerResponse[] } {
  const streams: ServerResponse[] = [];
  const act: HttpAct = (request, response, asked) => {
    if (request.method === "GET") {
      streams.push(response);
      response.writeHead(200, sseHead);
      return response.write(`event: endpoint\ndata: /messages?stream=${streams.length}\n\n`) || true;
    }
    const { method = "", id } = asked;
    const stream = streams[Number(new URL(request.url ?? "", "http://x").searchParams.get("stream")) - 1];
    if (stream === undefined) return response.writeHead(404).end() && true;
    response.writeHead(202).end();
    const result = {
      initialize: {
        protocolVersion: "2024-11-05",
        capabilities: { tools: {} },
        serverInfo: { name: "old", version: "1" },
      },
      "tools/list": { tools: [{ name: "act", inputSchema: { type: "object" } }] },
    }[method];
    if (method === "tools/call") onCallSent(stream, id ?? 0);
    else if (result !== undefined) stream.write(sse({ jsonrpc: "2.0", id, result }));
    else if (id !== undefined)
      stream.write(sse({ jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } }));
    return true;
  };
  return { act, streams };
}

test("the old transport: a stream that breaks in the middle of a call ends the call, and the next call works", async () => {
  let calls = 0;
  const { act, streams } = legacy((stream, id) => {
    calls += 1;
    if (calls === 1) stream.destroy();
    else stream.write(sse({ jsonrpc: "2.0", id, result: text("on a new stream") }));
  });
  const { call } = await connected(act, "sse");
  expect(await call("act")).toMatchObject({ isError: true, output: expect.stringContaining("did not finish") });
  expect((await call("act")).output).toContain("on a new stream");
  expect([calls, streams.length]).toEqual([2, 2]);
});

test("the old transport: an address for requests at another origin is refused", async () => {
  http = await httpScripted((request, response) => {
    if (request.method !== "GET") return undefined;
    response.writeHead(200, sseHead);
    return response.write("event: endpoint\ndata: http://169.254.169.254/latest\n\n") || true;
  });
  tried = tryServer(httpServer("odd", http.url, "sse"));
  await tried.live.connect();
  expect(tried.live.state().state).toBe("failed");
});
