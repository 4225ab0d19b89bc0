/** Proves who comes in: each kind of credential, when it ends, and what happens to those who guess. */
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostAccess } from "@kedge/host/server";
import { FailureError } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  addToken,
  listTokens,
  parseTokenLifetime,
  removeToken,
  type TokenAccess,
} from "../../src/admission/token-file.ts";
import {
  type AdmissionSite,
  admin,
  adminToken,
  asAdmin,
  bearer,
  codePath,
  openAdmissionSite,
  promptToken,
  refusal,
} from "./admission-site.ts";

let site: AdmissionSite;
beforeEach(async () => {
  site = await openAdmissionSite({ admissions: { password: "correct horse" } });
});
afterEach(() => site.close());

const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`me:${password}`).toString("base64")}` });
const userTokens = () => hostAccess({ home: site.home, now: () => site.clock.now, environment: {} });
const dayMs = 86_400_000;

test("only the health check passes without a credential, and its caller is nobody", async () => {
  const health = await site.call("/global/health");
  expect([health.status, health.body]).toEqual([
    200,
    { caller: { scope: "read", by: "nobody", name: "nobody" }, bytes: 0 },
  ]);
  for (const path of ["/", "/config", "/global", "/global/health/", "/global/Health", "/x/global/health", "/doc"]) {
    const { status, body, headers } = await site.call(path);
    expect([path, status, body]).toEqual([path, 401, refusal("unauthorized")]);
    expect(headers["www-authenticate"]).toBe('Bearer realm="kedge"');
  }
  const posted = await site.call("/global/health", { method: "POST" });
  expect(posted.status).toBe(401);
  expect(site.reached).toEqual(["GET /global/health"]);
});

test("each credential brings its rights", async () => {
  const rights = async (headers: { readonly [name: string]: string }) => (await site.call("/config", { headers })).body;
  expect(await rights(asAdmin)).toEqual({ caller: admin, bytes: 0 });
  expect(await rights(bearer(promptToken))).toEqual({
    caller: { scope: "prompt", by: "token", name: "run-file" },
    bytes: 0,
  });
  expect(await rights(basic("correct horse"))).toEqual({
    caller: { scope: "admin", by: "password", name: "password" },
    bytes: 0,
  });
  const { token, listed } = addToken(userTokens(), { name: "ide", scope: "approve", lifetimeMs: dayMs });
  const ide = { scope: "approve", by: "token", name: "ide", tokenId: listed.id };
  expect(await rights(bearer(token))).toEqual({ caller: ide, bytes: 0 });
});

test("wrong credentials are refused, also at the health check", async () => {
  const wrong = [
    bearer("kedge_wrong"),
    bearer(`${adminToken}x`),
    basic("wrong"),
    basic(""),
    { authorization: adminToken },
    { authorization: "Bearer" },
    { authorization: `Digest ${adminToken}` },
  ];
  for (const headers of wrong) {
    const { status, body } = await site.call("/global/health", { headers });
    expect([headers, status, body]).toEqual([headers, 401, refusal("unauthorized")]);
  }
  await site.expectHealthy();
});

test("without a password nobody comes in by one", async () => {
  await site.close();
  site = await openAdmissionSite({ admissions: { password: "" } });
  expect((await site.call("/config", { headers: basic("") })).status).toBe(401);
});

test("a token in the address is never accepted", async () => {
  for (const name of ["token", "access_token", "ticket", "authorization"]) {
    for (const path of ["/config", "/event"]) {
      expect((await site.call(`${path}?${name}=${adminToken}`)).status).toBe(401);
    }
  }
  expect(site.reached).toEqual([]);
});

test("ten wrong ones lock out the peer for a minute, with the right one too", async () => {
  const guess = () => site.call("/config", { headers: bearer("kedge_guess") });
  for (let count = 0; count < 10; count++) expect((await guess()).status).toBe(401);
  const { status, body, headers } = await site.call("/config", { headers: asAdmin });
  expect([status, body, headers["retry-after"]]).toEqual([429, refusal("locked_out"), "60"]);
  expect((await site.call("/global/health")).status).toBe(200);
  site.clock.now += 59_000;
  expect((await site.call("/config", { headers: asAdmin })).headers["retry-after"]).toBe("1");
  site.clock.now += 1_000;
  await site.expectHealthy();
  expect((await guess()).status).toBe(401);
});

test("wrong ones that come slowly, and requests without any, lock out nobody", async () => {
  for (let count = 0; count < 30; count++) {
    site.clock.now += 7_000;
    expect((await site.call("/config", { headers: bearer("kedge_guess") })).status).toBe(401);
    expect((await site.call("/config")).status).toBe(401);
  }
  await site.expectHealthy();
});

test("guesses side by side are all counted", async () => {
  const guesses = Array.from({ length: 30 }, () => site.call("/config", { headers: bearer("kedge_guess") }));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
});

test("a ticket opens one stream, once, for half a minute", async () => {
  const reader = { scope: "read", by: "token", name: "viewer" } as const;
  const { ticket, expiresAt } = site.admissions.issueTicket(reader);
  expect(expiresAt).toBe(site.clock.now + 30_000);
  expect((await site.call(`/config?ticket=${ticket}`)).status).toBe(401);
  expect((await site.call(`/event?ticket=${ticket}`, { method: "POST" })).status).toBe(401);
  expect((await site.call(`/event?view=parts&ticket=${ticket}`)).body).toEqual({
    caller: { scope: "read", by: "ticket", name: "viewer" },
    bytes: 0,
  });
  expect((await site.call(`/event?ticket=${ticket}`)).status).toBe(401);
  const late = site.admissions.issueTicket(reader);
  site.clock.now += 30_000;
  expect((await site.call(`/event?ticket=${late.ticket}`)).status).toBe(401);
});

const browser = { "sec-fetch-site": "same-origin" };

/** Whoever started the server, whose token lives as long as it. */
const starter = { scope: "approve", by: "token", name: "start" } as const;

async function redeem(code: string): Promise<string | undefined> {
  const headers = { "content-type": "application/json" };
  const answer = await site.call(codePath, { method: "POST", headers, body: JSON.stringify(code) });
  return answer.headers["set-cookie"]?.[0];
}

test("a code is traded once, within a minute, for a cookie that lets a browser in", async () => {
  const { code, expiresAt } = site.admissions.issueCode(starter);
  expect(expiresAt).toBe(site.clock.now + 60_000);
  const set = await redeem(code);
  expect(set).toMatch(
    new RegExp(`^kedge-${site.server.port}=[\\w-]+\\.[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
  );
  const cookie = set?.split(";")[0] ?? "";
  expect((await site.call("/config", { headers: { ...browser, cookie: `other=1; ${cookie}` } })).body).toEqual({
    caller: { scope: "approve", by: "cookie", name: "browser" },
    bytes: 0,
  });
  expect(await redeem(code)).toBeUndefined();
  const late = site.admissions.issueCode(starter);
  site.clock.now += 60_000;
  expect(await redeem(late.code)).toBeUndefined();
  const wrong = `${cookie.slice(0, -1)}${cookie.endsWith("A") ? "B" : "A"}`;
  expect((await site.call("/config", { headers: { ...browser, cookie: wrong } })).status).toBe(401);
  site.clock.now += 7 * dayMs;
  expect((await site.call("/config", { headers: { ...browser, cookie } })).status).toBe(401);
});

