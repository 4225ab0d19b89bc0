/** Proves that the declarations are whole and true: every setting is described, and every default is what holds without it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SettingSchema } from "./checks.ts";
import { knownSettings } from "./known-settings.ts";
import { loadConfiguration } from "./load-configuration.ts";
import { listSettings, settingsSchema } from "./settings-schema.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kedge-schema-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function load(settings: unknown) {
  const directory = join(home, ".kedge");
  const projectRoot = join(home, "project");
  mkdirSync(directory, { recursive: true });
  mkdirSync(projectRoot, { recursive: true });
  writeFileSync(join(directory, "config.json"), JSON.stringify(settings));
  const places = { home: directory, userDirectory: home, cwd: projectRoot, projectRoot };
  const loaded = await loadConfiguration({ ...places, environment: {}, files: [], isTrusted: true });
  return loaded.ok ? loaded.configuration : loaded.failure.message;
}

function defaultsOf(schema: SettingSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  const members = Object.entries(schema.properties ?? {})
    .map(([name, member]) => [name, defaultsOf(member)] as const)
    .filter(([, value]) => value !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** These leave out what the defaults of another part stand for. */
const apart: ReadonlySet<string> = new Set(["pressure", "permissionMode", "catalogue", "server"]);

test("setting every default changes nothing", async () => {
  const defaults = Object.entries(knownSettings)
    .filter(([name]) => !apart.has(name))
    .map(([name, { check }]) => [name, defaultsOf(check.schema())] as const)
    .filter(([, value]) => value !== undefined);
  expect(defaults.length).toBeGreaterThan(10);
  expect(await load(Object.fromEntries(defaults))).toEqual(await load({}));
});

test("every default passes its own check", () => {
  for (const [name, { check }] of Object.entries(knownSettings)) {
    const value = defaultsOf(check.schema());
    expect(value === undefined ? [] : check(value, name)).toEqual([]);
  }
});

test("every scalar setting has a sentence of its own", () => {
  const silent: string[] = [];
  const walk = (path: string, schema: SettingSchema) => {
    const members = Object.entries(schema.properties ?? {});
    if (members.length === 0 && schema.description === undefined) silent.push(path);
    for (const [name, member] of members) walk(`${path}.${name}`, member);
  };
  for (const [name, { check }] of Object.entries(knownSettings)) walk(name, check.schema());
  expect(silent).toEqual([]);
  for (const { description } of listSettings()) expect(description).toMatch(/^[A-Z].*\.$/);
});

test("the schema for editors allows null everywhere and refuses names that are no settings", () => {
  expect(settingsSchema()).toMatchObject({
    additionalProperties: false,
    properties: {
      sandbox: {
        type: ["object", "null"],
        additionalProperties: false,
        properties: { mode: { type: ["string", "null"], enum: ["off", "on", null], default: "off" } },
      },
      transcripts: { anyOf: [{ type: ["boolean", "null"] }, { type: ["object", "null"] }, { type: "null" }] },
    },
  });
});
