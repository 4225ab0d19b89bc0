/** How a browser comes in: by a code that a person with the right to approve hands it, once, and only from our own pages. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Answer, at, type Call, openSite, type ServerSite } from "./server-site.ts";

let site: ServerSite;

beforeAll(async () => {
  site = await openSite();
});

afterAll(async () => {
  await site.close();
  expect(site.bugs).toEqual([]);
});

// Wrong codes of one test must not lock out the next one.
beforeEach(() => site.advance(120_000));

const codeOf = ({ status, json }: Answer) => [status, at(json, "error", "code")];

async function newCode(token?: string): Promise<string> {
  const issuer = token === undefined ? {} : { token };
  return String(at((await site.call("POST", "/auth/code", issuer)).json, "code"));
}

function redeem(code: unknown, headers: Call["headers"] = { origin: site.server.url }): Promise<Answer> {
  return site.call("POST", "/auth/cookie", { token: "", body: { code }, headers });
}

async function newCookie(): Promise<string> {
  return (await redeem(await newCode())).headers.get("set-cookie")?.split(";")[0] ?? "";
}

function asBrowser(method: string, path: string, headers: NonNullable<Call["headers"]>): Promise<Answer> {
  return site.call(method, path, { token: "", headers, ...(method !== "GET" && { body: {} }) });
}

test("a code is for those who may approve, and comes with the address to open", async () => {
  expect(codeOf(await site.call("POST", "/auth/code", { token: site.tokenOf("prompt") }))).toEqual([403, "scope"]);
  const { status, json } = await site.call("POST", "/auth/code", { token: site.tokenOf("approve") });
  const code = String(at(json, "code"));
  expect([status, at(json, "url")]).toEqual([200, `${site.server.url}/#code=${code}`]);
  expect(code).toMatch(/^[\w-]{43}$/);
});

test("a code gives one cookie with the rights of its issuer and no more, and that no script can read", async () => {
  const code = await newCode(site.tokenOf("approve"));
  const first = await redeem(code);
  expect([first.status, first.text]).toEqual([204, ""]);
  const set = first.headers.get("set-cookie") ?? "";
  expect(set).toMatch(new RegExp(`^kedge-${site.server.port}=[^;]+; Path=/; HttpOnly; SameSite=Strict$`));
  expect(codeOf(await redeem(code))).toEqual([401, "unauthorized"]);
  const headers = { cookie: set.split(";")[0] ?? "", origin: site.server.url };
  expect((await asBrowser("POST", "/session", headers)).status).toBe(200);
  expect(codeOf(await asBrowser("POST", "/config/reload", headers))).toEqual([403, "scope"]);
});

test("a code that is late, guessed or none is refused", async () => {
  const code = await newCode();
  site.advance(60_000);
  expect(codeOf(await redeem(code))).toEqual([401, "unauthorized"]);
  expect(codeOf(await redeem("guessed"))).toEqual([401, "unauthorized"]);
  for (const wrong of [undefined, "", 7, "x".repeat(129)]) {
    expect(codeOf(await redeem(wrong))).toEqual([400, "invalid_command"]);
  }
});

test("a page of another origin cannot hand a code in, and the code stays good", async () => {
  const code = await newCode();
  for (const origin of ["https://elsewhere.example", "http://127.0.0.1:1", "null"]) {
    expect(codeOf(await redeem(code, { origin }))).toEqual([403, "foreign_origin"]);
  }
  expect(codeOf(await redeem(code, { "sec-fetch-site": "same-site" }))).toEqual([403, "cross_site"]);
  expect(codeOf(await redeem(code, { origin: site.server.url, "content-type": "text/plain" }))).toEqual([
    415,
    "unsupported_body",
  ]);
  expect((await redeem(code)).status).toBe(204);
});

test("a cookie reads, and changes something only from a page of the server itself", async () => {
  const cookie = await newCookie();
  expect((await asBrowser("GET", "/path", { cookie })).status).toBe(200);
  expect((await asBrowser("POST", "/session", { cookie, origin: site.server.url })).status).toBe(200);
  expect(codeOf(await asBrowser("POST", "/session", { cookie }))).toEqual([403, "origin_required"]);
  for (const method of ["GET", "POST"]) {
    const path = "/session";
    expect(codeOf(await asBrowser(method, path, { cookie, origin: "http://127.0.0.1:1" }))).toEqual([
      403,
      "foreign_origin",
    ]);
    expect(codeOf(await asBrowser(method, path, { cookie, "sec-fetch-site": "cross-site" }))).toEqual([
      403,
      "cross_site",
    ]);
  }
});

test("guessed codes lock their peer out", async () => {
  for (let count = 0; count < 10; count++) await redeem("guessed");
  expect(codeOf(await redeem(await newCode()))).toEqual([429, "locked_out"]);
});
