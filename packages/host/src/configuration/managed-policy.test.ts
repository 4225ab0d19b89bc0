/** Proves that a managed policy is read from reliable files alone, comes last, and cannot be changed by anything else. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PermissionAction, PermissionRule, RuleSet } from "@kedge/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfiguration } from "./load-configuration.ts";
import { rulesUnderPolicy } from "./managed-policy.ts";

let user = "";
let directory = "";
beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), "kedge-managed-"));
  directory = join(user, "etc", "kedge");
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

function write(path: string, settings: unknown): void {
  const file = join(user, path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(file, typeof settings === "string" ? settings : JSON.stringify(settings), { mode: 0o644 });
}

function load({ owner = process.getuid?.() ?? 0, environment = {} as { readonly [name: string]: string } } = {}) {
  const project = join(user, "project");
  mkdirSync(project, { recursive: true });
  const places = { home: join(user, ".kedge"), userDirectory: user, cwd: project, projectRoot: project };
  return loadConfiguration({ ...places, environment, files: [], isTrusted: true, managed: { directory, owner } });
}

async function failureOf(options: Parameters<typeof load>[0] = {}) {
  const loaded = await load(options);
  return loaded.ok ? undefined : loaded.failure.message;
}

const rule = (permission: string, pattern: string, action: PermissionAction): PermissionRule => ({
  permission,
  pattern,
  action,
});

test("without the directory there is no policy", async () => {
  expect(await load()).toMatchObject({ ok: true, warnings: [], configuration: { rules: [] } });
});

test("the files count in the order of their names, after every other, and their rules are those of a policy", async () => {
  write(".kedge/config.json", { model: "mock/user", limits: { maxTurns: 99 }, permission: { read: "allow" } });
  write("project/.kedge/config.local.json", { limits: { maxTurns: 7 } });
  write("etc/kedge/managed.json", { model: "mock/one", limits: { maxTurns: 5 }, permission: { bash: "ask" } });
  write("etc/kedge/managed.d/20.json", { model: "mock/three", permission: { webfetch: "deny" } });
  write("etc/kedge/managed.d/10.json", { model: "mock/two", disableBypass: true });
  write("etc/kedge/managed.d/note.txt", "no settings");
  const loaded = await load();
  if (!loaded.ok) throw new Error(loaded.failure.message);
  const { model, limits, rules, policy } = loaded.configuration;
  expect({ model, limits, rules, policy, warnings: loaded.warnings }).toEqual({
    model: "mock/three",
    limits: { turnsMax: 5 },
    rules: [
      { source: "user", rules: [rule("read", "*", "allow")] },
      { source: "policy", rules: [rule("bash", "*", "ask"), rule("webfetch", "*", "deny")] },
    ],
    policy: {
      managedRulesOnly: false,
      disabledModes: ["bypass"],
      settings: { model: "mock/three", limits: { maxTurns: 5 }, disableBypass: true },
    },
    warnings: [],
  });
});

test("with managed rules alone others only ask and deny", async () => {
  write(".kedge/config.json", { permission: { bash: { "npm *": "allow", "rm *": "deny", "git *": "ask" } } });
  write("etc/kedge/managed.json", { allowManagedRulesOnly: true, permission: { edit: "allow" } });
  const loaded = await load();
  if (!loaded.ok) throw new Error(loaded.failure.message);
  const { rules, policy } = loaded.configuration;
  expect(rules).toEqual([
    { source: "user", rules: [rule("bash", "rm *", "deny"), rule("bash", "git *", "ask")] },
    { source: "policy", rules: [rule("edit", "*", "allow")] },
  ]);
  const given: RuleSet = { source: "command-line", rules: [rule("bash", "*", "allow"), rule("read", "*", "deny")] };
  expect(rulesUnderPolicy([given], policy)).toEqual([{ ...given, rules: [rule("read", "*", "deny")] }]);
});

test("a mode that is switched off is ignored where a file chose it", async () => {
  write(".kedge/config.json", { permissionMode: "auto" });
  write("etc/kedge/managed.json", { disableAuto: true });
  expect(await load()).toMatchObject({
    ok: true,
    configuration: { mode: undefined, policy: { disabledModes: ["auto"] } },
    warnings: ["permissionMode auto is ignored: disabled by this machine's managed policy"],
  });
});

test("a variable does not beat the policy, and none is put into it", async () => {
  write("etc/kedge/managed.json", { thinking: { maxTokens: 5 }, fallbackModel: "mock/{env:NAME}" });
  const environment = { KEDGE_MAX_THINKING_TOKENS: "900", NAME: "x" };
  const loaded = await load({ environment });
  expect(loaded).toMatchObject({
    configuration: { limits: { reasoning: { tokensMax: 5 }, fallbackModel: "mock/{env:NAME}" } },
  });
});

test("the switches of a policy mean nothing in another file", async () => {
  write(".kedge/config.json", { disableBypass: true });
  expect(await load()).toMatchObject({
    ok: true,
    warnings: ["~/.kedge/config.json: disableBypass only applies in a managed policy"],
  });
});

test("kedge does not start with files that others could have written", async () => {
  write("etc/kedge/managed.json", {});
  write("etc/kedge/managed.d/10.json", {});
  const sentence = (path: string) =>
    `The managed policy ${path} must be owned by root and writable only by root. kedge will not start.`;
  expect(await failureOf()).toBe(undefined);
  expect(await failureOf({ owner: (process.getuid?.() ?? 0) + 1 })).toBe(sentence(directory));
  for (const [name, mode] of [
    ["", 0o755],
    ["managed.json", 0o644],
    ["managed.d", 0o755],
    ["managed.d/10.json", 0o644],
  ] as const) {
    const path = name === "" ? directory : join(directory, name);
    for (const more of [0o020, 0o002]) {
      chmodSync(path, mode | more);
      expect(await failureOf()).toBe(sentence(path));
    }
    chmodSync(path, mode);
  }
  expect(await failureOf()).toBe(undefined);
});

test("kedge does not start with a policy that leads elsewhere or is broken", async () => {
  write("etc/elsewhere.json", {});
  write("etc/kedge/managed.d/20.json", { disableAuto: "yes" });
  expect(await failureOf()).toBe(
    `~${join(directory, "managed.d/20.json").slice(user.length)}: disableAuto must be true or false, got "yes".`,
  );
  symlinkSync(join(user, "etc/elsewhere.json"), join(directory, "managed.json"));
  expect(await failureOf()).toBe(`The managed policy ${join(directory, "managed.json")} points outside ${directory}.`);
});

test("where the list of models comes from cannot be moved by a variable once the policy says it", async () => {
  write("etc/kedge/managed.json", { catalogue: { url: "https://models.example/list" } });
  const loaded = await load();
  if (!loaded.ok) throw new Error(loaded.failure.message);
  expect(loaded.configuration.catalogue).toEqual({ url: "https://models.example/list", isFixed: true });
});
