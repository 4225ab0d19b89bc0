/** What strangers, pages and broken programs try on a real server: all of it refused or harmless, and nobody else notices. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import type { Scope } from "@kedge/protocol";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ServerParts } from "../../src/serve.ts";
import { type Answer, at, type Call, type ServerSite } from "./server-site.ts";

/** A server as an attacker finds it at one of its addresses. */
type AttackedSite = Pick<ServerSite, "place" | "project" | "bugs" | "sent" | "opened" | "advance" | "close"> & {
  /** `name:port`, as in the address. */
  readonly hostName: string;
  readonly url: string;
  /** With all rights. */
  readonly token: string;
  tokenOf(scope: Scope): string;
  connect(): Duplex;
  call(method: string, path: string, call?: Call): Promise<Answer>;
};

type OpenAttacked = (serve?: Partial<ServerParts>) => Promise<AttackedSite>;

let site: AttackedSite;
let sessionId = "";
let opened: readonly string[] = [];

const codeOf = ({ status, json }: Answer) => [status, at(json, "error", "code")];

const bearer = ({ token } = site) => `Authorization: Bearer ${token}`;
const host = ({ hostName } = site) => `Host: ${hostName}`;
const portOf = ({ hostName } = site) => hostName.replace(/^.*:/, "");

/** As long as tests wait for anything: a busy machine answers late. */
const patienceMs = 60_000;

/** What the server sends until it closes the connection. */
function sendRaw(text: string, { connect } = site): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect();
    const waiting = setTimeout(() => {
      reject(new Error(`the connection stays open: ${text.slice(0, 300)}`));
      socket.destroy();
    }, patienceMs);
    socket.setEncoding("latin1");
    socket.on("data", (piece: string) => {
      received += piece;
    });
    // Whoever is refused in the middle of a long request may be cut off while it still writes, after the answer.
    socket.on("error", (error) => received === "" && reject(error));
    socket.on("end", () => socket.end());
    socket.on("close", () => {
      clearTimeout(waiting);
      resolve(received);
    });
    socket.write(text);
  });
}

const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));

function head(line: string, ...headers: readonly string[]): string {
  return [line, ...headers, "", ""].join("\r\n");
}

/** The whole suite, against one address of a server. */
export function attackCases(open: OpenAttacked): void {
  strangerCases();
  pathCases();
  limitCases(open);
  shapeCases();

  beforeAll(async () => {
    site = await open();
    const created = await site.call("POST", "/session", { body: {} });
    sessionId = String(at(created.json, "sessionId"));
    opened = [...site.opened];
    writeFileSync(join(site.place, "outside.txt"), "outside-canary\n");
    symlinkSync(site.place, join(site.project, "link"));
  });

  afterAll(async () => {
    await site?.close();
    expect(site?.bugs).toEqual([]);
  });

  // Whatever was tried, a stranger still learns that the server lives, and a caller gets through.
  afterEach(async () => {
    // Wrong credentials of this test lock out nobody in the next one.
    site.advance(120_000);
    const stranger = await site.call("GET", "/global/health", { token: "" });
    const caller = await site.call("GET", `/session/${sessionId}`);
    expect([stranger.status, caller.status]).toEqual([200, 200]);
    expect([site.opened, site.sent.filter((type) => type !== "session.create")]).toEqual([opened, []]);
  });
}

