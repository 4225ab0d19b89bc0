/** Proves that requests a browser was tricked into, or that are not what they should be, are refused before the application. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type AdmissionSite,
  admin,
  adminToken,
  asAdmin,
  bearer,
  codePath,
  openAdmissionSite,
  readRaw,
  refusal,
} from "./admission-site.ts";

let site: AdmissionSite;
beforeEach(async () => {
  site = await openAdmissionSite({
    admissions: { origins: ["https://app.example"], hosts: ["kedge.example", "proxy.example:8443"] },
  });
});
afterEach(() => site.close());

const ownOrigin = () => site.server.url;
const json = { "content-type": "application/json" };

async function expectRefused(
  status: number,
  code: string,
  headers: { readonly [name: string]: string },
  method = "GET",
) {
  const answer = await site.call("/config", { method, headers: { ...asAdmin, ...headers } });
  expect([headers, answer.status, answer.body]).toEqual([headers, status, refusal(code)]);
}

test("a page of a name that only leads here by a trick reads nothing of the refusal", async () => {
  const { port } = site.server;
  for (const [host, origin] of [
    [`evil.example:${port}`, `http://evil.example:${port}`],
    ["evil.example", "http://evil.example"],
    ["evil.example", "https://app.example"],
  ] as const) {
    const answer = await site.call("/config", { headers: { ...asAdmin, host, origin } });
    const named = Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"));
    expect([answer.status, named, answer.headers["cross-origin-resource-policy"]]).toEqual([421, [], "same-origin"]);
  }
});

test("a name that only leads here by a trick is refused, and the server's own names are not", async () => {
  const { port } = site.server;
  const wrong = ["evil.example", `evil.example:${port}`, "127.0.0.1", "127.0.0.1:1", `127.0.0.1.evil.example:${port}`];
  const odd = [`localhost.:${port}`, `x@127.0.0.1:${port}`, "proxy.example", "kedge.example:1", `0.0.0.0:${port}`];
  for (const host of [...wrong, ...odd]) await expectRefused(421, "wrong_host", { host });
  const right = [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`];
  const listed = ["kedge.example", `kedge.example:${port}`, "proxy.example:8443"];
  for (const host of [...right, ...listed]) {
    expect([host, (await site.call("/config", { headers: { ...asAdmin, host } })).status]).toEqual([host, 200]);
  }
  expect(readRaw(await site.sendRaw("GET /config HTTP/1.1\r\n\r\n")).status).toBe(400);
  const twice = `GET /config HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
  expect(readRaw(await site.sendRaw(twice))).toEqual({ status: 400, code: "bad_host" });
  await site.expectHealthy();
});

test("pages of other origins are refused, those on other ports of this machine too", async () => {
  const { port } = site.server;
  const foreign = [
    "null",
    "https://evil.example",
    "http://localhost:3000",
    "http://127.0.0.1:3000",
    `http://localhost:${port}`,
    `https://127.0.0.1:${port}`,
    "https://app.example.evil.example",
    "http://app.example",
  ];
  for (const origin of foreign) {
    for (const method of ["GET", "POST"]) await expectRefused(403, "foreign_origin", { origin }, method);
  }
  for (const site of ["cross-site", "same-site"]) {
    for (const method of ["GET", "POST"]) await expectRefused(403, "cross_site", { "sec-fetch-site": site }, method);
  }
  expect(site.reached).toEqual([]);
  for (const origin of [ownOrigin(), "https://app.example"]) {
    const headers = { ...asAdmin, origin, "sec-fetch-site": "cross-site" };
    expect((await site.call("/config", { headers })).status).toBe(200);
  }
});

test("a form that another site sends reaches nothing, whatever the browser tells", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const body = "mode=bypass";
  const post = (headers: { readonly [name: string]: string }) =>
    site.call("/config", { method: "POST", headers: { ...asAdmin, ...form, ...headers }, body });
  const answers = [
    await post({ origin: "https://evil.example" }),
    await post({ "sec-fetch-site": "cross-site" }),
    await post({}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 415]);
  expect(site.reached).toEqual([]);
});

test("every answer carries the headers of security, and those of CORS only for allowed origins", async () => {
  const plain = await site.call("/config");
  expect(plain.headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-type": "application/json",
    vary: "Origin",
  });
  const cors = async (origin: string) => {
    const { headers } = await site.call("/config", { headers: { ...asAdmin, origin } });
    return [headers["access-control-allow-origin"], headers["access-control-allow-credentials"]];
  };
  expect(await cors("https://app.example")).toEqual(["https://app.example", "true"]);
  expect(await cors("https://evil.example")).toEqual([undefined, undefined]);
  expect(await cors("null")).toEqual([undefined, undefined]);
});

test("a browser that asks first is told what allowed origins may send", async () => {
  const ask = (headers: { readonly [name: string]: string }) => site.call("/config", { method: "OPTIONS", headers });
  const wanted = { "access-control-request-method": "PATCH" };
  const { status, headers, body } = await ask({ origin: "https://app.example", ...wanted });
  expect([status, body]).toEqual([204, undefined]);
  expect(headers).toMatchObject({
    "access-control-allow-origin": "https://app.example",
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": expect.stringContaining("authorization, content-type, x-kedge-directory"),
  });
  const foreign = await ask({ origin: "http://localhost:3000", ...wanted });
  expect([foreign.status, foreign.body]).toEqual([403, refusal("foreign_origin")]);
  expect((await ask({ origin: "https://app.example", host: "evil.example", ...wanted })).status).toBe(421);
  expect((await ask({})).status).toBe(405);
  expect(site.reached).toEqual([]);
});

test("an origin in the settings must be one", async () => {
  for (const origin of ["*", "null", "https://*.example", "example.com", "https://app.example/"]) {
    await expect(openAdmissionSite({ admissions: { origins: [origin] } })).rejects.toThrow(
      `"${origin}" in server.origins is not an origin.`,
    );
  }
});

function upgrade(headers: { readonly [name: string]: string }, path = "/pty/1/connect"): Promise<string> {
  const all = { host: `127.0.0.1:${site.server.port}`, connection: "Upgrade", upgrade: "websocket", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return site.sendRaw(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
}

test("a WebSocket needs an allowed origin and a credential", async () => {
  const refused = [
    await upgrade({ ...asAdmin, origin: "https://evil.example" }),
    await upgrade({ ...asAdmin, origin: "http://localhost:3000" }),
    await upgrade({ ...asAdmin, origin: "null" }),
    await upgrade(asAdmin),
    await upgrade({ ...asAdmin, origin: ownOrigin(), host: "evil.example" }),
    await upgrade({ origin: ownOrigin() }),
    await upgrade({ origin: ownOrigin() }, `/pty/1/connect?token=${adminToken}`),
    await upgrade({ ...asAdmin, origin: ownOrigin(), upgrade: "h2c" }),
    await upgrade({ ...asAdmin, origin: ownOrigin(), "content-length": "5" }),
  ];
  expect(refused.map(readRaw)).toEqual([
    { status: 403, code: "foreign_origin" },
    { status: 403, code: "foreign_origin" },
    { status: 403, code: "foreign_origin" },
    { status: 403, code: "origin_required" },
    { status: 421, code: "wrong_host" },
    { status: 401, code: "unauthorized" },
    { status: 401, code: "unauthorized" },
    { status: 400, code: "bad_upgrade" },
    { status: 400, code: "unexpected_body" },
  ]);
  expect(site.reached).toEqual([]);
  expect(await upgrade({ ...asAdmin, origin: ownOrigin() })).toContain(JSON.stringify({ caller: admin }));
  const { ticket } = site.admissions.issueTicket(admin);
  const path = `/pty/1/connect?ticket=${ticket}`;
  expect(await upgrade({ origin: ownOrigin() }, path)).toContain('"by":"ticket"');
  expect(readRaw(await upgrade({ origin: ownOrigin() }, path)).status).toBe(401);
  await site.expectHealthy();
});

test("bodies are JSON, say their length and keep within it", async () => {
  const post = async (headers: { readonly [name: string]: string }, body = "{}", path = "/config") => {
    const answer = await site.call(path, { method: "POST", headers: { ...asAdmin, ...headers }, body });
    return answer.status;
  };
  expect(await post(json)).toBe(200);
  expect(await post({ "content-type": "application/json; charset=UTF-8" })).toBe(200);
  for (const type of ["text/plain", "application/jsonp", "application/json; charset=latin1", "multipart/form-data"]) {
    expect([type, await post({ "content-type": type })]).toEqual([type, 415]);
  }
  expect(await post({})).toBe(415);
  expect(await post({ ...json, "content-encoding": "gzip" })).toBe(415);
  expect(await post({ ...json, "transfer-encoding": "chunked" })).toBe(411);
  const within = " ".repeat(10 * 1024 * 1024);
  expect([await post(json, within), await post(json, `${within} `)]).toEqual([200, 413]);
  expect(await post(json, `${within} `, "/session/s1/prompt_async")).toBe(200);
  const huge = { ...json, "content-length": String(50 * 1024 * 1024 + 1) };
  expect(await announce("/session/s1/prompt", huge)).toEqual({ status: 413, code: "body_too_large" });
  expect((await site.call("/config", { headers: { ...asAdmin, ...json }, body: "{}" })).status).toBe(400);
  await site.expectHealthy();
});

/** Sends the head of a request alone, and gives what is answered to that. */
async function announce(path: string, headers: { readonly [name: string]: string }) {
  const all = { host: `127.0.0.1:${site.server.port}`, ...asAdmin, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(site.server.port, "127.0.0.1");
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const [answer] = await once(socket, "data");
  socket.destroy();
  return readRaw(String(answer));
}

test("what two programs could read differently is refused", async () => {
  const head = `Host: 127.0.0.1:${site.server.port}\r\nAuthorization: Bearer ${adminToken}\r\nConnection: close\r\n`;
  const odd = [
    `POST /config HTTP/1.1\r\n${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /config HTTP/1.1\r\n${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    `POST /config HTTP/1.1\r\n${head}Content-Length: -1\r\n\r\n{}`,
    `GET http://evil.example/config HTTP/1.1\r\n${head}\r\n`,
    `GET //evil.example/config HTTP/1.1\r\n${head}\r\n`,
    `TRACE /config HTTP/1.1\r\n${head}\r\n`,
    `GET /config HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n{}`,
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
  ];
  const answers = [];
  for (const text of odd) answers.push(readRaw(await site.sendRaw(text)).status);
  expect(answers).toEqual([400, 400, 400, 400, 400, 405, 400, 400]);
  expect(site.reached).toEqual([]);
  await site.expectHealthy();
});

test("long headers are borne up to a limit and refused beyond it", async () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, "a".repeat(93)]));
  expect((await site.call("/config", { headers: { ...asAdmin, ...many } })).status).toBe(200);
  expect((await site.call("/config", { headers: { ...asAdmin, "x-long": "a".repeat(10_000) } })).status).toBe(200);
  const long = await site.call("/config", { headers: { ...asAdmin, "x-long": "a".repeat(20_000) } });
  expect([long.status, long.body]).toEqual([431, refusal("headers_too_large")]);
  expect((await site.call("/config", { headers: bearer("a".repeat(10_000)) })).status).toBe(401);
  await site.expectHealthy();
});

