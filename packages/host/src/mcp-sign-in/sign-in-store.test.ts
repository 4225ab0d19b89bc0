/** Proves that sign-ins are for their owner only, seen by other processes at once, and renewed by one at a time. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeptSignIn } from "@kedge/extend/mcp-authorization";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Keyring, noKeyring } from "../credentials/keyring.ts";
import { storedSecrets } from "../known-secrets.ts";
import { openSignInStore } from "./sign-in-store.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kedge-sign-ins-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const url = "https://tracker.example/mcp";
const signedIn: KeptSignIn = {
  issuer: "https://issuer.example",
  client: { id: "client", secret: "client-secret" },
  tokens: { accessToken: "access-1", refreshToken: "refresh-1", obtainedAt: 1, expiresAt: 2 },
};

test("a sign-in is kept for its owner, replaced, and removed", () => {
  const signIns = openSignInStore({ home, keyring: noKeyring });
  expect(signIns.read(url)).toBeUndefined();
  signIns.write(url, signedIn);
  expect(statSync(join(home, "mcp-credentials.json")).mode & 0o777).toBe(0o600);
  expect(signIns.read(url)).toEqual(signedIn);
  expect(signIns.list()).toEqual([{ serverUrl: url, storage: "file" }]);
  signIns.write(url, undefined);
  expect(signIns.read(url)).toBeUndefined();
});

test("another process sees a sign-in with its next request", () => {
  const [first, second] = [
    openSignInStore({ home, keyring: noKeyring }),
    openSignInStore({ home, keyring: noKeyring }),
  ];
  expect(second.read(url)).toBeUndefined();
  first.write(url, signedIn);
  expect(second.read(url)).toEqual(signedIn);
  const { tokens: _removed, ...without } = signedIn;
  first.write(url, without);
  expect(second.read(url)).toEqual(without);
});

test("a keyring holds the sign-in, and the file only says so", () => {
  const held = new Map<string, string>();
  const keyring: Keyring = {
    get: (account) => held.get(account),
    set: (account, text) => held.set(account, text).has(account),
    remove: (account) => void held.delete(account),
  };
  const signIns = openSignInStore({ home, keyring });
  signIns.write(url, signedIn);
  expect(readFileSync(join(home, "mcp-credentials.json"), "utf8")).not.toContain("access-1");
  expect(openSignInStore({ home, keyring }).read(url)).toEqual(signedIn);
  signIns.write(url, undefined);
  expect([...held]).toEqual([]);
});

test("one at a time renews the sign-in of a server, and others are not held up", async () => {
  const [first, second] = [
    openSignInStore({ home, keyring: noKeyring }),
    openSignInStore({ home, keyring: noKeyring }),
  ];
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

test("tokens of a sign-in are known as secrets", () => {
  openSignInStore({ home, keyring: noKeyring }).write(url, signedIn);
  expect(storedSecrets(home)).toEqual(["client-secret", "access-1", "refresh-1"]);
});