test.each([
  ["is removed", () => removeToken(userTokens(), "ide")],
  ["is too old", () => (site.clock.now += 10_000)],
])("code, cookie and ticket end when the token they go back to %s", async (_name, end) => {
  const { listed } = addToken(userTokens(), { name: "ide", scope: "approve", lifetimeMs: 10_000 });
  const issuer = { scope: "approve", by: "token", name: "ide", tokenId: listed.id } as const;
  const cookie = (await redeem(site.admissions.issueCode(issuer).code))?.split(";")[0] ?? "";
  const use = async () => (await site.call("/config", { headers: { ...browser, cookie } })).body;
  const caller = { scope: "approve", by: "cookie", name: "browser", tokenId: listed.id } as const;
  expect(await use()).toEqual({ caller, bytes: 0 });
  const open = site.admissions.issueCode(issuer);
  const tickets = [issuer, caller].map((holder) => site.admissions.issueTicket(holder).ticket);
  const ofStart = (await redeem(site.admissions.issueCode(admin).code))?.split(";")[0] ?? "";
  end();
  // One of the same name is another one.
  addToken(userTokens(), { name: "ide", scope: "approve", lifetimeMs: dayMs });
  // A page that goes on asking is no guess, and locks out nobody.
  for (let count = 0; count < 20; count++) expect(await use()).toEqual(refusal("unauthorized"));
  expect(await redeem(open.code)).toBeUndefined();
  for (const ticket of tickets) expect((await site.call(`/event?ticket=${ticket}`)).status).toBe(401);
  expect((await site.call("/config", { headers: { ...browser, cookie: ofStart } })).status).toBe(200);
});

test("who came in by a cookie gets no code", () => {
  const caller = { scope: "approve", by: "cookie", name: "browser" } as const;
  expect(() => site.admissions.issueCode(caller)).toThrow("A browser session cannot authorize another one.");
});