function strangerCases(): void {
  test.each([
    ["no token", {}],
    ["a wrong token", { authorization: "Bearer kedge_wrong" }],
    ["the token of a server before", { cookie: "kedge-1=a.b" }],
    ["a scheme that is none", { authorization: "Digest abc" }],
    ["an empty token", { authorization: "Bearer " }],
  ])("%s reads and changes nothing", async (_name, headers) => {
    for (const [method, path] of [
      ["GET", "/session"],
      ["GET", "/event"],
      ["GET", "/file?path=link/outside.txt"],
      ["POST", "/session"],
      ["POST", "/pty"],
      ["PATCH", "/config"],
      ["POST", "/auth/ticket"],
      ["POST", "/auth/code"],
    ] as const) {
      const body = method === "GET" ? {} : { body: {} };
      const answer = await site.call(method, path, { token: "", headers, ...body });
      expect([path, answer.status === 429 ? 401 : answer.status]).toEqual([path, 401]);
    }
  });

  test("a token in the address is none", async () => {
    for (const name of ["token", "access_token", "ticket", "authorization"]) {
      expect((await site.call("GET", `/session?${name}=${site.token}`, { token: "" })).status).toBe(401);
      expect((await site.call("GET", `/event?${name}=${site.token}`, { token: "" })).status).toBe(401);
    }
  });

  test.each(["http://localhost:5173", "http://127.0.0.1:1", "https://elsewhere.example", "null", "file://"])(
    "a page of %s is refused, with the right token too",
    async (origin) => {
      expect(codeOf(await site.call("GET", "/session", { headers: { origin } }))).toEqual([403, "foreign_origin"]);
      expect(codeOf(await site.call("POST", "/session", { body: {}, headers: { origin } }))).toEqual([
        403,
        "foreign_origin",
      ]);
    },
  );

  test("a name that was bent to this machine is refused", async () => {
    for (const name of ["attacker.example", `attacker.example:${portOf()}`, "127.0.0.1:1", "127.0.0.1.nip.io"]) {
      const answer = await sendRaw(head("GET /session HTTP/1.1", `Host: ${name}`, bearer(), "Connection: close"));
      expect([name, ...statusesIn(answer)]).toEqual([name, 421]);
    }
  });

  test("a form of another site reaches nothing", async () => {
    const types = ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"];
    for (const type of types) {
      const form = { text: "{}", headers: { "content-type": type } };
      expect((await site.call("POST", "/session", form)).status).toBe(415);
      const crossing = { ...form, headers: { ...form.headers, "sec-fetch-site": "cross-site" } };
      expect(codeOf(await site.call("POST", "/session", crossing))).toEqual([403, "cross_site"]);
    }
  });

  test("a WebSocket from a page of elsewhere, from nobody or to nowhere is refused", async () => {
    const upgrade = [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: eA==",
    ];
    const own = `Origin: ${site.url}`;
    const tries = [
      { path: "/pty/pty_1/connect", headers: [bearer(), "Origin: http://localhost:5173"], status: 403 },
      { path: "/pty/pty_1/connect", headers: [bearer()], status: 403 },
      { path: "/pty/pty_1/connect", headers: [own], status: 401 },
      { path: `/pty/pty_1/connect?token=${site.token}`, headers: [own], status: 401 },
      { path: "/pty/..%2f..%2fsession/connect", headers: [own, bearer()], status: 404 },
      { path: "/session", headers: [own, bearer()], status: 404 },
    ];
    for (const { path, headers, status } of tries) {
      const answer = await sendRaw(head(`GET ${path} HTTP/1.1`, host(), ...upgrade, ...headers));
      expect([path, ...statusesIn(answer)]).toEqual([path, status]);
    }
  });
}

function pathCases(): void {
  test("no spelling of a path leads out of the project", async () => {
    const outside = join(site.place, "outside.txt");
    const spellings = [
      "../outside.txt",
      "..%2foutside.txt",
      "%2e%2e%2foutside.txt",
      "%252e%252e%252foutside.txt",
      "..%5coutside.txt",
      "....//outside.txt",
      "./../project/../outside.txt",
      "link/outside.txt",
      "link%2foutside.txt",
      encodeURIComponent(outside),
      encodeURIComponent(`file://${outside}`),
      encodeURIComponent(`/proc/self/root${outside}`),
      encodeURIComponent(`/proc/self/cwd/../outside.txt`),
      "%00",
      "..%00/outside.txt",
      "outside.txt%00.png",
      "~/outside.txt",
      "a".repeat(5_000),
    ];
    for (const spelling of spellings) {
      for (const route of ["/file", "/file/list"]) {
        const answer = await site.call("GET", `${route}?path=${spelling}`);
        expect([route, spelling, answer.status >= 400 && answer.status < 500]).toEqual([route, spelling, true]);
        expect(answer.text).not.toContain("outside-canary");
      }
    }
    const found = await site.call("GET", "/find?pattern=outside-canary&path=link");
    expect(found.text).not.toContain("outside-canary\\n");
    for (const target of ["/file/../../outside.txt", "/..%2f..%2foutside.txt", "//etc/passwd", "/session/%2e%2e/doc"]) {
      const answer = await sendRaw(head(`GET ${target} HTTP/1.1`, host(), bearer(), "Connection: close"));
      expect([target, statusesIn(answer).every((status) => status >= 400)]).toEqual([target, true]);
    }
  });
}

