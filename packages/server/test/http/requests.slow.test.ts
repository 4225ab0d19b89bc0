/** What requests may look like, what each scope may do, and how answers come back. */

import { symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProblemError } from "../../src/http/failure-status.ts";
import { check } from "../../src/http/route-input.ts";
import { at, openSite, type ServerSite } from "./server-site.ts";

let site: ServerSite;
let sessionId = "";

beforeAll(async () => {
  site = await openSite();
  writeFileSync(join(site.project, ".env"), "KEY=secret\n");
  sessionId = await site.newSession();
});

afterAll(async () => {
  await site.close();
  expect(site.bugs).toEqual([]);
});

const codeOf = ({ status, json }: { readonly status: number; readonly json: unknown }) => [
  status,
  at(json, "error", "code"),
];

test("without a credential a server only says that it lives", async () => {
  const nobody = await site.call("GET", "/global/health", { token: "" });
  expect([nobody.status, nobody.json]).toEqual([200, { ok: true, protocol: "1.0" }]);
  const known = await site.call("GET", "/global/health");
  expect(known.json).toEqual({
    ok: true,
    protocol: "1.0",
    version: "0.0.0",
    pid: process.pid,
    projectHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  for (const path of ["/global", "/doc", "/session", "/nothing"]) {
    expect((await site.call("GET", path, { token: "" })).status).toBe(401);
  }
});

test("what does not exist is not found, and a wrong method is told the right ones", async () => {
  expect(codeOf(await site.call("GET", "/nothing"))).toEqual([404, "not_found"]);
  expect(codeOf(await site.call("GET", "/session/ses_unknown"))).toEqual([404, "not_found"]);
  expect(codeOf(await site.call("GET", "/session/ses_unknown/fact"))).toEqual([404, "not_found"]);
  const wrong = await site.call("PUT", "/session");
  expect([...codeOf(wrong), wrong.headers.get("allow")]).toEqual([405, "method_not_allowed", "GET, POST"]);
});

test.each([
  ["GET", "/session/..%2f..%2fetc"],
  ["GET", "/session/ses_a%00b"],
  ["GET", `/session/ses_${"a".repeat(65)}`],
  ["GET", "/session?limit=0"],
  ["GET", "/session?limit=many"],
  ["GET", "/session?unknown=1"],
  ["GET", "/session?isArchived=perhaps"],
  ["GET", "/session?after=nonsense"],
  ["GET", "/find"],
])("%s %s is refused", async (method, path) => {
  expect(codeOf(await site.call(method, path))).toEqual([400, "invalid_command"]);
});

test.each([
  ["no JSON", "{"],
  ["no object", "[]"],
  ["no object either", "null"],
  ["a field too many", '{"modus":"plan"}'],
  ["a wrong value", '{"mode":"never"}'],
  ["a name that is a trap", '{"__proto__":{"mode":"plan"}}'],
  ["nested a little too deep", `{"mode":${"[".repeat(100)}${"]".repeat(100)}}`],
  ["nested without end", "[".repeat(1_000_000)],
])("a body that is %s is refused", async (_name, text) => {
  expect(codeOf(await site.call("POST", "/session", { text }))).toEqual([400, "invalid_command"]);
});

test("brackets in a text do not count as depth, and depth within the limit is taken", async () => {
  const path = `/session/${sessionId}/message`;
  expect((await site.call("POST", path, { body: { text: '[{"\\'.repeat(200) } })).status).toBe(200);
  const problemAt = async (depth: number) => {
    const value = JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    const { status, json } = await site.call("PATCH", "/config", { body: { layer: "user", key: "", value } });
    return `${status} ${at(json, "error", "message")}`;
  };
  expect(await problemAt(99)).toMatch(/^400 .*key/);
  expect(await problemAt(100)).toBe("400 The request body is nested deeper than 100 levels.");
});

test("a client of another protocol is refused, and every answer names the server's", async () => {
  const answer = await site.call("GET", "/path", { headers: { "x-kedge-protocol": "2.0" } });
  expect([...codeOf(answer), answer.headers.get("x-kedge-protocol")]).toEqual([422, "configuration", "1.0"]);
  const known = await site.call("GET", "/path", { headers: { "x-kedge-protocol": "1.9" } });
  expect([known.status, known.headers.get("x-kedge-protocol")]).toEqual([200, "1.0"]);
});

test("a body that is no UTF-8, or of another type, is refused", async () => {
  const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
  const headers = { authorization: `Bearer ${site.server.token}`, "content-type": "application/json" };
  const bad = await fetch(`${site.server.url}/session`, { method: "POST", headers, body: bytes });
  expect(bad.status).toBe(400);
  const typed = await site.call("POST", "/session", { text: "{}", headers: { "content-type": "text/plain" } });
  expect(typed.status).toBe(415);
});

test("a body of very many values is refused before it is parsed, and long text is not", async () => {
  const values = (count: number) => `{"tags":[${"0,".repeat(count - 1)}0]}`;
  expect(codeOf(await site.call("POST", "/session", { text: values(100_001) }))).toEqual([413, "too_large"]);
  expect(codeOf(await site.call("POST", "/session", { text: values(100_000) }))).toEqual([400, "invalid_command"]);
  const title = `${",".repeat(60_000)}\\"${":".repeat(60_000)}`;
  const quoted = await site.call("POST", "/session", { text: JSON.stringify({ nothing: title }) });
  expect(codeOf(quoted)).toEqual([400, "invalid_command"]);
});

test("what is said of a bad body is short, however long its names are", async () => {
  const unknown = await site.call("POST", "/session", { body: { ["n".repeat(5_000)]: 1 } });
  const message = String(at(unknown.json, "error", "message"));
  expect([unknown.status, message.length]).toEqual([400, 323]);
  const schema = { type: "object", additionalProperties: { type: "number" } } as const;
  const names = Array.from({ length: 5 }, (_, index) => [`${index}${"n".repeat(1_000)}`, "text"]);
  const refused = () => check(schema, Object.fromEntries(names), "body");
  expect(refused).toThrow(ProblemError);
  expect(refused).toThrow(/^Invalid request body: (?:expected number at \dn{279}…(?:; |\.$)){5}$/);
});

test("what a reader sends is refused unread, but for a ticket", async () => {
  const token = site.tokenOf("read");
  const bad = { token, text: "no JSON" };
  for (const [method, path] of [
    ["POST", "/session"],
    ["PATCH", `/session/${sessionId}`],
    ["DELETE", `/session/${sessionId}`],
    ["PUT", "/auth/anthropic"],
  ] as const) {
    expect([method, ...codeOf(await site.call(method, path, bad))]).toEqual([method, 403, "scope"]);
  }
  expect(codeOf(await site.call("POST", "/auth/ticket", bad))).toEqual([400, "invalid_command"]);
  expect((await site.call("POST", "/auth/ticket", { token })).status).toBe(200);
});

test("each scope does what it may, and no more", async () => {
  const read = site.tokenOf("read");
  const prompt = site.tokenOf("prompt");
  const approve = site.tokenOf("approve");
  const rule = { rule: { permission: "bash", pattern: "ls", action: "deny" }, sessionId };
  const calls = [
    ["read", "GET", `/session/${sessionId}`, undefined],
    ["prompt", "POST", "/session", {}],
    ["approve", "POST", "/session", { mode: "bypass" }],
    ["approve", "PUT", `/session/${sessionId}/mode`, { mode: "accept-edits" }],
    ["approve", "GET", "/file?path=.env", undefined],
    ["approve", "POST", "/permission/rule", rule],
    ["admin", "POST", `/session/${sessionId}/shell`, { command: "true" }],
    ["admin", "GET", "/log", undefined],
    ["admin", "PUT", "/auth/anthropic", { key: "k" }],
    ["admin", "POST", "/instance/dispose", {}],
  ] as const;
  const held = [
    ["read", read],
    ["prompt", prompt],
    ["approve", approve],
    ["admin", site.server.token],
  ] as const;
  for (const [needed, method, path, body] of calls) {
    for (const [scope, token] of held) {
      const order = ["read", "prompt", "approve", "admin"];
      const isAllowed = order.indexOf(scope) >= order.indexOf(needed);
      const answer = await site.call(method, path, { token, ...(body !== undefined && { body }) });
      expect([scope, method, path, ...codeOf(answer)]).toEqual([
        ...[scope, method, path],
        ...(isAllowed ? [200, undefined] : [403, "scope"]),
      ]);
    }
  }
});

test("files outside, and secrets under another name, are not given away", async () => {
  symlinkSync(join(site.project, ".env"), join(site.project, "harmless.txt"));
  symlinkSync(site.home, join(site.project, "home"));
  const token = site.tokenOf("prompt");
  const statusOf = async (path: string, as: string) =>
    (await site.call("GET", `/file?path=${encodeURIComponent(path)}`, { token: as })).status;
  expect(await statusOf("harmless.txt", token)).toBe(403);
  for (const path of [
    "../user/.kedge/config.json",
    join(site.home, "config.json"),
    "home/config.json",
    "/etc/passwd",
  ]) {
    expect([path, await statusOf(path, site.server.token)]).toEqual([path, 400]);
  }
  const { text } = await site.call("GET", "/find?pattern=secret");
  expect(text).not.toContain("KEY=secret");
});

test("only who may approve answers a permission request", async () => {
  const token = site.tokenOf("prompt");
  const answer = await site.call("POST", "/permission/per_1", { token, body: { reply: "once", sessionId } });
  expect(codeOf(answer)).toEqual([403, "scope"]);
});

test("pages follow each other without gap or repetition", async () => {
  for (let index = 0; index < 4; index++) await site.newSession();
  const all = (await site.call("GET", "/session?limit=500")).json;
  const ids = (at(all, "sessions") as readonly unknown[]).map((summary) => at(summary, "sessionId"));
  const seen: unknown[] = [];
  for (let after = ""; ; ) {
    const { json } = await site.call("GET", `/session?limit=2${after}`);
    seen.push(...(at(json, "sessions") as readonly unknown[]).map((summary) => at(summary, "sessionId")));
    const next = at(json, "next");
    if (next === undefined) break;
    after = `&after=${next}`;
  }
  expect(seen).toEqual(ids);
  const facts: unknown[] = [];
  for (let after: unknown = 0; after !== undefined; ) {
    const { json } = await site.call("GET", `/session/${sessionId}/fact?after=${after}&limit=1`);
    facts.push(...(at(json, "facts") as readonly unknown[]));
    after = at(json, "next");
  }
  expect(facts).toEqual(at((await site.call("GET", `/session/${sessionId}/fact`)).json, "facts"));
});

test("a session comes as a file that is saved and never shown", async () => {
  const { status, headers, text } = await site.call("GET", `/session/${sessionId}/export?format=html&download=1`);
  expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
    200,
    "text/html; charset=utf-8",
    `attachment; filename="${sessionId}.html"`,
  ]);
  expect(text).toContain("<html");
});

