/** Sealed snapshots: said before they are sent, readable by whoever has the link alone, and gone when revoked. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { bytesOfBase64Url } from "@kedge/protocol/room";
import { afterEach, expect, test } from "vitest";
import { openSharedSite, type SharedSite } from "./shared-site.ts";

let shared: SharedSite | undefined;

afterEach(async () => {
  await shared?.close();
  shared = undefined;
});

test("nothing is sent before the user confirms, and the copy is sealed, redacted and revocable", async () => {
  const key = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
  const relaySite = await openSharedSite([]);
  shared = relaySite;
  const { site, sessionId, relay } = relaySite;
  const set = await site.call("PATCH", "/config", { body: { layer: "user", key: "share.serverUrl", value: relay } });
  expect(set.status).toBe(200);
  await site.call("POST", `/session/${sessionId}/prompt`, { body: { text: `Keep ${key} in mind, apricot` } });
  const asked = await site.call("POST", `/session/${sessionId}/share`, { body: {} });
  expect(asked.json).toMatchObject({ isUploaded: false, server: relay });
  const page = relay.replace("ws", "http");
  expect((await site.call("GET", "/share")).json).toEqual({ shares: [] });
  const sent = await site.call("POST", `/session/${sessionId}/share`, { body: { isConfirmed: true } });
  const { link, shareId } = sent.json as { link: string; shareId: string };
  const [address = "", secret = ""] = link.split("#");
  expect(address).toBe(`${page}/s/${shareId}`);
  const raw = new Uint8Array(await (await fetch(`${address}/raw`)).arrayBuffer());
  expect(Buffer.from(raw).toString("latin1")).not.toContain("apricot");
  const opened = await openSealed(raw, secret);
  expect(opened).toContain("apricot");
  expect(opened).not.toContain(key);
  const list = readFileSync(join(site.home, "collab", "shares.json"), "utf8");
  expect(list).not.toContain(secret);
  const wrong = await fetch(address, { method: "DELETE", headers: { authorization: "Bearer wrong" } });
  expect(wrong.status).toBe(404);
  expect((await site.call("DELETE", `/share/${shareId}`)).status).toBe(200);
  expect((await fetch(`${address}/raw`)).status).toBe(404);
  expect((await site.call("GET", "/share")).json).toEqual({ shares: [] });
});

test("a relay keeps no more than it allows", async () => {
  shared = await openSharedSite([]);
  const page = shared.relay.replace("ws", "http");
  expect((await fetch(`${page}/s`, { method: "POST", body: new Uint8Array(0) })).status).toBe(400);
  const large = await fetch(`${page}/s`, { method: "POST", body: new Uint8Array(10 * 1024 * 1024 + 1) }).catch(
    () => undefined,
  );
  expect(large?.status ?? 413).toBe(413);
  expect((await fetch(`${page}/s/${"x".repeat(22)}/raw`)).status).toBe(404);
  expect((await fetch(`${page}/s/..%2f..%2fetc%2fpasswd/raw`)).status).toBe(404);
  const statuses = [];
  for (let count = 0; count < 21; count++) {
    statuses.push((await fetch(`${page}/s`, { method: "POST", body: new Uint8Array(8) })).status);
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(18);
  expect(statuses.at(-1)).toBe(429);
});

async function openSealed(sealed: Uint8Array<ArrayBuffer>, secret: string): Promise<string> {
  const bytes = bytesOfBase64Url(secret);
  if (bytes === undefined) throw new Error("no key");
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["decrypt"]);
  const opened = await crypto.subtle.decrypt({ name: "AES-GCM", iv: sealed.slice(0, 12) }, key, sealed.slice(12));
  return gunzipSync(new Uint8Array(opened)).toString("utf8");
}
