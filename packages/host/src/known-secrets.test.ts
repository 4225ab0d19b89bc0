import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AssembleOptions } from "./assembly/assemble-options.ts";
import { configuredSecrets, storedSecrets } from "./known-secrets.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kedge-secrets-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("keys of providers and values of secret variables are known; places of secrets and empty words are not", () => {
  const providers = { a: { apiKey: "key-of-a" }, b: { apiKey: "ollama" }, c: {} };
  const environment = {
    GITHUB_TOKEN: "token-of-github",
    GOOGLE_APPLICATION_CREDENTIALS: "/home/me/key.json",
    ACTIONS_CACHE_URL: "https://cache.example/",
    EDITOR: "vim",
  };
  // Nothing else of the configuration is read.
  const network = { clientKeyPassphrase: "words-of-the-key" };
  const configuration = { providers, network } as unknown as AssembleOptions["configuration"];
  expect(configuredSecrets({ configuration, environment })).toEqual([
    "key-of-a",
    "words-of-the-key",
    "token-of-github",
  ]);
});

test("stored keys of all providers are known, and a broken file holds none", () => {
  expect(storedSecrets(home)).toEqual([]);
  const keys = { a: { storage: "file", key: "stored-a" }, b: { storage: "keyring" } };
  writeFileSync(join(home, "credentials.json"), JSON.stringify({ format: 1, keys }), { mode: 0o600 });
  expect(storedSecrets(home)).toEqual(["stored-a"]);
  writeFileSync(join(home, "credentials.json"), "{");
  expect(storedSecrets(home)).toEqual([]);
});