test("heads and bodies that come too slowly are cut off, and others do not notice", async () => {
  await site.close();
  site = await openAdmissionSite({ listen: { limits: { headersMsMax: 300, requestMsMax: 300 } } });
  const head = `Host: 127.0.0.1:${site.server.port}\r\nAuthorization: Bearer ${adminToken}\r\n`;
  const slowHead = site.sendRaw(`GET /config HTTP/1.1\r\nHost: 127.0.0.1:${site.server.port}\r\nX-Slow:`);
  const slowBody = site.sendRaw(
    `POST /config HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  );
  await site.expectHealthy();
  expect(readRaw(await slowHead)).toEqual({ status: 408, code: "too_slow" });
  expect(readRaw(await slowBody)).toEqual({ status: 408, code: "too_slow" });
  await site.expectHealthy();
});

test("without a credential a body is small, and the connection ends with the answer", async () => {
  const post = (length: number, headers: { readonly [name: string]: string } = {}) =>
    site.call(codePath, {
      method: "POST",
      headers: { connection: "keep-alive", ...json, ...headers },
      body: '"x"'.padEnd(length),
    });
  const within = await post(1024);
  const beyond = await post(1025);
  const known = await post(1025, asAdmin);
  expect([within, beyond, known].map(({ status, headers }) => [status, headers.connection])).toEqual([
    [200, "close"],
    [413, "close"],
    [200, "keep-alive"],
  ]);
  const headers = { connection: "keep-alive", ...json };
  const refused = await site.call("/config", { method: "POST", headers, body: "{}" });
  expect([refused.status, refused.headers.connection]).toEqual([401, "close"]);
});