test("a caller holds twenty tickets, and pushes out its own alone", async () => {
  const of = (name: string) => site.admissions.issueTicket({ scope: "read", by: "token", name }).ticket;
  const other = of("other");
  const own = Array.from({ length: 21 }, () => of("greedy"));
  const statuses = [];
  for (const ticket of [other, ...own]) statuses.push((await site.call(`/event?ticket=${ticket}`)).status);
  expect(statuses).toEqual([200, 401, ...Array.from({ length: 20 }, () => 200)]);
});

test("guessed codes lock out, and a cookie of an earlier start does not", async () => {
  const cookie = `kedge-${site.server.port}=earlier.secret`;
  for (let count = 0; count < 20; count++) {
    expect((await site.call("/config", { headers: { ...browser, cookie } })).status).toBe(401);
  }
  await site.expectHealthy();
  for (let count = 0; count < 10; count++) expect(await redeem("guess")).toBeUndefined();
  expect((await site.call(codePath, { method: "POST" })).status).toBe(429);
});

test("tokens of the user end when their time is over or when they are removed", async () => {
  const use = async (token: string) => (await site.call("/config", { headers: bearer(token) })).status;
  const short = addToken(userTokens(), { name: "short", scope: "read", lifetimeMs: 1_000 });
  const long = addToken(userTokens(), { name: "long", scope: "read", lifetimeMs: dayMs });
  expect([await use(short.token), await use(long.token)]).toEqual([200, 200]);
  site.clock.now += 1_000;
  expect([await use(short.token), await use(long.token)]).toEqual([401, 200]);
  expect(removeToken(userTokens(), "long")).toBe(true);
  expect(removeToken(userTokens(), "long")).toBe(false);
  expect(await use(long.token)).toBe(401);
});

test("the file of tokens is its owner's alone, holds no token, and lists what was added", () => {
  const { now } = site.clock;
  const { token, listed } = addToken(userTokens(), { name: "ci", scope: "prompt", lifetimeMs: dayMs });
  const path = join(site.home, "tokens.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, "utf8")).not.toContain(token.slice(6));
  expect(listTokens(site.home)).toEqual([listed]);
  const expected = { name: "ci", scope: "prompt", createdAt: now, expiresAt: now + dayMs };
  expect(listed).toEqual({ id: expect.stringMatching(/^[0-9a-f]{8}$/), ...expected });
});

test("a name is given once, a lifetime has an end, and a command of the agent gets no token", () => {
  const add = (name: string, lifetimeMs: number, environment: TokenAccess["environment"] = {}) =>
    addToken({ ...userTokens(), environment }, { name, scope: "admin", lifetimeMs });
  add("one", dayMs);
  expect(() => add("one", dayMs)).toThrow("A token named one already exists.");
  expect(() => add("two words", dayMs)).toThrow('"two words" is not a valid token name.');
  expect(() => add("two", 366 * dayMs)).toThrow("at most 365 days");
  expect(() => add("two", 0)).toThrow(FailureError);
  expect(() => add("two", dayMs, { KEDGE_JOB: "kedge:boot:1:2" })).toThrow(
    "Commands run by the agent cannot create tokens.",
  );
  expect(listTokens(site.home).map(({ name }) => name)).toEqual(["one"]);
  expect(["30d", "12h", "5m", "0d", "1y", "-1d", ""].map(parseTokenLifetime)).toEqual([
    30 * dayMs,
    dayMs / 2,
    300_000,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a damaged file of tokens lets nobody in by it, says so once, and leaves the others alone", async () => {
  const { token } = addToken(userTokens(), { name: "ci", scope: "prompt", lifetimeMs: dayMs });
  const path = join(site.home, "tokens.json");
  writeFileSync(path, "{");
  chmodSync(path, 0o600);
  for (let count = 0; count < 2; count++) {
    expect((await site.call("/config", { headers: bearer(token) })).status).toBe(401);
  }
  await site.expectHealthy();
  expect(site.notices).toEqual([expect.stringContaining("it is not valid JSON")]);
});

test("an open door lets everybody on this machine in, and is refused where others can reach it", async () => {
  await site.close();
  site = await openAdmissionSite({ admissions: { isDoorOpen: true } });
  expect((await site.call("/config")).body).toEqual({
    caller: { scope: "admin", by: "open-door", name: "open-door" },
    bytes: 0,
  });
  expect((await site.call("/config", { headers: { host: "evil.example" } })).status).toBe(421);
  await expect(openAdmissionSite({ admissions: { isDoorOpen: true, boundTo: "0.0.0.0" } })).rejects.toThrow(
    "Without authentication, the server cannot listen on 0.0.0.0",
  );
});
