/** Devices at the address for others: how they are paired, what each may do, how they are notified, and how they end. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { createPushSender } from "@kedge/host/reach";
import { hostAccess } from "@kedge/host/server";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readDeviceFile, revokeDevice } from "../../src/devices/device-file.ts";
import type { PushSender } from "../../src/devices/push-notices.ts";
import { runFilePath } from "../../src/run-file.ts";
import { type Answer, at } from "../http/server-site.ts";
import { openPushService, type PushService } from "./push-service.ts";
import { openReachSite, type ReachSite } from "./reach-site.ts";

const address = Object.values(networkInterfaces())
  .flatMap((list = []) => list)
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
const suite = `at an address for others${address === undefined ? " (skipped: this machine has none but loopback)" : ""}`;
const codeOf = ({ status, json }: Answer) => [status, at(json, "error", "code")];

describe.skipIf(address === undefined)(suite, () => {
  let site: ReachSite;
  let service: PushService;

  beforeAll(async () => {
    service = await openPushService();
    let sender: PushSender | undefined;
    const late: PushSender = {
      get publicKey() {
        return sender?.publicKey ?? "";
      },
      accepts: (endpoint) => sender?.accepts(endpoint) === true,
      send: (subscription, message) => sender?.send(subscription, message) ?? Promise.resolve("failed"),
    };
    site = await openReachSite({
      ...{ address: address ?? "", dial: (port) => connect(port, address) },
      script: ({ body }) =>
        body.messages?.some(({ role }) => role === "tool") === true
          ? { text: "Done with hunter2." }
          : { toolCalls: [{ name: "write", input: { filePath: "hunter2.txt", content: "hunter2" } }] },
      serve: { password: "of the scripts" },
      reach: { push: late, answerMs: 0 },
    });
    const access = hostAccess({ home: site.home, environment: {}, now: site.now });
    sender = await createPushSender({ ...access, services: [service.origin], onNotice: () => undefined });
  });

  afterEach(() => {
    // What one test locked out is let in by the next one.
    site.advance(600_000);
  });

  afterAll(async () => {
    await site?.close();
    service?.close();
    expect(site?.bugs).toEqual([]);
  });

  const pair = (code: string) =>
    site.callReach("POST", "/auth/pair", { body: { code, name: "Phone", wants: "token" } });

  test("a code pairs one device, and is worth nothing when it was used or is too old", async () => {
    const code = site.server.reach?.pair().code ?? "";
    const paired = await pair(code.replace("-", " ").toLowerCase());
    expect([paired.status, at(paired.json, "scope"), at(paired.json, "name")]).toEqual([200, "approve", "Phone"]);
    const token = String(at(paired.json, "token"));
    expect((await site.callReach("GET", "/session", { token })).status).toBe(200);
    expect((await pair(code)).status).toBe(401);
    const old = site.server.reach?.pair().code ?? "";
    site.advance(5 * 60_000 + 1);
    expect((await pair(old)).status).toBe(401);
  });

  test("five wrong codes lock the peer out, the right one too, and whoever waits may try again", async () => {
    const code = site.server.reach?.pair().code ?? "";
    for (let attempt = 1; attempt <= 5; attempt++) expect((await pair(`WRNG-000${attempt}`)).status).toBe(401);
    expect(codeOf(await pair("WRNG-0006"))).toEqual([429, "locked_out"]);
    expect(codeOf(await pair(code))).toEqual([429, "locked_out"]);
    site.advance(5 * 60_000 + 1);
    expect((await pair(site.server.reach?.pair("read").code ?? "")).status).toBe(200);
  });

  test("nothing of this machine counts there, and no device counts here", async () => {
    const run = JSON.parse(readFileSync(runFilePath(site.home, site.project), "utf8")) as { readonly token: string };
    const basic = `Basic ${Buffer.from("x:of the scripts").toString("base64")}`;
    for (const token of [site.server.token, run.token, site.tokenOf("admin")]) {
      expect((await site.call("GET", "/session", { token })).status).toBe(200);
      expect((await site.callReach("GET", "/session", { token })).status).toBe(401);
    }
    expect((await site.callReach("GET", "/session", { headers: { authorization: basic } })).status).toBe(401);
    const { json } = await site.call("POST", "/auth/code", { body: {} });
    expect((await site.callReach("POST", "/auth/cookie", { body: { code: at(json, "code") } })).status).toBe(401);
    const { secret } = site.deviceOf("admin");
    expect((await site.call("GET", "/session", { token: secret })).status).toBe(401);
    const pairing = { body: { code: site.server.reach?.pair().code, name: "x" } };
    expect((await site.call("POST", "/auth/pair", pairing)).status).toBe(404);
  });

  test("it is called by its own address only, and answers nobody without TLS", async () => {
    const { secret: token } = site.deviceOf("read");
    const [, port = ""] = site.hostName.split(":");
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "kedge.local", `${address}:1`]) {
      expect([host, ...codeOf(await site.callReach("GET", "/session", { token, headers: { host } }))]).toEqual([
        ...[host, 421, "wrong_host"],
      ]);
    }
    const plain = connect(Number(port), address);
    let received = "";
    plain.setEncoding("latin1").on("data", (piece: string) => {
      received += piece;
    });
    plain.on("error", () => undefined);
    plain.write(`GET /global/health HTTP/1.1\r\nHost: ${site.hostName}\r\n\r\n`);
    await once(plain, "close");
    expect(received).not.toContain("ok");
  });

  test("a device has the rights of its scope, and gives nobody more", async () => {
    const sessionId = await site.newSession();
    const read = site.deviceOf("read");
    const prompt = site.deviceOf("prompt");
    const approve = site.deviceOf("approve");
    const submit = { text: "go", delivery: "steer", options: {} };
    const path = `/session/${sessionId}/prompt_async`;
    expect((await site.callReach("GET", `/session/${sessionId}`, { token: read.secret })).status).toBe(200);
    expect(codeOf(await site.callReach("POST", path, { token: read.secret, body: submit }))).toEqual([403, "scope"]);
    const answer = { body: { reply: "once", sessionId } };
    expect(codeOf(await site.callReach("POST", "/permission/per_1", { token: prompt.secret, ...answer }))).toEqual([
      ...[403, "scope"],
    ]);
    for (const { secret } of [approve, site.deviceOf("admin")]) {
      const issue = await site.callReach("POST", "/pairing", { token: secret, body: {} });
      expect(codeOf(issue)).toEqual([403, "code_by_cookie"]);
      const code = await site.callReach("POST", "/auth/code", { token: secret, body: {} });
      expect(code.status).toBe(403);
    }
    const other = `/device/${read.deviceId}`;
    expect(codeOf(await site.callReach("DELETE", other, { token: approve.secret }))).toEqual([403, "scope"]);
    expect((await site.callReach("POST", "/pty", { token: approve.secret, body: {} })).status).toBe(403);
    const own = await site.callReach("GET", "/device", { token: approve.secret });
    expect(at(own.json, "devices", 0, "deviceId")).toBe(approve.deviceId);
    expect(at(own.json, "devices", 1)).toBeUndefined();
    expect((await site.callReach("DELETE", `/device/${approve.deviceId}`, { token: approve.secret })).status).toBe(200);
    expect((await site.callReach("GET", "/session", { token: approve.secret })).status).toBe(401);
  });

  test("revoking a device ends its stream at once, whoever does it", async () => {
    for (const way of ["route", "file"] as const) {
      const { secret, deviceId } = site.deviceOf("approve");
      const socket = site.connectReach();
      socket.write(`GET /event HTTP/1.1\r\nHost: ${site.hostName}\r\nAuthorization: Bearer ${secret}\r\n\r\n`);
      const [first] = (await once(socket, "data")) as [Buffer];
      expect(first.toString()).toContain("200 OK");
      socket.resume();
      const closed = once(socket, "close");
      if (way === "route") expect((await site.call("DELETE", `/device/${deviceId}`)).status).toBe(200);
      else revokeDevice(hostAccess({ home: site.home, environment: {}, now: site.now }), deviceId);
      await closed;
      expect((await site.callReach("GET", "/session", { token: secret })).status).toBe(401);
    }
  });

  test("a device that switched notices on is told of a question, in words that say nothing else", async () => {
    const { secret: token } = site.deviceOf("approve");
    const off = site.deviceOf("approve");
    const listed = await site.callReach("GET", "/device", { token });
    const { endpoint, p256dh, auth } = service.subscribe("phone");
    const subscribe = (to: string) => site.callReach("PUT", "/push", { token, body: { endpoint: to, p256dh, auth } });
    for (const refused of [
      ...["http://127.0.0.1/", "https://169.254.169.254/latest", "https://fcm.googleapis.com.evil.example/x"],
      ...["https://user@fcm.googleapis.com/x", "https://fcm.googleapis.com:8443/x", "file:///etc/passwd"],
    ]) {
      expect([refused, (await subscribe(refused)).status]).toEqual([refused, 400]);
    }
    expect((await subscribe("https://fcm.googleapis.com/fcm/send/x")).status).toBe(200);
    expect((await subscribe(endpoint)).status).toBe(200);
    const sessionId = await site.newSession();
    const body = { text: "Write hunter2", delivery: "steer", options: {} };
    expect((await site.callReach("POST", `/session/${sessionId}/prompt_async`, { token, body })).status).toBe(202);
    await expect.poll(() => service.received.length).toBe(1);
    const [notice] = service.received;
    const { isSignedBy, ...seen } = notice ?? { isSignedBy: () => false };
    expect(seen).toEqual({
      ...{ path: "/push/phone", ttl: "600", urgency: "high", audience: service.origin },
      text: JSON.stringify({ title: "Permission needed", link: `/app/session/${sessionId}` }),
    });
    expect(isSignedBy(String(at(listed.json, "pushKey")))).toBe(true);
    // The person gets time to come, although nobody is connected.
    site.advance(60_000);
    await site.server.instances.refuseUnattended({ isSomebodyNotified: true });
    expect(at((await site.call("GET", "/permission")).json, "requests", 0, "sessionId")).toBe(sessionId);
    // A browser that has withdrawn is forgotten.
    service.answer(410);
    await site.call("POST", `/session/${sessionId}/abort`, { body: {} });
    const again = await site.newSession();
    await site.callReach("POST", `/session/${again}/prompt_async`, { token, body });
    await expect.poll(() => service.received.length).toBe(2);
    await expect.poll(() => readDeviceFile(site.home).filter(({ push }) => push !== undefined)).toEqual([]);
    expect(readDeviceFile(site.home).some(({ deviceId }) => deviceId === off.deviceId)).toBe(true);
  });
});
