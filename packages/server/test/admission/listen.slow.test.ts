/** Proves where the server listens, that it needs TLS where others can reach it, and that it closes in time. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { request as sendEncrypted } from "node:https";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ServerListeners } from "../../src/admission/admit-requests.ts";
import { type ListeningServer, type ListenOptions, listen } from "../../src/listen.ts";
import { portsToTry, preferredPort, projectHashOf } from "../../src/server-port.ts";
import { admin, asAdmin, openAdmissionSite } from "./admission-site.ts";

let directory = "";
const opened: { close(): unknown }[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-listen-"));
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  rmSync(directory, { recursive: true, force: true });
});

const greeting: ServerListeners = {
  onRequest: (_request, response) => response.end("hello"),
  onUpgrade: (_request, socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
};

async function open(options: Partial<ListenOptions> = {}, listeners = greeting): Promise<ListeningServer> {
  const server = await listen({ directory, ...options }, listeners);
  opened.push({ close: () => server.close(0) });
  return server;
}

async function occupy(port: number): Promise<void> {
  const server = createServer();
  opened.push(server);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}

test("the port follows from the real path, so a project keeps it", () => {
  const link = `${directory}-link`;
  symlinkSync(directory, link);
  expect(preferredPort(link)).toBe(preferredPort(directory));
  rmSync(link);
  const expected = 20_000 + (Number.parseInt(projectHashOf(directory).slice(0, 8), 16) % 10_000);
  expect(preferredPort(directory)).toBe(expected);
  expect(projectHashOf(directory)).toBe(projectHashOf(realpathSync(directory)));
  expect(portsToTry(directory)).toEqual([...Array.from({ length: 21 }, (_, index) => expected + index), 0]);
});

test("taken ports are passed over, and the last one is any that is free", async () => {
  const first = await open();
  expect([first.port >= preferredPort(directory), first.hostname, first.warnings]).toEqual([true, "127.0.0.1", []]);
  const second = await open();
  expect(second.port).toBeGreaterThan(first.port);
  for (let port = second.port + 1; port <= preferredPort(directory) + 20; port++) await occupy(port);
  const last = await open();
  expect(portsToTry(directory)).not.toContain(last.port);
});

test("a port that was asked for must be free", async () => {
  const { port } = await open();
  await expect(open({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use.`);
  await expect(open({ hostname: "203.0.113.7", isInsecure: true })).rejects.toThrow("Cannot listen on 203.0.113.7");
});

test("where others can reach it the server needs TLS, or a person who knows better", async () => {
  await expect(open({ hostname: "0.0.0.0" })).rejects.toThrow("so the server needs TLS.");
  await expect(open({ hostname: "::" })).rejects.toThrow("so the server needs TLS.");
  const insecure = await open({ hostname: "0.0.0.0", isInsecure: true });
  expect(insecure.url).toBe(`http://127.0.0.1:${insecure.port}`);
  expect(insecure.warnings).toEqual([expect.stringContaining("listens on 0.0.0.0 without TLS")]);
  expect((await open({ hostname: "localhost" })).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test("with TLS callers come in through it alone", async () => {
  const certPath = join(directory, "cert.pem");
  const keyPath = join(directory, "key.pem");
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  execFileSync("openssl", [...made, ...subject, "-keyout", keyPath, "-out", certPath], { stdio: "ignore" });
  const site = await openAdmissionSite({
    listen: { hostname: "0.0.0.0", tls: { certPath, keyPath } },
    admissions: { boundTo: "0.0.0.0" },
  });
  opened.push(site);
  expect([site.server.url.startsWith("https://"), site.server.warnings]).toEqual([true, []]);
  const { port } = site.server;
  const headers = { ...asAdmin, origin: `https://127.0.0.1:${port}` };
  const [response] = await once(
    sendEncrypted({ host: "127.0.0.1", port, path: "/config", headers, rejectUnauthorized: false, agent: false }).end(),
    "response",
  );
  let text = "";
  for await (const piece of response) text += String(piece);
  expect(JSON.parse(text)).toEqual({ caller: admin, bytes: 0 });
  await expect(site.call("/config", { headers: asAdmin })).rejects.toThrow();
});

test("a certificate that cannot be used is told by name", async () => {
  const certPath = join(directory, "cert.pem");
  await expect(open({ tls: { certPath, keyPath: certPath } })).rejects.toThrow(`Cannot read ${certPath}`);
  writeFileSync(certPath, "no certificate");
  await expect(open({ tls: { certPath, keyPath: certPath } })).rejects.toThrow("cannot be used together");
});

test("closing lets a running request end and takes nobody in any more", async () => {
  let answer = () => {};
  const arrived = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let finish = () => {};
  const server = await open(
    {},
    {
      ...greeting,
      onRequest: (_request, response) => {
        finish = () => response.end("done");
        answer();
      },
    },
  );
  const running = once(get(`${server.url}/slow`), "response");
  await arrived;
  const closed = server.close();
  await expect(once(get(`${server.url}/late`, { agent: false }), "response")).rejects.toThrow("ECONNREFUSED");
  finish();
  const [response] = await running;
  let text = "";
  for await (const piece of response) text += String(piece);
  await closed;
  expect(text).toBe("done");
  await server.close();
});

test("closing cuts off what does not end in time, WebSockets too", async () => {
  const server = await open({}, { ...greeting, onRequest: () => {} });
  const stuck = connect(server.port, "127.0.0.1");
  stuck.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const upgraded = connect(server.port, "127.0.0.1");
  upgraded.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  await once(upgraded, "data");
  const cut = Promise.all([stuck, upgraded].map((socket) => once(socket, "close")));
  for (const socket of [stuck, upgraded]) socket.on("error", () => {});
  await server.close(100);
  await cut;
});

test("unless said otherwise it gives three seconds, so that the whole end stays within five", async () => {
  const server = await open({}, { ...greeting, onRequest: () => {} });
  const upgraded = connect(server.port, "127.0.0.1");
  upgraded.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  await once(upgraded, "data");
  upgraded.on("error", () => {});
  const cut = once(upgraded, "close");
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const closed = server.close();
    vi.advanceTimersByTime(2_999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(vi.getTimerCount()).toBe(0);
    await Promise.all([closed, cut]);
  } finally {
    vi.useRealTimers();
  }
});
