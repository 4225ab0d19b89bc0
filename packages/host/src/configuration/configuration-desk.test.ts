/** Proves what a process that runs on does with changed files: some count at once, what protects waits for the user's word. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RuleSet } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openHome } from "../machine/home.ts";
import { findProject } from "../machine/project.ts";
import { type ConfigurationDesk, createConfigurationDesk, type SettingsChanged } from "./configuration-desk.ts";
import { type Configuration, loadConfiguration } from "./load-configuration.ts";

let user = "";
let project = "";
let ends: (() => void)[] = [];
beforeEach(() => {
  user = realpathSync(mkdtempSync(join(tmpdir(), "kedge-desk-")));
  project = join(user, "project");
  mkdirSync(project);
  ends = [];
});
afterEach(() => {
  for (const end of ends) end();
  rmSync(user, { recursive: true, force: true });
});

function write(path: string, settings: unknown): void {
  mkdirSync(dirname(join(user, path)), { recursive: true });
  writeFileSync(join(user, path), JSON.stringify(settings));
}

const given: RuleSet = {
  source: "command-line",
  rules: [{ permission: "edit", pattern: "*", action: "deny" }],
};

async function openDesk(onApply: () => void = () => {}) {
  const opened = openHome(join(user, ".kedge"));
  if (!opened.ok) throw new Error(opened.failure.message);
  const { home } = opened;
  const places = { home: home.directory, userDirectory: user, cwd: project, projectRoot: project };
  const loaded = await loadConfiguration({ ...places, environment: {}, files: [], isTrusted: true });
  if (!loaded.ok) throw new Error(loaded.failure.message);
  let rules: readonly RuleSet[] = [given, ...loaded.configuration.rules];
  const applied: (readonly [string | undefined, string])[] = [];
  const desk = createConfigurationDesk({
    ...{ home, project: findProject(project), userDirectory: user, environment: {}, settingFiles: [], now: () => 1 },
    ...{ configuration: loaded.configuration, settings: loaded.settings },
    rules: { list: () => rules, replace: (sets) => (rules = sets) },
    apply({ model }: Configuration, when) {
      onApply();
      applied.push([model, when]);
    },
  });
  return { desk, applied, rules: () => rules };
}

/** The next change that is told. */
function nextChange(desk: ConfigurationDesk): Promise<SettingsChanged> {
  return new Promise((resolve) => ends.push(desk.watch(resolve)));
}

test("reading tells what counts and where it was written, without secrets", async () => {
  const provider = { own: { api: "openai-chat", baseURL: "http://x.invalid", apiKey: "s3cr3t" } };
  write(".kedge/config.json", { model: "own/a", provider, permission: { bash: "ask" } });
  const { desk } = await openDesk();
  const read = await desk.read();
  if (!read.ok) throw new Error(read.failure.message);
  const { settings, entries, warnings } = read.value;
  expect(warnings).toEqual([]);
  expect(JSON.stringify(read.value)).not.toContain("s3cr3t");
  expect(settings).toMatchObject({
    model: "own/a",
    provider: { own: { api: "openai-chat", baseURL: "http://x.invalid" } },
    sandbox: { mode: "off" },
    permission: { bash: "ask" },
  });
  expect(entries.find(({ key }) => key === "model")).toEqual({
    ...{ key: "model", value: "own/a", layer: "user", file: "~/.kedge/config.json", line: 1 },
  });
  expect(entries.find(({ key }) => key === "sandbox.mode")).toEqual({
    key: "sandbox.mode",
    value: "off",
    layer: "default",
  });
});

test("a written model counts at once; rules and the sandbox stay until the user has them read again", async () => {
  write(".kedge/config.json", { model: "a/b", permission: { bash: "ask" } });
  const { desk, applied, rules } = await openDesk();
  const change = nextChange(desk);
  write(".kedge/config.json", { model: "c/d", permission: { bash: "deny" }, sandbox: { mode: "on" } });
  expect(await change).toEqual({ applied: ["model"], waiting: ["permission", "sandbox"], warnings: [] });
  expect(applied).toEqual([["c/d", "at once"]]);
  expect(desk.current()).toMatchObject({ model: "c/d", sandbox: { mode: "off" } });
  expect(rules()).toEqual([given, { source: "user", rules: [{ permission: "bash", pattern: "*", action: "ask" }] }]);
  expect(await desk.reload()).toEqual({
    ok: true,
    value: { changed: ["permission", "sandbox"], warnings: ["sandbox takes effect after a restart"] },
  });
  expect(rules()).toEqual([given, { source: "user", rules: [{ permission: "bash", pattern: "*", action: "deny" }] }]);
  expect(applied.at(-1)).toEqual(["c/d", "on reload"]);
});

