/** Proves hooks over HTTP on loopback: what is sent, what is understood, and which addresses are never asked. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { callOf, type HookBed, openHookBed, passBefore, signal } from "./hook-bed.ts";

let bed: HookBed | undefined;
let server: Server | undefined;
afterEach(async () => {
  await bed?.close();
  server?.closeAllConnections();
  server?.close();
  bed = undefined;
  server = undefined;
});

type Got = { readonly headers: IncomingMessage["headers"]; readonly body: string };

async function serve(status: number, answer: string, headers: { readonly [name: string]: string } = {}) {
  const got: Got[] = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    got.push({ headers: request.headers, body });
    response.writeHead(status, headers).end(answer);
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const pre = (hook: object) => ({ PreToolUse: [{ hooks: [{ type: "http", ...hook }] }] });

test("the event is posted, headers name only allowed variables, and the answer counts", async () => {
  const { got, url } = await serve(200, JSON.stringify({ decision: "block", reason: "no" }));
  const headers = { authorization: "Bearer $TOKEN", "x-other": "a$SECRET-b", "x-break": "1\r\nx-evil: 2" };
  bed = openHookBed(pre({ url, headers, allowedEnvVars: ["TOKEN"] }), {
    parts: { request: { refuseAddress: () => undefined, variable: (name) => `value of ${name}` } },
  });
  expect(await passBefore(bed, callOf(bed))).toMatchObject({ decision: "refuse", text: "no" });
  expect(got[0]?.headers).toMatchObject({
    authorization: "Bearer value of TOKEN",
    "x-other": "a-b",
    "x-break": "1x-evil: 2",
  });
  expect(JSON.parse(got[0]?.body ?? "")).toMatchObject({ hook_event_name: "PreToolUse", tool_name: "Bash" });
});

test.each([
  ["status 500", 500, "", {}],
  ["status 302", 302, "", { location: "http://127.0.0.1:1/" }],
  ["is not valid", 200, "{", {}],
] as const)("an answer with %s refuses, and no redirect is followed", async (text, status, answer, headers) => {
  const { url, got } = await serve(status, answer, headers);
  bed = openHookBed(pre({ url }));
  expect(await passBefore(bed, callOf(bed))).toMatchObject({ decision: "refuse", text: expect.stringContaining(text) });
  expect(got).toHaveLength(1);
});

test("an empty answer is no objection", async () => {
  const { url } = await serve(204, "");
  bed = openHookBed(pre({ url }));
  expect(await passBefore(bed, callOf(bed))).toBeUndefined();
});

test("an address that may not be asked is not asked", async () => {
  const { url, got } = await serve(200, "");
  bed = openHookBed(pre({ url }), {
    parts: {
      request: { refuseAddress: (_, addresses) => `${addresses.join()} is private`, variable: () => undefined },
    },
  });
  expect(await passBefore(bed, callOf(bed))).toMatchObject({ text: expect.stringContaining("127.0.0.1 is private") });
  expect(got).toEqual([]);
});

test("headless, the start of a session waits for no address", async () => {
  const { url, got } = await serve(200, "");
  bed = openHookBed({ SessionStart: [{ hooks: [{ type: "http", url }] }] }, { parts: { isHeadless: true } });
  await bed.moment.sessionStarted?.({ ...bed.place, source: "create" }, signal);
  expect([got, bed.notices]).toEqual([[], [expect.stringContaining("do not run headless")]]);
});

test.each([
  ["https to a server without TLS", "https:", " does not accept TLS connections; check https://"],
  ["a closed port", "closed", " cannot be reached: the connection was refused"],
])("%s is one plain sentence", async (_, kind, sentence) => {
  const { url } = await serve(200, "");
  const wrong = kind === "closed" ? url.replace(/:\d+/, ":1") : url.replace("http:", kind);
  bed = openHookBed(pre({ url: wrong }));
  const answer = await passBefore(bed, callOf(bed));
  expect(answer).toMatchObject({ decision: "refuse", text: expect.stringContaining(`127.0.0.1${sentence}`) });
  expect(JSON.stringify(answer)).not.toMatch(/openssl|EPROTO|\\n/i);
});
