/** Proves how settings are written: JSON or YAML but not both, lists that are put together, sources that are switched off. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { collectProjectInputs } from "../trust/project-inputs.ts";
import { loadConfiguration } from "./load-configuration.ts";

let user = "";
let project = "";
beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), "kedge-formats-"));
  project = join(user, "code", "project");
  mkdirSync(project, { recursive: true });
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

function write(path: string, settings: unknown): void {
  const file = path.startsWith("~/") ? join(user, path.slice(2)) : join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof settings === "string" ? settings : JSON.stringify(settings));
}

function load(files: readonly string[] = [], environment: { readonly [name: string]: string } = {}) {
  const places = { home: join(user, ".kedge"), userDirectory: user, cwd: project, projectRoot: project };
  return loadConfiguration({ ...places, environment, files, isTrusted: true });
}

/** The sentence of the failure, or what was loaded. */
async function outcome(...given: Parameters<typeof load>) {
  const loaded = await load(...given);
  if (!loaded.ok) return loaded.failure.message;
  const { settings: _, ...others } = loaded;
  return others;
}

/** What is configured where there is no file. */
async function nothing() {
  const empty = join(user, "empty");
  mkdirSync(empty, { recursive: true });
  const places = { home: join(empty, ".kedge"), userDirectory: empty, cwd: empty, projectRoot: empty };
  const loaded = await loadConfiguration({ ...places, environment: {}, files: [], isTrusted: true });
  if (!loaded.ok) throw new Error(loaded.failure.message);
  return loaded.configuration;
}

const mock = { api: "openai-chat", baseURL: "http://127.0.0.1:1/v1", apiKey: "x" };

test("a byte order mark says nothing, in either format", async () => {
  write("~/.kedge/config.json", '\uFEFF{ "model": "mock/a" }');
  write("kedge.yml", "\uFEFFlimits:\n  maxTurns: 5\n");
  expect(await outcome()).toEqual({
    ok: true,
    warnings: [],
    configuration: { ...(await nothing()), model: "mock/a", limits: { turnsMax: 5 } },
  });
});

test("a list may be null as a whole, and none of its members", async () => {
  write("~/.kedge/config.json", { disabledProviders: null });
  expect(await outcome()).toEqual({ ok: true, warnings: [], configuration: await nothing() });
  write("~/.kedge/config.json", { disabledProviders: ["claude", null] });
  expect(await outcome()).toBe("~/.kedge/config.json: disabledProviders[1] must be a value, got null.");
  write("~/.kedge/config.json", { disabledProviders: [{ path: "~", providers: [null] }] });
  expect(await outcome()).toBe("~/.kedge/config.json: disabledProviders[0].providers[0] must be a value, got null.");
});

test("YAML says the same as JSON", async () => {
  write("~/.kedge/config.yml", "# mine\nmodel: mock/a\nlimits:\n  maxTurns: 9\n");
  write("kedge.yaml", "limits: { maxTurns: 5 }\npermission:\n  bash:\n    'rm *': deny\n");
  expect(await outcome()).toEqual({
    ok: true,
    warnings: [],
    configuration: {
      ...(await nothing()),
      model: "mock/a",
      limits: { turnsMax: 5 },
      rules: [{ source: "project", rules: [{ permission: "bash", pattern: "rm *", action: "deny" }] }],
    },
  });
  write("~/.kedge/config.yml", "model: mock/a\nlimits: [\n");
  expect(await outcome()).toBe("~/.kedge/config.yml is not valid YAML at line 3, column 1.");
  write("~/.kedge/config.yml", "");
  expect(await outcome()).toMatchObject({ ok: true });
  write(
    "~/.kedge/config.yml",
    "provider: { a: { apiKey: '{env:KEY_A}', api: openai-chat, baseURL: 'http://x.invalid' } }",
  );
  expect(await outcome([], { KEY_A: "filled" })).toMatchObject({
    configuration: { providers: { a: { apiKey: "filled" } } },
  });
});

test("what a project says in YAML needs trust as well", () => {
  for (const name of ["kedge.yml", "kedge.yaml", ".kedge/config.yml", ".kedge/config.local.yaml"])
    write(name, "model: a/b\n");
  expect(collectProjectInputs(project).map(({ name }) => name)).toEqual([
    "kedge.yml",
    "kedge.yaml",
    ".kedge/config.yml",
    ".kedge/config.local.yaml",
  ]);
});

test("references in YAML that stand for too much are refused", async () => {
  const levels = Array.from(
    { length: 9 },
    (_, level) => `l${level}: &l${level} [${`*l${level - 1},`.repeat(9)}]`,
  ).slice(1);
  write("~/.kedge/config.yml", `l0: &l0 [x]\n${levels.join("\n")}\n`);
  expect(await outcome()).toContain("~/.kedge/config.yml is not valid YAML at its references");
});

test("one file in two formats is an error that names both", async () => {
  write("kedge.json", {});
  write("kedge.yml", "");
  expect(await outcome()).toEqual({
    ok: true,
    configuration: expect.objectContaining({
      model: undefined,
      policy: expect.objectContaining({ broken: ["kedge.json"] }),
    }),
    warnings: [
      "kedge.json and kedge.yml exist in several formats; keep one of them. The file is skipped and no allow rule applies until you fix it or run kedge config set-aside kedge.json",
    ],
  });
  write("~/.kedge/config.json", {});
  write("~/.kedge/config.jsonc", "{}");
  expect(await outcome()).toBe(
    "~/.kedge/config.json and ~/.kedge/config.jsonc exist in several formats; keep one of them.",
  );
});

test("lists are replaced by stronger files, but for what is put together", async () => {
  write("~/.kedge/config.json", { sandbox: { allowedHosts: ["a"] }, disabledProviders: ["one"] });
  write("more.json", { sandbox: { allowedHosts: ["b"] }, disabledProviders: ["two"] });
  expect(await outcome(["more.json"])).toMatchObject({
    configuration: { sandbox: { allowedHosts: ["b"] }, catalogue: { disabled: ["one", "two"] } },
  });
});

test("a vendor that is switched off is as if it did not exist, everywhere or below a directory", async () => {
  const ids = async () => {
    const loaded = await load();
    return loaded.ok ? [Object.keys(loaded.configuration.providers), loaded.configuration.catalogue.disabled] : loaded;
  };
  const provider = { one: mock, two: mock };
  write("~/.kedge/config.json", { provider, disabledProviders: ["one"] });
  expect(await ids()).toEqual([["two"], ["one"]]);
  write("~/.kedge/config.json", { provider, disabledProviders: [{ path: "~/code", providers: ["two"] }] });
  expect(await ids()).toEqual([["one"], ["two"]]);
  write("~/.kedge/config.json", { provider, disabledProviders: [{ path: "~/cod", providers: ["two"] }] });
  expect(await ids()).toEqual([["one", "two"], undefined]);
  write("~/.kedge/config.json", { disabledProviders: [{ path: "~/code" }] });
  expect(await outcome()).toBe(
    '~/.kedge/config.json: disabledProviders[0] must be an id, or an object with path and providers, got {"path":"~/code"}.',
  );
});
