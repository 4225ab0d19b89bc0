/** Proves that grants are for their owner only, seen by other processes at once, and renewed by one at a time. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Grant } from "@kedge/extend/mcp-authorization";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Keyring, noKeyring } from "../credentials/keyring.ts";
import { storedSecrets } from "../known-secrets.ts";
import { openGrantStore } from "./grant-store.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kedge-grants-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const url = "https://tracker.example/mcp";
const grant: Grant = {
  issuer: "https://issuer.example",
  client: { id: "client", secret: "client-secret" },
  tokens: { accessToken: "access-1", refreshToken: "refresh-1", obtainedAt: 1, expiresAt: 2 },
};

test("a grant is kept for its owner, replaced, and removed", () => {
  const grants = openGrantStore({ home, keyring: noKeyring });
  expect(grants.read(url)).toBeUndefined();
  grants.write(url, grant);
  expect(statSync(join(home, "mcp-credentials.json")).mode & 0o777).toBe(0o600);
  expect(grants.read(url)).toEqual(grant);
  expect(grants.list()).toEqual([{ serverUrl: url, storage: "file" }]);
  grants.write(url, undefined);
  expect(grants.read(url)).toBeUndefined();
});

test("another process sees a sign-in with its next request", () => {
  const [first, second] = [openGrantStore({ home, keyring: noKeyring }), openGrantStore({ home, keyring: noKeyring })];
  expect(second.read(url)).toBeUndefined();
  first.write(url, grant);
  expect(second.read(url)).toEqual(grant);
  const { tokens: _removed, ...without } = grant;
  first.write(url, without);
  expect(second.read(url)).toEqual(without);
});

test("a keyring holds the grant, and the file only says so", () => {
  const held = new Map<string, string>();
  const keyring: Keyring = {
    get: (account) => held.get(account),
    set: (account, text) => held.set(account, text).has(account),
    remove: (account) => void held.delete(account),
  };
  const grants = openGrantStore({ home, keyring });
  grants.write(url, grant);
  expect(readFileSync(join(home, "mcp-credentials.json"), "utf8")).not.toContain("access-1");
  expect(openGrantStore({ home, keyring }).read(url)).toEqual(grant);
  grants.write(url, undefined);
  expect([...held]).toEqual([]);
});

test("one at a time renews the grant of a server, and others are not held up", async () => {
  const [first, second] = [openGrantStore({ home, keyring: noKeyring }), openGrantStore({ home, keyring: noKeyring })];
  const order: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holding = first.whileLocked(url, async () => {
    order.push("first begins");
    begun.resolve();
    await released;
    order.push("first ends");
  });
  await begun.promise;
  const waiting = second.whileLocked(url, async () => {
    order.push("second begins");
  });
  await second.whileLocked("https://other.example/mcp", async () => {
    order.push("another server");
  });
  release();
  await Promise.all([holding, waiting]);
  expect(order).toEqual(["first begins", "another server", "first ends", "second begins"]);
});

test("tokens of a grant are known as secrets", () => {
  openGrantStore({ home, keyring: noKeyring }).write(url, grant);
  expect(storedSecrets(home)).toEqual(["client-secret", "access-1", "refresh-1"]);
});