test("a broken file is told and changes nothing", async () => {
  write(".kedge/config.json", { model: "a/b" });
  const { desk, applied } = await openDesk();
  const change = nextChange(desk);
  write(".kedge/config.json", { model: 5 });
  const sentence = "~/.kedge/config.json: model must be a string of the form provider/model, got 5.";
  expect(await change).toEqual({ applied: [], waiting: [], warnings: [sentence] });
  expect(await desk.reload()).toMatchObject({ ok: false, failure: { code: "configuration", message: sentence } });
  expect([applied, desk.current().model]).toEqual([[], "a/b"]);
});

test("while a file is broken its old denials count and no rule allows; fixed, all count again", async () => {
  write(".kedge/config.json", { permission: { bash: { "ls *": "allow" } } });
  write("project/kedge.json", { permission: { bash: { "rm *": "deny" } } });
  const { desk, rules } = await openDesk();
  const before = rules();
  const denials = [
    given,
    { source: "user", rules: [] },
    { source: "project", rules: [{ permission: "bash", pattern: "rm *", action: "deny" }] },
  ];
  const changes: SettingsChanged[] = [];
  const end = desk.watch((changed) => changes.push(changed));
  for (const [path, text] of [
    ["project/kedge.json", "{ broken"],
    [".kedge/config.json", "{ broken"],
  ] as const) {
    const sound = readFileSync(join(user, path), "utf8");
    writeFileSync(join(user, path), text);
    await expect.poll(rules).toEqual(denials);
    expect(changes.at(-1)?.warnings).toEqual([expect.stringContaining("kedge")]);
    expect(await desk.reload()).toMatchObject({ ok: false, failure: { code: "configuration" } });
    expect(rules()).toEqual(denials);
    writeFileSync(join(user, path), sound);
    await expect.poll(rules).toEqual(before);
  }
  end();
});

test("a change that cannot be followed is told, and the next one is followed", async () => {
  write(".kedge/config.json", { model: "a/b" });
  let isBroken = true;
  const { desk, applied } = await openDesk(() => {
    if (isBroken) throw new Error("no more sessions");
  });
  const told: SettingsChanged[] = [];
  let onTold = () => {};
  // Whoever is told fails as well, which must not end the watching either.
  ends.push(
    desk.watch((changed) => {
      told.push(changed);
      onTold();
      if (isBroken) throw new Error("the log is full");
    }),
  );
  const first = new Promise<void>((resolve) => (onTold = resolve));
  write(".kedge/config.json", { model: "c/d" });
  await first;
  isBroken = false;
  const second = new Promise<void>((resolve) => (onTold = resolve));
  write(".kedge/config.json", { model: "e/f" });
  await second;
  const sentence = "Could not apply the changed settings (Error: no more sessions). kedge retries at the next change.";
  expect(told).toEqual([
    { applied: [], waiting: [], warnings: [sentence] },
    { applied: ["model"], waiting: [], warnings: [] },
  ]);
  expect(applied).toEqual([["e/f", "at once"]]);
});

test("a folder made later is followed too, and what a project brings meanwhile is not trusted", async () => {
  write("project/.git/HEAD", "");
  write(".kedge/config.json", { model: "a/b" });
  const { desk } = await openDesk();
  const change = nextChange(desk);
  write("project/.kedge/config.json", { model: "evil/model", permission: { bash: { ls: "allow", rm: "deny" } } });
  expect(await change).toMatchObject({ applied: [], waiting: ["permission"] });
  expect(desk.current().model).toBe("a/b");
  await desk.reload();
  expect(desk.current()).toMatchObject({
    model: "a/b",
    rules: [{ source: "project", rules: [{ permission: "bash", pattern: "rm", action: "deny" }] }],
  });
});

test("setting a model writes it and has it count; null takes it out", async () => {
  const { desk, applied } = await openDesk();
  expect(await desk.set({ layer: "user", key: "model", value: "a/b" })).toEqual({
    ok: true,
    value: { file: "~/.kedge/config.json" },
  });
  expect(await desk.set({ layer: "user", key: "model" })).toMatchObject({ ok: true });
  expect(await desk.set({ layer: "user", key: "model", value: "x" })).toMatchObject({ ok: false });
  expect(applied).toEqual([
    ["a/b", "at once"],
    [undefined, "at once"],
  ]);
});
