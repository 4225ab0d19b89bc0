/** Proves that a server which names addresses of its cloud for the sign-in gets kedge to ask none of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { signInToServer } from "../../src/mcp-sign-in/sign-in-to-server.ts";

let home = "";
let site: Server;
const seen: string[] = [];
const inCloud = "http://169.254.169.254/latest/meta-data";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kedge-discovery-"));
  seen.length = 0;
});
afterEach(async () => {
  site.closeAllConnections();
  await new Promise<void>((resolve) => site.close(() => resolve()));
  rmSync(home, { recursive: true, force: true });
});

type Lies = {
  readonly issuer?: string;
  readonly token?: string;
  readonly registration?: string;
  /** Where documents are said to have moved to. */
  readonly moved?: string;
};

async function open({ issuer, token, registration, moved }: Lies): Promise<string> {
  site = createServer((asked, answer) => {
    const { pathname } = new URL(asked.url ?? "/", origin);
    seen.push(pathname);
    const json = (value: object) =>
      answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (moved !== undefined) return answer.writeHead(307, { location: moved }).end();
    if (pathname.includes("oauth-protected-resource"))
      return json({ resource: `${origin}/mcp`, authorization_servers: [issuer ?? origin] });
    if (pathname.includes("oauth-authorization-server"))
      return json({
        ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, response_types_supported: ["code"] },
        ...{ token_endpoint: token ?? `${origin}/token`, registration_endpoint: registration ?? `${origin}/register` },
        ...{ code_challenge_methods_supported: ["S256"], token_endpoint_auth_methods_supported: ["none"] },
      });
    if (pathname === "/register") return json({ client_id: "c", redirect_uris: ["http://127.0.0.1/callback"] });
    if (pathname !== "/authorize") return answer.writeHead(404).end();
    const { searchParams } = new URL(asked.url ?? "/", origin);
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("state", searchParams.get("state") ?? "");
    back.searchParams.set("code", "secret-code");
    return answer.writeHead(302, { location: back.href }).end();
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  return `${origin}/mcp`;
}

test.each<[string, Lies]>([
  ["who signs people in", { issuer: inCloud }],
  ["where clients are registered", { registration: inCloud }],
  ["where codes are redeemed", { token: inCloud.replace("http:", "https:") }],
  ["where its documents have moved to", { moved: inCloud }],
])("an address of the cloud as %s ends the sign-in with one sentence", async (_, lies) => {
  const url = await open(lies);
  const told: string[] = [];
  const asked: string[] = [];
  const outcome = await signInToServer(
    { name: "tracker", scope: "user", file: "test", signature: "", transport: { type: "http", url, headers: {} } },
    {
      ...{ home, environment: { KEDGE_KEYRING: "off" }, now: Date.now, showsAddress: true },
      tell(sentence) {
        told.push(sentence);
        const [, page] = /Open (\S+)/.exec(sentence) ?? [];
        if (page !== undefined) void fetch(page).then((response) => response.text());
      },
      network: {
        // Asked before every connection: whatever is reached would be reached by this way.
        proxyFor(address) {
          asked.push(address.host);
          return undefined;
        },
      },
      signal: new AbortController().signal,
    },
  );
  expect(outcome).toMatchObject({ ok: false });
  const { problem } = outcome as { readonly problem: string };
  expect(problem).toMatch(/^[^\n]*\.$/);
  if (lies.moved === undefined) expect(problem).toContain("not allowed");
  expect(problem.length).toBeLessThan(300);
  expect(JSON.stringify([outcome, told])).not.toContain("secret-code");
  expect(seen.length).toBeGreaterThan(0);
  if (lies.moved !== undefined) expect(asked).not.toContain("169.254.169.254");
});
