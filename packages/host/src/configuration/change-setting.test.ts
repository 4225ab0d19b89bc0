/** Proves that one setting is written where it belongs, with everything around it kept, or not at all. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openHome } from "../machine/home.ts";
import { changeSetting, type SettingChange } from "./change-setting.ts";

let user = "";
let project = "";
beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), "kedge-change-"));
  project = join(user, "project");
  mkdirSync(project);
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(user, path)), { recursive: true });
  writeFileSync(join(user, path), text);
}

const read = (path: string) => readFileSync(join(user, path), "utf8");

async function change(given: SettingChange) {
  const opened = openHome(join(user, ".kedge"));
  if (!opened.ok) throw new Error(opened.failure.message);
  const { home } = opened;
  const places = { home: home.directory, userDirectory: user, cwd: project, projectRoot: project };
  const managed = { directory: join(user, "etc"), owner: process.getuid?.() ?? 0 };
  const sources = { ...places, environment: {}, files: [], isTrusted: true, managed };
  const changed = await changeSetting(given, { home, sources, now: () => 1 });
  return changed.ok ? changed : changed.failure.message;
}

const set = (key: string, value: SettingChange["value"], layer: "user" | "local" = "user") =>
  change({ layer, key, ...(value !== undefined && { value }) });

test("a file is made for its owner alone; links, modes, comments and order stay", async () => {
  expect(await set("titles.enabled", false)).toEqual({ ok: true, file: "~/.kedge/config.json", changed: true });
  expect(JSON.parse(read(".kedge/config.json"))).toEqual({ titles: { enabled: false } });
  expect(statSync(join(user, ".kedge/config.json")).mode & 0o777).toBe(0o600);
  rmSync(join(user, ".kedge/config.json"));
  write("dotfiles/config.jsonc", '{\n  // first\n  "model": "a/b", // why\n  "unknownThing": [1, 2],\n}\n');
  symlinkSync(join(user, "dotfiles/config.jsonc"), join(user, ".kedge/config.jsonc"));
  expect(await set("model", "c/d")).toEqual({ ok: true, file: "~/.kedge/config.jsonc", changed: true });
  expect(read("dotfiles/config.jsonc")).toBe('{\n  // first\n  "model": "c/d", // why\n  "unknownThing": [1, 2],\n}\n');
  expect(lstatSync(join(user, ".kedge/config.jsonc")).isSymbolicLink()).toBe(true);
  expect(await set("model", "c/d")).toEqual({ ok: true, file: "~/.kedge/config.jsonc", changed: false });
});

test("YAML keeps its comments too", async () => {
  write(".kedge/config.yml", "# mine\n\nmodel: a/b # why\nlimits:\n  # not too many\n  maxTurns: 5\n");
  expect(await set("limits.maxTurns", 7)).toEqual({ ok: true, file: "~/.kedge/config.yml", changed: true });
  expect(await set('provider.own.models["qwen-3.5"].context', 1_000)).toMatchObject({ ok: true });
  expect(await set("model", undefined)).toMatchObject({ ok: true });
  expect(read(".kedge/config.yml")).toBe(
    "# mine\n\nlimits:\n  # not too many\n  maxTurns: 7\nprovider:\n  own:\n    models:\n      qwen-3.5:\n        context: 1000\n",
  );
});

test("a group that is null or empty is made one", async () => {
  write(".kedge/config.json", '{ "titles": null }');
  expect(await set("titles.enabled", true)).toMatchObject({ ok: true, changed: true });
  expect(JSON.parse(read(".kedge/config.json"))).toEqual({ titles: { enabled: true } });
  rmSync(join(user, ".kedge/config.json"));
  write(".kedge/config.yml", "# head\ntitles:\n");
  expect(await set("titles.enabled", true)).toMatchObject({ ok: true, changed: true });
  expect(read(".kedge/config.yml")).toBe("# head\ntitles:\n  enabled: true\n");
});

test("what references make into several settings at once is left to the user", async () => {
  const form = "~/.kedge/config.yml cannot be edited automatically. Edit it by hand.";
  const others = (key: string) =>
    `~/.kedge/config.yml cannot be edited automatically: changing ${key} would affect other settings. Edit it by hand.`;
  const cases: readonly (readonly [string, string, SettingChange["value"], string])[] = [
    ["base: &x { enabled: false }\ntitles: *x\n", "titles.enabled", true, form],
    ["model: &x a/b\nsmallModel: *x\n", "model", undefined, form],
    ["model: &x a/b\nsmallModel: *x\n", "model", "c/d", form],
    ["jobs: &x { max: 2 }\nother: *x\n", "jobs.max", 3, others("jobs.max")],
    ["jobs: &x\n  max: 2\nother: *x\n", "jobs.max", undefined, others("jobs.max")],
    ["? model\n: a/b\n", "model", undefined, form],
  ];
  for (const [text, key, value, sentence] of cases) {
    write(".kedge/config.yml", text);
    expect([await set(key, value), read(".kedge/config.yml")]).toEqual([`Nothing changed: ${sentence}`, text]);
  }
  write(".kedge/config.yml", "base: &x a/b\nmodel: *x\n");
  expect(await set("model", undefined)).toMatchObject({ ok: true, changed: true });
  expect(read(".kedge/config.yml")).toBe("base: &x a/b\n");
});

test("what is wrong changes nothing, and the sentence says where and what was expected", async () => {
  write(".kedge/config.json", '{ "model": "a/b" }');
  const cases: readonly (readonly [string, SettingChange["value"], string])[] = [
    ["sandbox.mode", "onn", '~/.kedge/config.json: sandbox.mode must be one of off, on, got "onn".'],
    ["sandbox.mod", "on", "sandbox.mod is not a setting; the nearest is sandbox.mode."],
    ["modle", "a/b", "modle is not a setting; the nearest is model."],
    ["a..b", 1, "a..b is not a setting."],
    [
      "permission",
      { bash: { x: "maybe" } },
      '~/.kedge/config.json: permission.bash.x must be one of "allow", "ask" and "deny", got "maybe".',
    ],
  ];
  for (const [key, value, sentence] of cases) expect(await set(key, value)).toBe(`Nothing changed: ${sentence}`);
  expect(read(".kedge/config.json")).toBe('{ "model": "a/b" }');
  write(".kedge/config.json", "{ broken");
  expect(await set("model", "c/d")).toBe("Nothing changed: ~/.kedge/config.json is invalid. Fix it first.");
  expect(read(".kedge/config.json")).toBe("{ broken");
});

test("what a managed policy sets is not written", async () => {
  mkdirSync(join(user, "etc"), { mode: 0o755 });
  writeFileSync(join(user, "etc/managed.json"), '{ "limits": { "maxTurns": 3 } }', { mode: 0o644 });
  expect(await set("limits.maxTurns", 9)).toBe(
    "Nothing changed: this machine's managed policy sets limits.maxTurns and cannot be overridden.",
  );
  expect(existsSync(join(user, ".kedge/config.json"))).toBe(false);
});

test("in a project only the user's own file is written, kept out of git, and only with what counts there", async () => {
  execFileSync("git", ["init", "-q"], { cwd: project });
  write("project/kedge.json", '{ "limits": { "maxTurns": 9 } }');
  expect(await set("model", "a/b", "local")).toEqual({ ok: true, file: ".kedge/config.local.json", changed: true });
  expect(execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: project, encoding: "utf8" })).toBe(
    "?? kedge.json\n",
  );
  expect(await set("sandbox.mode", "off", "local")).toBe(
    "Nothing changed: .kedge/config.local.json: sandbox.mode would be ignored: a project may not decide what its commands can reach.",
  );
  expect(await set("limits.maxTurns", 20, "local")).toContain("a project may only lower limits, and raises maxTurns");
  expect(read("project/kedge.json")).toBe('{ "limits": { "maxTurns": 9 } }');
  execFileSync("git", ["add", "-f", ".kedge/config.local.json"], { cwd: project });
  expect(await set("model", "c/d", "local")).toContain("git may track .kedge/config.local.json");
});

test("many changes at once are all kept", async () => {
  const names = ["read.defaultLimit", "jobs.max", "limits.maxTurns", "limits.maxSteps", "bash.maxTimeout"];
  await Promise.all(names.map((name, index) => set(name, index + 1)));
  expect(JSON.parse(read(".kedge/config.json"))).toEqual({
    read: { defaultLimit: 1 },
    jobs: { max: 2 },
    limits: { maxTurns: 3, maxSteps: 4 },
    bash: { maxTimeout: 5 },
  });
});
