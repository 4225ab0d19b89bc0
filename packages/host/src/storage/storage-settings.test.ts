/** Who says where sessions are kept, and what of the address counts as a secret. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfiguration } from "../configuration/load-configuration.ts";
import { secretsOfStorage } from "./storage-settings.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kedge-storage-"));
  mkdirSync(join(folder, "home"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function storageOf(
  setting: unknown,
  environment: { readonly [name: string]: string } = {},
  policy?: unknown,
): Promise<unknown> {
  writeFileSync(join(folder, "home", "config.json"), JSON.stringify({ storage: setting }));
  const managed = { directory: join(folder, "policy"), owner: process.getuid?.() ?? 0 };
  mkdirSync(managed.directory, { recursive: true, mode: 0o755 });
  if (policy !== undefined) {
    writeFileSync(join(managed.directory, "managed.json"), JSON.stringify({ storage: policy }), { mode: 0o644 });
  }
  const places = { home: join(folder, "home"), userDirectory: folder, cwd: folder, projectRoot: folder };
  const loaded = await loadConfiguration({ ...places, environment, files: [], isTrusted: true, managed });
  return loaded.ok ? loaded.configuration.storage : loaded.failure.message;
}

const url = "postgres://db.example/kedge";
const other = "postgres://other.example/kedge";

test("an address of another kind is refused where it is written, and not shown", async () => {
  const refused = String(await storageOf({ url: "mysql://ann:secret@db.example/kedge" }));
  expect(refused).toContain("postgres://user@host:5432/database");
  expect(refused).not.toContain("secret");
  expect(await storageOf({ url: "postgresql:///kedge?host=/run/postgresql" })).toEqual({
    url: "postgresql:///kedge?host=/run/postgresql",
  });
});

test("the variable wins over the setting, and neither over a managed policy", async () => {
  expect(await storageOf(undefined)).toEqual({});
  expect(await storageOf({ url })).toEqual({ url });
  expect(await storageOf({ url: null })).toEqual({});
  expect(await storageOf({ url }, { KEDGE_DATABASE_URL: other })).toEqual({ url: other });
  expect(await storageOf({ url }, { KEDGE_DATABASE_URL: " " })).toEqual({ url });
  expect(await storageOf({ url: other }, { KEDGE_DATABASE_URL: other }, { url })).toEqual({ url });
});

test("the password is a secret in every form in which it stands there", () => {
  expect(secretsOfStorage({})).toEqual([]);
  expect(secretsOfStorage({ url })).toEqual([]);
  expect(secretsOfStorage({ url: "postgres://ann:a%20b@db.example/kedge" })).toEqual(["a%20b", "a b"]);
  expect(secretsOfStorage({ url: "postgres://ann:100%25%@db.example/kedge?password=c" })).toEqual(["100%25%", "c"]);
  expect(secretsOfStorage({ url: "no URL" })).toEqual([]);
});
