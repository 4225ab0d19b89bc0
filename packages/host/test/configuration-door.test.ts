/** Proves through the door of an assembled kedge: settings are told, written and read again, and then count. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Kedge } from "../src/index.ts";
import { openAssembled } from "./assembled-kedge.ts";

let directory = "";
let kedge: Kedge;
beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "kedge-door-")));
  const [home, project] = [join(directory, "home"), join(directory, "project")];
  mkdirSync(home);
  mkdirSync(project);
  const provider = { own: { api: "openai-chat", baseURL: "http://127.0.0.1:1/v1", apiKey: "s3cr3t-key" } };
  writeFileSync(join(home, "config.json"), JSON.stringify({ model: "own/first", provider }));
  kedge = await openAssembled({
    ...{ project, userDirectory: directory, homeDirectory: home, environment: {}, interactive: true },
  });
});
afterEach(async () => {
  await kedge.close();
  rmSync(directory, { recursive: true, force: true });
});

async function modelOfNewSession() {
  const created = await kedge.door.send<"session.create">({ type: "session.create" });
  if (!created.ok) throw new Error(created.failure.message);
  const { sessionId } = created.value;
  return kedge.engine.openSessions().find(({ state }) => state.sessionId === sessionId)?.state.model;
}

test("a model that is set counts for the next session, and no key is told", async () => {
  expect(await modelOfNewSession()).toBe("own/first");
  const set = { type: "config.set", layer: "user", key: "model", value: "own/second" } as const;
  expect(await kedge.door.send<"config.set">(set)).toEqual({ ok: true, value: { file: "~/home/config.json" } });
  expect(await modelOfNewSession()).toBe("own/second");
  const read = await kedge.door.ask<"config.read">({ type: "config.read" });
  expect(read).toMatchObject({ ok: true, value: { settings: { model: "own/second" }, warnings: [] } });
  expect(JSON.stringify(read)).not.toContain("s3cr3t-key");
});

test("rules of files count once the files are read again", async () => {
  const file = join(directory, "home/config.json");
  const before: unknown = JSON.parse(readFileSync(file, "utf8"));
  await kedge.door.ask<"config.read">({ type: "config.read" });
  writeFileSync(file, JSON.stringify({ ...(before as object), permission: { bash: { "rm *": "deny" } } }));
  expect(await kedge.door.ask<"rule.list">({ type: "rule.list" })).toEqual({ ok: true, value: { rules: [] } });
  expect(await kedge.door.send<"config.reload">({ type: "config.reload" })).toMatchObject({ ok: true });
  expect(await kedge.door.ask<"rule.list">({ type: "rule.list" })).toEqual({
    ok: true,
    value: { rules: [{ permission: "bash", pattern: "rm *", action: "deny", source: "user" }] },
  });
});

test("what is wrong is refused and changes nothing", async () => {
  const set = { type: "config.set", layer: "user", key: "sandbox.mode", value: "maybe" } as const;
  expect(await kedge.door.send<"config.set">(set)).toMatchObject({
    ok: false,
    failure: { code: "configuration", message: expect.stringContaining("sandbox.mode must be one of off, on") },
  });
});
