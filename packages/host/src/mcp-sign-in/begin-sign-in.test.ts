/** Proves that a sign-in beside a session says where to continue, and ends in a kept sign-in or one sentence. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { McpServer } from "@kedge/extend/mcp-servers";
import { type AuthorizationServer, openAuthorizationServer } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { noKeyring } from "../credentials/keyring.ts";
import { signInUrlOf } from "./authorize-servers.ts";
import { beginSignIn } from "./begin-sign-in.ts";
import { openSignInStore } from "./sign-in-store.ts";

let home = "";
let site: AuthorizationServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "kedge-sign-in-"));
  site = await openAuthorizationServer(Date.now);
});
afterEach(async () => {
  await site[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

function begin(more: Partial<McpServer> = {}) {
  const server: McpServer = {
    ...{ name: "tracker", scope: "user", file: "test", signature: "" },
    transport: { type: "http", url: site.serverUrl, headers: {} },
    ...more,
  };
  // Without a screen, so that no browser of whoever runs the tests opens.
  const environment = { KEDGE_KEYRING: "off" };
  const signal = new AbortController().signal;
  return beginSignIn(server, { home, environment, now: Date.now, signal });
}

test("it says where to continue before anybody did, and keeps the sign-in afterwards", async () => {
  const { text = "", over } = await begin();
  const { host } = new URL(site.serverUrl);
  const [, short = "", long = ""] =
    /^Sign in to tracker at \S+\. Open (\S+)\nIn a browser on another machine: (\S+)$/.exec(text) ?? [];
  expect(long.startsWith(`http://${host}/authorize?`)).toBe(true);
  // Short enough for one line of any terminal, and no secret to programs that do not know it.
  expect(short).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{16}$/);
  expect((await fetch(new URL("/", short))).status).toBe(404);
  expect((await fetch(short, { redirect: "manual" })).headers.get("location")).toBe(long);
  await (await fetch(short)).text();
  expect(await over).toEqual({ ok: true, storage: "file" });
  expect(openSignInStore({ home, keyring: noKeyring }).read(site.serverUrl)?.tokens?.accessToken).toBeDefined();
});

test("what ends before there is an address is told at once", async () => {
  site.behaviour.registers = false;
  const { text, over } = await begin();
  expect([text, await over]).toEqual([undefined, { ok: false, problem: expect.stringContaining("oauth.clientId") }]);
  const local = await begin({ transport: { type: "stdio", command: "x", args: [], env: {} } });
  expect(await local.over).toEqual({ ok: false, problem: "tracker runs on this machine and does not need a sign-in." });
});

test.each([
  [{ type: "ws", url: "wss://a.test/mcp", headers: {} } as const, "https://a.test/mcp"],
  [{ type: "http", url: "https://a.test/mcp", headers: {} } as const, "https://a.test/mcp"],
  [{ type: "http", url: "https://a.test/mcp", headers: { authorization: "Bearer x" } } as const, undefined],
])("a sign-in for %j is asked for at %s", (transport, url) => {
  expect(signInUrlOf({ transport })).toBe(url);
});
