/** Proves that a settings file that cannot be used is named in one sentence, in every layer, and that nothing is allowed meanwhile. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfiguration } from "./load-configuration.ts";
import { setAsideFile } from "./set-aside-file.ts";

let user = "";
let project = "";
let managed = "";
beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), "kedge-broken-"));
  project = join(user, "code", "project");
  managed = join(user, "managed");
  for (const directory of [project, managed, join(user, ".kedge")]) mkdirSync(directory, { recursive: true });
  write(join(user, "given.json"), { permission: { bash: { "ls *": "allow", "rm *": "deny" } } });
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

function write(file: string, settings: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof settings === "string" ? settings : JSON.stringify(settings));
}

function sources(...files: string[]) {
  const home = join(user, ".kedge");
  const places = { home, userDirectory: user, cwd: project, projectRoot: project };
  const policy = { directory: managed, owner: process.getuid?.() ?? 0 };
  return {
    ...{ ...places, environment: {}, isTrusted: true, managed: policy },
    files: [join(user, "given.json"), ...files],
  };
}

type Breakage = (path: string) => void;

/** Each puts something into the place of a settings file. */
const breakages: { readonly [name: string]: Breakage } = {
  "a directory": (path) => mkdirSync(path),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a link to itself": (path) => symlinkSync(path, path),
  "a link to nothing": (path) => symlinkSync(join(dirname(path), "nothing"), path),
  "a device": (path) => symlinkSync("/dev/zero", path),
  "what the system fails to read": (path) => symlinkSync("/proc/self/mem", path),
  "200 MB": (path) => {
    writeFileSync(path, "{");
    truncateSync(path, 200 * 1024 * 1024);
  },
  "no text": (path) => writeFileSync(path, Buffer.from('{"model":"a/\xff"}', "latin1")),
  "UTF-16": (path) => writeFileSync(path, Buffer.from('\uFEFF{"model":"a/b"}', "utf16le")),
  "nothing at all": (path) => writeFileSync(path, ""),
  "half a file": (path) => writeFileSync(path, '{ "permission": { "bash": "deny" '),
  "zeros, as after a power cut": (path) => writeFileSync(path, Buffer.alloc(64)),
  "100,000 lists in each other": (path) =>
    writeFileSync(path, `{"permission":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
  "100,000 objects in each other, with a comment": (path) =>
    writeFileSync(path, `/* */ ${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
  "objects without an end": (path) => writeFileSync(path, '{"a":'.repeat(100_000)),
  "a list": (path) => writeFileSync(path, "[]"),
  "a number that there is not": (path) => writeFileSync(path, '{ "limits": { "maxTurns": 1e400 } }'),
  "a key twice": (path) => writeFileSync(path, '{ "permission": { "bash": "deny" }, "permission": {} }'),
  "a wrong type": (path) => writeFileSync(path, '{ "permission": { "bash": { "rm *": ["deny"] } } }'),
};

const withinProject = ["kedge.json", ".kedge/config.json", ".kedge/config.local.jsonc", "opencode.json"];

const ofProject = Object.keys(breakages)
  .flatMap((breakage) => withinProject.map((name) => [name, breakage] as const))
  // Of the file of another agent only its rules are read.
  .filter(([name, breakage]) => name !== "opencode.json" || breakage !== "a number that there is not");

test.each(ofProject)("in place of %s in a project: %s", async (name, breakage) => {
  const path = join(project, name);
  mkdirSync(dirname(path), { recursive: true });
  breakages[breakage]?.(path);
  const loaded = await loadConfiguration(sources());
  if (!loaded.ok) throw new Error(loaded.failure.message);
  const { rules, policy, sandbox } = loaded.configuration;
  expect(loaded.warnings).toEqual([expect.stringMatching(/^\S[^\n]{10,400}$/)]);
  expect(loaded.warnings[0]).toContain(name);
  expect({ rules, policy, autoAllow: sandbox.autoAllow }).toEqual({
    rules: [{ source: "flag", rules: [{ permission: "bash", pattern: "rm *", action: "deny" }] }],
    policy: {
      settings: {},
      managedRulesOnly: false,
      disabledModes: ["accept-edits", "auto", "bypass"],
      disabledBecause: `${name} cannot be used`,
      broken: [name],
    },
    autoAllow: false,
  });
  expect(await setAsideFile(path, sources())).toMatchObject({ ok: true, file: name });
  const after = await loadConfiguration(sources());
  expect(after).toMatchObject({ ok: true, warnings: [expect.stringContaining("; the file is set aside")] });
  expect(after.ok && after.configuration.rules[0]?.rules).toHaveLength(2);
  expect(after.ok && after.configuration.policy).toBeUndefined();
  // Another broken file in its place is another question.
  rmSync(path, { recursive: true });
  writeFileSync(path, "{ other");
  const other = await loadConfiguration(sources());
  expect(other.ok && other.configuration.policy?.broken).toEqual([name]);
});

test.each(Object.entries(breakages))(
  "in place of a file of the user, the command line or the policy: %s",
  async (_, make) => {
    const [own, flag, policy] = [
      join(user, ".kedge", "config.json"),
      join(user, "flag.json"),
      join(managed, "managed.json"),
    ];
    for (const [path, files] of [
      [own, []],
      [flag, [flag]],
      [policy, []],
    ] as const) {
      make(path);
      const loaded = await loadConfiguration(sources(...files));
      const name = path.replace(user, "~");
      expect(loaded).toMatchObject({ ok: false, failure: { code: "configuration", retryable: false } });
      expect(!loaded.ok && loaded.failure.message).toMatch(/^\S[^\n]{10,400}\.$/);
      expect(!loaded.ok && loaded.failure.message).toContain(path === policy ? "managed" : name);
      const aside = await setAsideFile(path, sources(...files));
      expect(aside.ok).toBe(path !== policy);
      expect((await loadConfiguration(sources(...files))).ok).toBe(path !== policy);
      rmSync(path, { recursive: true });
    }
  },
);

test("a file that was cut off or damaged anywhere is broken", async () => {
  const random = createSeededRandom();
  const whole = JSON.stringify({ model: "a/b", permission: { bash: { "rm *": "deny", "git push*": "ask" } } });
  for (let count = 0; count < 60; count += 1) {
    const at = random.below(whole.length);
    const byte = String.fromCharCode(0x80 + random.below(0x80));
    const text = random.below(2) === 0 ? whole.slice(0, at) : `${whole.slice(0, at)}${byte}${whole.slice(at)}`;
    writeFileSync(join(project, "kedge.json"), Buffer.from(text, "latin1"));
    const loaded = await loadConfiguration(sources());
    expect(loaded.ok && [text, loaded.configuration.policy?.broken]).toEqual([text, ["kedge.json"]]);
  }
});

test("only a broken file that is read here can be set aside", async () => {
  write(join(project, "kedge.json"), { model: "a/b" });
  expect(await setAsideFile("kedge.json", sources())).toEqual({
    ok: false,
    sentence: "kedge.json is valid; nothing to set aside",
  });
  expect(await setAsideFile("other.json", sources())).toEqual({
    ok: false,
    sentence: "other.json is not a settings file",
  });
});

test("a broken list of what was set aside sets nothing aside", async () => {
  write(join(project, "kedge.json"), "{");
  for (const text of ["{", "[]", '{"format":1,"files":{"x":5}}', '{"format":2,"files":{}}']) {
    write(join(user, ".kedge", "set-aside.json"), text);
    const loaded = await loadConfiguration(sources());
    expect(loaded.ok && loaded.configuration.policy?.broken).toEqual(["kedge.json"]);
  }
});

test("a mode that lets calls pass unasked is ignored meanwhile", async () => {
  write(join(user, ".kedge", "config.json"), { permissionMode: "accept-edits" });
  write(join(project, "kedge.json"), "{");
  const loaded = await loadConfiguration(sources());
  expect(loaded.ok && loaded.configuration.mode).toBeUndefined();
  expect(loaded.ok && loaded.warnings.at(-1)).toBe("permissionMode accept-edits is ignored: kedge.json cannot be used");
});

test("the name of a prototype brings no value that nobody checked", async () => {
  write(join(user, ".kedge", "config.json"), '{ "sandbox": { "__proto__": { "mode": "on", "autoAllow": 7 } } }');
  const loaded = await loadConfiguration(sources());
  expect(loaded.ok && loaded.configuration.sandbox).toEqual({
    ...{ mode: "off", autoAllow: true, allowedHosts: [], writable: [] },
  });
});

test("a byte order mark is passed over", async () => {
  write(join(user, ".kedge", "config.json"), '\uFEFF{ "model": "a/b" }');
  expect(await loadConfiguration(sources())).toMatchObject({ ok: true, configuration: { model: "a/b" } });
});