/** `fetch` unpacks by itself and does not say what came. */
function encodingOf(path: string): Promise<{ readonly encoding: unknown; readonly vary: unknown }> {
  const headers = { authorization: `Bearer ${site.server.token}`, "accept-encoding": "gzip" };
  return new Promise((resolve, reject) => {
    request(`${site.server.url}${path}`, { headers }, (response) => {
      response.resume();
      resolve({ encoding: response.headers["content-encoding"], vary: response.headers.vary });
    })
      .on("error", reject)
      .end();
  });
}

test("long answers are packed, short ones are not", async () => {
  expect(await encodingOf("/doc")).toEqual({ encoding: "gzip", vary: "Accept-Encoding, Origin" });
  expect((await encodingOf("/global/health")).encoding).toBe(undefined);
});

test("no key that was stored comes back", async () => {
  const key = "secret-word-of-this-test";
  expect((await site.call("PUT", "/auth/anthropic", { body: { key } })).status).toBe(200);
  for (const path of ["/provider", "/config", "/log"]) expect((await site.call("GET", path)).text).not.toContain(key);
});

test("who may only read does not take up a session that is closed", async () => {
  const token = site.tokenOf("read");
  const id = await site.newSession();
  const look = () => site.call("GET", `/session/${id}/context`, { token });
  expect((await look()).status).toBe(200);
  await site.call("POST", `/session/${id}/close`);
  expect(codeOf(await look())).toEqual([403, "scope"]);
  expect((await site.call("GET", `/session/${id}/message`, { token })).status).toBe(200);
});

