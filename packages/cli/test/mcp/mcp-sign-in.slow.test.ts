/** Proves `kedge mcp auth` and `logout` with the real program: the address is shown, the sign-in kept, used and removed. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type AuthorizationServer, openAuthorizationServer } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { ended, openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench;
let site: AuthorizationServer;
afterEach(async () => {
  await site[Symbol.asyncDispose]();
  await bench.close();
});

async function open(server: object = {}): Promise<void> {
  site = await openAuthorizationServer(Date.now, { requiredScope: "read" });
  bench = await openWorkbench([{ text: "Done." }], { mcp: { tracker: { url: site.serverUrl, ...server } } });
}

/** Follows the address as a person would, and gives what the command said. */
async function signIn(follow: (url: string) => Promise<unknown>) {
  const child = bench.start(["mcp", "auth", "tracker", "--json"]);
  const over = ended(child);
  let seen = "";
  const shown = Promise.withResolvers<string>();
  child.stderr.on("data", (text: Buffer) => {
    seen += text.toString("utf8");
    const [, url] = /Open (http\S+)\n/.exec(seen) ?? [];
    if (url !== undefined) shown.resolve(url);
  });
  child.once("close", () => shown.reject(new Error(seen)));
  await follow(await shown.promise);
  return over;
}

test("the address is shown, the sign-in is kept for its owner, used by other commands, and removed", async () => {
  await open();
  const before = await bench.run(["mcp", "test", "tracker"]);
  expect([before.code, before.stdout]).toEqual([1, expect.stringContaining("needs-auth")]);
  const { code, stdout } = await signIn(async (url) => (await fetch(url)).text());
  expect([code, JSON.parse(stdout)]).toEqual([0, { name: "tracker", storage: "file", scope: "read" }]);
  const file = join(bench.home, "mcp-credentials.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { keys } = JSON.parse(readFileSync(file, "utf8"));
  expect(Object.keys(keys)).toEqual([site.serverUrl]);
  site.requests.length = 0;
  // The guarded server speaks no MCP; what counts here is that it let the request in.
  await bench.run(["mcp", "test", "tracker"]);
  expect(site.requests[0]).toBe("POST /mcp");
  expect(site.requests.filter((request) => request.includes("well-known"))).toEqual([]);
  expect((await bench.run(["mcp", "logout", "tracker"])).stdout).toBe("Signed out of tracker.\n");
  expect((await bench.run(["mcp", "logout", "tracker"])).stderr).toBe("kedge: You are not signed in to tracker.\n");
});

test("a refusal is told in one sentence, and nothing is kept", async () => {
  await open();
  site.behaviour.denies = true;
  const { code, stderr } = await signIn(async (url) => (await fetch(url)).text());
  expect([code, stderr.trimEnd().split("\n").at(-1)]).toEqual([1, "kedge: Access was denied in the browser."]);
  expect((await bench.run(["mcp", "logout", "tracker"])).code).toBe(1);
});

test("servers that nobody signs in to are named", async () => {
  await open({ headers: { Authorization: "Bearer fixed" } });
  const given = await bench.run(["mcp", "auth", "tracker"]);
  expect([given.code, given.stderr]).toEqual([1, "kedge: tracker has a credential in its headers.\n"]);
  const unknown = await bench.run(["mcp", "auth", "other"]);
  expect([unknown.code, unknown.stderr]).toEqual([1, "kedge: No MCP server named other.\n"]);
});