function limitCases(open: OpenAttacked): void {
  test("bodies that are too large are refused before they are sent", async () => {
    const prompt = `/session/${sessionId}/prompt_async`;
    for (const [path, bytes] of [
      ["/session", 10 * 1024 * 1024 + 1],
      [prompt, 50 * 1024 * 1024 + 1],
      ["/session", Number.MAX_SAFE_INTEGER],
    ] as const) {
      const json = ["Content-Type: application/json", `Content-Length: ${bytes}`, "Connection: close"];
      const answer = await sendRaw(head(`POST ${path} HTTP/1.1`, host(), bearer(), ...json));
      expect([path, statusesIn(answer)[0]]).toEqual([path, 413]);
    }
  });

  test("heads and bodies that trickle in are cut off", async () => {
    // Short limits on a server of its own: on a busy machine honest requests would meet them too.
    const limits = { headersMsMax: 400, requestMsMax: 800 };
    const impatient = await open({ limits });
    const begun = "POST /session HTTP/1.1\r\n";
    const json = ["Content-Type: application/json", "Content-Length: 100"];
    const slow = [begun, head("POST /session HTTP/1.1", host(impatient), bearer(impatient), ...json)];
    for (const answer of await Promise.all(slow.map((text) => sendRaw(text, impatient)))) {
      expect(statusesIn(answer)).toEqual([408]);
    }
    await impatient.close();
  });

  test("long heads are borne up to a limit", async () => {
    const long = (bytes: number) =>
      sendRaw(head("GET /path HTTP/1.1", host(), bearer(), `X-Long: ${"a".repeat(bytes)}`, "Connection: close"));
    expect(statusesIn(await long(10_000))).toEqual([200]);
    expect(statusesIn(await long(20_000))).toEqual([431]);
    const many = Array.from({ length: 5_000 }, (_, index) => `X-${index}: a`);
    expect(statusesIn(await sendRaw(head("GET /path HTTP/1.1", host(), bearer(), ...many)))).toEqual([431]);
  });

  test("addresses without end are refused", async () => {
    for (const [path, statuses] of [
      [`/find?pattern=${"a".repeat(12_000)}`, [400]],
      [`/session?${"limit=1&".repeat(1_500)}limit=1`, [200]],
      [`/${"a/".repeat(5_000)}`, [404]],
      [`/find?pattern=${"a".repeat(100_000)}`, [431]],
    ] as const) {
      const answer = await sendRaw(head(`GET ${path} HTTP/1.1`, host(), bearer(), "Connection: close"));
      expect([path.slice(0, 20), statusesIn(answer)]).toEqual([path.slice(0, 20), statuses]);
    }
  });

  test.each([
    ["lists", "[".repeat(5_000_000)],
    ["objects", '{"a":'.repeat(1_000_000)],
    ["closed lists", `{"mode":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["a text without end", `"${"\\".repeat(1_000_001)}`],
  ])("%s nested or drawn out to exhaust the parser are refused", async (_name, text) => {
    expect(codeOf(await site.call("POST", "/session", { text }))).toEqual([400, "invalid_command"]);
  });
}

function shapeCases(): void {
  test("what two programs could take for one or two requests is taken for none", async () => {
    const smuggled = head("POST /session HTTP/1.1", host(), bearer(), "Content-Length: 0");
    const json = "Content-Type: application/json";
    const first = ["POST /session HTTP/1.1", host(), bearer(), json] as const;
    const shapes = [
      `${head(...first, "Content-Length: 4", "Transfer-Encoding: chunked")}0\r\n\r\n${smuggled}`,
      `${head(...first, "Transfer-Encoding: chunked", "Content-Length: 4")}0\r\n\r\n${smuggled}`,
      `${head(...first, "Content-Length: 2", "Content-Length: 3")}{}${smuggled}`,
      `${head(...first, "Content-Length: 2, 3")}{}${smuggled}`,
      `${head(...first, "Content-Length: +2")}{}${smuggled}`,
      `${head(...first, "Content-Length: -1")}{}${smuggled}`,
      `${head(...first, "Transfer-Encoding : chunked")}0\r\n\r\n${smuggled}`,
      `${head(...first, "Transfer-Encoding: xchunked")}0\r\n\r\n${smuggled}`,
      `${head(...first, "Transfer-Encoding: chunked", "Transfer-Encoding: identity")}0\r\n\r\n${smuggled}`,
      `${first.join("\n")}\n\n${smuggled}`,
      `${first.join("\r\n")}\nContent-Length: 0\n\n${smuggled}`,
      `${first.join("\r")}\r\r${smuggled}`,
      head("POST /session HTTP/1.1", `${host()}`, bearer(), " folded: yes") + smuggled,
      head("POST /session HTTP/1.1", host(), host(), bearer()) + smuggled,
      head("POST /session HTTP/1.1\0", host(), bearer()) + smuggled,
    ];
    const before = site.sent.length;
    for (const shape of shapes) {
      const statuses = statusesIn(await sendRaw(shape));
      expect([JSON.stringify(shape.slice(0, 300)), statuses[0], statuses.length]).toEqual([
        JSON.stringify(shape.slice(0, 300)),
        expect.toBeOneOf([400, 411]),
        1,
      ]);
    }
    expect(site.sent.length).toBe(before);
  });

  test("old and odd requests are refused", async () => {
    const close = "Connection: close";
    for (const [line, headers, status] of [
      ["GET /session HTTP/1.0", [], 400],
      ["GET /session HTTP/1.1", [close], 400],
      ["GET /session HTTP/2.0", [host(), close], 400],
      ["TRACE /session HTTP/1.1", [host(), close], 405],
      ["CONNECT 127.0.0.1:22 HTTP/1.1", [host(), close], undefined],
      ["GET http://127.0.0.1/session HTTP/1.1", [host(), close], 400],
      ["OPTIONS * HTTP/1.1", [host(), close], 405],
      ["BREW /session HTTP/1.1", [host(), close], 400],
      ["\x16\x03\x01\x02\x00\x01\x00", [], 400],
    ] as const) {
      const answer = await sendRaw(head(line, ...headers, ...(headers.length > 0 ? [bearer()] : [])));
      expect([line, statusesIn(answer)[0]]).toEqual([line, status]);
    }
  });

  test("requests one behind the other are answered one by one, and a bad one ends the row", async () => {
    const ask = head("GET /path HTTP/1.1", host(), bearer());
    const last = head("GET /path HTTP/1.1", host(), bearer(), "Connection: close");
    expect(statusesIn(await sendRaw(ask.repeat(50) + last))).toEqual(Array(51).fill(200));
    const stranger = head("GET /path HTTP/1.1", host());
    expect(statusesIn(await sendRaw(ask + stranger + last))).toEqual([200, 401, 200]);
    const statuses = statusesIn(await sendRaw(`${ask}nonsense\r\n\r\n${ask}`));
    expect([statuses.length <= 2, statuses.at(-1)]).toEqual([true, 400]);
  });

  test("who may prompt cannot give himself more", async () => {
    const token = site.tokenOf("prompt");
    for (const [method, path, body] of [
      ["POST", "/permission/per_1", { reply: "once", sessionId }],
      ["POST", "/permission/rule", { rule: { permission: "bash", pattern: "*", action: "allow" }, sessionId }],
      ["POST", "/session", { mode: "bypass" }],
      ["PUT", `/session/${sessionId}/mode`, { mode: "auto" }],
      ["PUT", `/session/${sessionId}/grants`, { grants: [] }],
      ["POST", "/auth/code", {}],
      ["PUT", "/auth/anthropic", { key: "k" }],
      ["PATCH", "/config", { layer: "user", key: "permissionMode", value: "auto" }],
      ["POST", "/pty", {}],
      ["POST", `/session/${sessionId}/shell`, { command: "id" }],
    ] as const) {
      expect([path, ...codeOf(await site.call(method, path, { token, body }))]).toEqual([path, 403, "scope"]);
    }
    const ticket = at((await site.call("POST", "/auth/ticket", { token })).json, "ticket");
    expect((await site.call("GET", `/session?ticket=${ticket}`, { token: "" })).status).toBe(401);
  });

  test("many half-open connections keep nobody out", async () => {
    const sockets = Array.from({ length: 300 }, () => site.connect());
    for (const socket of sockets) socket.on("error", () => undefined).write("GET /");
    expect((await site.call("GET", "/path")).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
}