test("what a person starts in a terminal is no command of the agent", async () => {
  const url = `${site.server.url}/path`;
  const curl = `curl -s -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer ${site.server.token}' ${url}`;
  const command = `printf 'mark:%s status:' "$KEDGE_JOB"; ${curl}; echo .`;
  const opened = await site.call("POST", "/pty", { body: { command, columns: 200 } });
  const path = `/pty/${at(opened.json, "ptyId")}`;
  const screen = async () => String(at((await site.call("GET", path)).json, "screen"));
  await expect.poll(screen, { interval: 10 }).toContain("mark: status:200.");
  await site.call("DELETE", path);
});

test("messages come in pages, from the newest back", async () => {
  const id = await site.newSession();
  for (const text of ["one", "two", "three"]) await site.call("POST", `/session/${id}/message`, { body: { text } });
  const whole = at((await site.call("GET", `/session/${id}/message`)).json, "messages") as readonly unknown[];
  let seen: readonly unknown[] = [];
  for (let before = ""; ; ) {
    const { json } = await site.call("GET", `/session/${id}/message?limit=2${before}`);
    seen = [...(at(json, "messages") as readonly unknown[]), ...seen];
    const next = at(json, "before");
    if (next === undefined) break;
    before = `&before=${next}`;
  }
  expect([seen.length, seen]).toEqual([3, whole]);
});
