/** A server that demands a client certificate is reached by model calls, hooks and MCP; what cannot be used stops the start. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

const passphrase = "words-of-the-test";
let bench: Workbench;
let server: Server;
/** The paths that a client with a certificate asked for. */
let seen: string[];

beforeEach(async () => {
  bench = await openWorkbench([]);
  seen = [];
  makeCertificate("server", []);
  makeCertificate("client", ["-passout", `pass:${passphrase}`]);
  server = createServer({
    ...{ key: read("server.key"), cert: read("server.pem"), ca: read("client.pem") },
    ...{ requestCert: true, rejectUnauthorized: true },
  });
  server.on("request", (incoming, response) => {
    // An HTTPS server has no other sockets.
    if ((incoming.socket as TLSSocket).authorized) seen.push(incoming.url ?? "");
    if (incoming.url !== "/v1/chat/completions") {
      response.writeHead(incoming.url === "/hook" ? 200 : 404).end();
      return;
    }
    const deltas = [{ content: "Known." }, {}].map((delta, index) =>
      JSON.stringify({ choices: [{ index: 0, delta, finish_reason: index === 0 ? null : "stop" }] }),
    );
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end([...deltas, "[DONE]"].map((data) => `data: ${data}\n\n`).join(""));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on TCP has such an address.
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const settings = {
    model: "secure/m",
    provider: { secure: { api: "openai-chat", baseURL: `${origin}/v1` } },
    hooks: { UserPromptSubmit: [{ hooks: [{ type: "http", url: `${origin}/hook` }] }] },
    mcp: { docs: { type: "http", url: `${origin}/mcp` } },
    network: { caFile: join(bench.directory, "server.pem") },
  };
  writeFileSync(join(bench.home, "config.json"), JSON.stringify(settings));
});

afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await bench.close();
});

const read = (name: string) => readFileSync(join(bench.directory, name));

function makeCertificate(name: string, protection: readonly string[]): void {
  const form = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2"];
  const names = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", join(bench.directory, `${name}.key`), "-out", join(bench.directory, `${name}.pem`)];
  const options = protection.length === 0 ? ["-nodes"] : protection;
  execFileSync("openssl", [...form, ...options, ...names, ...files], { stdio: "ignore" });
}

const certificate = () => ({
  KEDGE_CLIENT_CERT: join(bench.directory, "client.pem"),
  KEDGE_CLIENT_KEY: join(bench.directory, "client.key"),
  KEDGE_CLIENT_KEY_PASSPHRASE: passphrase,
});

const ask = (environment: { readonly [name: string]: string }) => bench.run(["-p", "hi"], { environment });

test("model calls, hooks and MCP show the certificate, and nothing is answered without it", async () => {
  expect(await ask(certificate())).toMatchObject({ code: 0, stdout: "Known.\n" });
  await bench.run(["mcp", "list", "--check"], { environment: certificate() });
  expect(new Set(seen)).toEqual(new Set(["/hook", "/mcp", "/v1/chat/completions"]));
  seen.length = 0;
  const withoutHooks = join(bench.directory, "settings.json");
  writeFileSync(withoutHooks, JSON.stringify({ disableAllHooks: true }));
  const { code, stderr } = await bench.run(["--settings", withoutHooks, "-p", "hi"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^kedge: localhost:\d+ requires a client certificate\. Set network\.clientCert/m);
  expect(seen).toEqual([]);
});

test("a missing part, an unreadable file and a key of another certificate are refused in one sentence", async () => {
  const { KEDGE_CLIENT_CERT: cert, ...rest } = certificate();
  const other = join(bench.directory, "server.key");
  const missing = join(bench.directory, "missing.pem");
  for (const [environment, sentence] of [
    [rest, "network.clientKey is set without network.clientCert."],
    [{ KEDGE_CLIENT_CERT: cert }, "network.clientCert is set without network.clientKey."],
    [
      { ...rest, KEDGE_CLIENT_CERT: missing },
      `Cannot read the client certificate ${missing} (part of the path does not exist).`,
    ],
    [
      { ...certificate(), KEDGE_CLIENT_KEY: other },
      `The client certificate ${cert} and the key ${other} cannot be used`,
    ],
    [{ ...certificate(), KEDGE_CLIENT_KEY_PASSPHRASE: "wrong" }, "cannot be used together. Check that they match"],
  ] as const) {
    const { code, stderr } = await ask(environment);
    expect({ code, lines: stderr.trim().split("\n").length }).toEqual({ code: 1, lines: 1 });
    expect(stderr).toContain(sentence);
  }
  expect(seen).toEqual([]);
});
