/** Proves which key counts, that stored keys are for their owner only, and that a damaged file is named and kept. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FailureError } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCredentials, openCredentials } from "./credentials.ts";
import { createKeyring, type Keyring, noKeyring } from "./keyring.ts";

let directory = "";
let path = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-credentials-"));
  path = join(directory, "credentials.json");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function openWith(environment: { readonly [name: string]: string } = {}, keyring = noKeyring) {
  return createCredentials({ path, environment, keyring });
}

test("a key is stored for its owner only, found by another process, and removed", () => {
  const credentials = openWith();
  expect(credentials.find("openai", ["OPENAI_API_KEY"])).toBeUndefined();
  expect(credentials.store("openai", "sk-one")).toBe("file");
  expect(credentials.store("anthropic", "sk-two")).toBe("file");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory).sort()).toEqual(["credentials.json", "credentials.json.lock"]);
  const later = openWith();
  expect(later.find("openai", ["OPENAI_API_KEY"])).toEqual({ key: "sk-one", source: "file" });
  expect(later.list()).toEqual([
    { provider: "openai", storage: "file" },
    { provider: "anthropic", storage: "file" },
  ]);
  expect(later.remove("openai")).toBe(true);
  expect(later.remove("openai")).toBe(false);
  expect(openWith().find("openai", [])).toBeUndefined();
  expect(openWith().find("anthropic", [])).toEqual({ key: "sk-two", source: "file" });
});

test("a variable wins over a stored key, and is named when it changes who pays", () => {
  openWith().store("openai", "sk-stored");
  const credentials = openWith({ SECOND: "sk-variable", FIRST: "" });
  expect(credentials.find("openai", ["FIRST", "SECOND"])).toEqual({
    key: "sk-variable",
    source: "environment",
    variable: "SECOND",
  });
  expect(credentials.overriding("openai", ["FIRST", "SECOND"])).toBe("SECOND");
  expect(credentials.overriding("anthropic", ["SECOND"])).toBeUndefined();
  expect(openWith({ SECOND: "sk-stored" }).overriding("openai", ["SECOND"])).toBeUndefined();
});

test("a keyring holds the key itself, and the file only says so", () => {
  const held = new Map<string, string>();
  const keyring: Keyring = {
    get: (provider) => held.get(provider),
    set: (provider, key) => held.set(provider, key).has(provider),
    remove: (provider) => void held.delete(provider),
  };
  const credentials = openWith({}, keyring);
  expect(credentials.store("openai", "sk-one")).toBe("keyring");
  expect(readFileSync(path, "utf8")).not.toContain("sk-one");
  expect(openWith({}, keyring).find("openai", [])).toEqual({ key: "sk-one", source: "keyring" });
  expect(openWith().find("openai", [])).toBeUndefined();
  credentials.remove("openai");
  expect([...held]).toEqual([]);
});

test("without a keyring daemon the system's keyring refuses, and the file keeps the key", () => {
  const before = process.env["DBUS_SESSION_BUS_ADDRESS"];
  process.env["DBUS_SESSION_BUS_ADDRESS"] = `unix:path=${join(directory, "nobody")}`;
  try {
    expect(openWith({}, createKeyring()).store("openai", "sk-one")).toBe("file");
  } finally {
    if (before === undefined) delete process.env["DBUS_SESSION_BUS_ADDRESS"];
    else process.env["DBUS_SESSION_BUS_ADDRESS"] = before;
  }
});

test("a keyring that is switched off is not asked", () => {
  const switchedOff = { KEDGE_KEYRING: "off" };
  expect(openCredentials(directory, switchedOff).store("openai", "sk-one")).toBe("file");
  writeFileSync(path, JSON.stringify({ format: 1, keys: { openai: { storage: "keyring" } } }));
  expect(openCredentials(directory, switchedOff).find("openai", [])).toBeUndefined();
});

test("names that every object has are no stored keys", () => {
  const credentials = openWith();
  expect(credentials.find("constructor", [])).toBeUndefined();
  expect(credentials.overriding("constructor", [])).toBeUndefined();
  expect(credentials.remove("constructor")).toBe(false);
  expect(existsSync(path)).toBe(false);
});

test("a file that others may read is closed to them again", () => {
  openWith().store("openai", "sk-one");
  chmodSync(path, 0o644);
  openWith().find("openai", []);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each(["{ half", '{"format":2,"keys":{}}', "[]"])("a damaged file is named and left as it is: %s", (text) => {
  writeFileSync(path, text);
  expect(() => openWith().find("openai", [])).toThrow(FailureError);
  expect(() => openWith().store("openai", "sk-one")).toThrow(/^Cannot use the key file .*credentials\.json: /);
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("a directory that cannot be written is named, and nothing is left behind", () => {
  path = join(directory, "missing", "credentials.json");
  expect(() => openWith().store("openai", "sk-one")).toThrow(
    /^Cannot use the key file .*: part of the path does not exist/,
  );
  expect(existsSync(join(directory, "missing"))).toBe(false);
});
