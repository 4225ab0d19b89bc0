/** Proves what the Client makes of requests and of every answer that a server, or something else, can give. */
import { headerNames, protocolVersion } from "@kedge/protocol";
import { afterEach, expect, test } from "vitest";
import { createClient } from "../src/index.ts";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

let server: LoopbackServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Given = {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: { readonly [name: string]: string };
};

async function clientOf({ status = 200, body = "{}", headers = {} }: Given) {
  server = await startLoopbackServer((response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body);
  });
  return { server, client: createClient({ url: `${server.url}/`, token: "secret", directory: "/somewhere/über" }) };
}

test("fields go into the path, the query or the body, and who asks and where into headers", async () => {
  const { server, client } = await clientOf({});
  await client.send<"prompt.submit">(
    { type: "prompt.submit", sessionId: "ses_/?", text: "hi", delivery: "steer", options: {} },
    { idempotencyKey: "key-1" },
  );
  await client.send<"prompt.withdraw">({ type: "prompt.withdraw", sessionId: "ses_1", promptId: "prm_1" });
  await client.ask<"text.find">({ type: "text.find", pattern: "a&b =", limit: 5 });
  const sent = server.requests.map(({ method, url, body }) => [method, url, body]);
  expect(sent).toEqual([
    ["POST", "/session/ses_%2F%3F/prompt_async", '{"text":"hi","delivery":"steer","options":{}}'],
    ["DELETE", "/session/ses_1/prompt/prm_1", ""],
    ["GET", "/find?pattern=a%26b+%3D&limit=5", ""],
  ]);
  expect(server.requests[0]?.headers).toMatchObject({
    authorization: "Bearer secret",
    "content-type": "application/json",
    [headerNames.idempotencyKey]: "key-1",
    [headerNames.protocol]: protocolVersion,
    [headerNames.directory]: encodeURIComponent("/somewhere/über"),
  });
  expect(server.requests[2]?.headers["content-type"]).toBeUndefined();
});

const kedgeError = (error: object) => JSON.stringify({ error });

test.each<[string, Given, object]>([
  [
    "a failure of the engine as it is",
    {
      status: 409,
      body: kedgeError({ code: "changed_since", message: "Changed.", recovery: "Look.", retryable: false }),
    },
    { code: "changed_since", message: "Changed.", recovery: "Look.", retryable: false },
  ],
  [
    "a refusal of the server as what comes nearest",
    { status: 409, body: kedgeError({ code: "already_answered", message: "Answered." }) },
    { code: "not_found", message: "Answered.", retryable: false },
  ],
  [
    "a wrong token",
    { status: 401, body: kedgeError({ code: "unauthorized", message: "Not valid." }) },
    { code: "auth_error", message: "Not valid.", retryable: false, status: 401 },
  ],
  [
    "a lock-out with its time",
    { status: 429, body: kedgeError({ code: "locked_out", message: "Wait." }), headers: { "retry-after": "60" } },
    { code: "rate_limit", message: "Wait.", retryable: true, status: 429, retryAfterMs: 60_000 },
  ],
  [
    "a proxy that fails",
    { status: 502, body: "<html>Bad gateway</html>" },
    { code: "server_error", message: "The server answered with status 502.", retryable: true, status: 502 },
  ],
  [
    "another major protocol",
    { status: 200, headers: { [headerNames.protocol]: "9.1" } },
    {
      code: "configuration",
      message: `The server speaks protocol 9.1, and this client ${protocolVersion}.`,
      recovery: "Use the same version of kedge on both sides, and restart the server.",
      retryable: false,
    },
  ],
])("tells %s", async (_, given, failure) => {
  const { client } = await clientOf(given);
  expect(await client.ask<"project.read">({ type: "project.read" })).toEqual({ ok: false, failure });
});

test("a newer minor protocol is no obstacle", async () => {
  const [major] = protocolVersion.split(".");
  const { client } = await clientOf({ body: '{"sessions":{}}', headers: { [headerNames.protocol]: `${major}.99` } });
  expect(await client.ask<"session.status">({ type: "session.status" })).toEqual({ ok: true, value: { sessions: {} } });
});

test("what answers and is no kedge is named, and nobody at all is a connection error", async () => {
  const { server: strange, client } = await clientOf({ body: "<html>", headers: { "content-type": "text/html" } });
  expect(await client.ask<"project.read">({ type: "project.read" })).toMatchObject({
    failure: { code: "malformed_response", message: `The server at ${strange.url} is not kedge.` },
  });
  const events = client.follow({ signal: AbortSignal.timeout(5_000) })[Symbol.asyncIterator]();
  await expect(events.next()).rejects.toMatchObject({ failure: { code: "malformed_response" } });
  await strange.close();
  server = undefined;
  const gone = {
    code: "connection_error",
    message: `The server at ${strange.url} cannot be reached (ECONNREFUSED).`,
    recovery: "Start it with kedge serve, or check its address.",
    retryable: true,
  };
  expect(await client.ask<"project.read">({ type: "project.read" })).toEqual({ ok: false, failure: gone });
  await expect(client.sessions({ limit: 1 })).rejects.toMatchObject({ failure: gone });
});

const recordAt = (seq: number) => ({
  ...{ sessionId: "ses_1", seq, time: 1, fact: { type: "mode.changed", mode: "plan" }, prev: "", hash: "" },
});

test("sessions and facts are read page by page", async () => {
  const sessionsTotal = 1100;
  const session = (index: number) => ({
    ...{ sessionId: `ses_${index}`, updatedAt: 5000 - index, createdAt: 1, lastSeq: 1, isArchived: false },
    ...{ projectId: "prj", directory: "/w", title: "", model: "m" },
  });
  server = await startLoopbackServer((response, { url }) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const limit = Number(searchParams.get("limit"));
    const after = searchParams.get("after");
    if (pathname === "/session") {
      const first = after === null ? 0 : Number(after.split("ses_")[1]) + 1;
      const sessions = Array.from({ length: Math.min(limit, sessionsTotal - first) }, (_, index) =>
        session(first + index),
      );
      const last = sessions.at(-1);
      const isFull = sessions.length === limit && last !== undefined;
      return void response.end(
        JSON.stringify({ sessions, ...(isFull && { next: `${last.updatedAt}-${last.sessionId}` }) }),
      );
    }
    const seq = Number(after) + 1;
    return void response.end(JSON.stringify({ facts: [recordAt(seq)], ...(seq < 3 && { next: seq }) }));
  });
  const client = createClient(server);
  const listed = await client.sessions({ limit: 1050 });
  expect([listed.length, listed.at(-1)?.sessionId]).toEqual([1050, "ses_1049"]);
  expect((await client.sessions({ limit: 5000 })).length).toBe(sessionsTotal);
  const seqs: number[] = [];
  for await (const { seq } of client.facts("ses_1")) seqs.push(seq);
  expect(seqs).toEqual([1, 2, 3]);
});
