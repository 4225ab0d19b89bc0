/** Proves how settings files are found, checked, merged and, for files of a project, restricted. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { agentSettingsDefault } from "@kedge/agents/settings";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConversationSettings } from "./conversation-settings.ts";
import { type Configuration, loadConfiguration } from "./load-configuration.ts";

let user = "";
let project = "";
beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), "kedge-configuration-"));
  project = join(user, "code", "project");
  mkdirSync(project, { recursive: true });
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

function write(path: string, settings: unknown): void {
  const file = path.startsWith("~/") ? join(user, path.slice(2)) : join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof settings === "string" ? settings : JSON.stringify(settings));
}

function load(
  files: readonly string[] = [],
  environment: { readonly [name: string]: string } = {},
  { isTrusted } = { isTrusted: true },
) {
  const home = join(user, ".kedge");
  const places = { home, userDirectory: user, cwd: project, projectRoot: project };
  return loadConfiguration({ ...places, environment, files, isTrusted });
}

/** The sentence of the failure, or what was loaded. */
async function outcome(...given: Parameters<typeof load>) {
  const loaded = await load(...given);
  if (!loaded.ok) return loaded.failure.message;
  const { settings: _, ...others } = loaded;
  return others;
}

const empty: Configuration = {
  model: undefined,
  tiers: {},
  acpAgents: {},
  providers: {},
  mode: undefined,
  continueOnReject: false,
  hooks: { sources: [] },
  mcp: { files: [], lists: { denied: [] } },
  plugins: { plugins: [], warnings: [] },
  memory: {
    ...{ enabled: true, acceptInferred: false, team: false, headless: false, recall: true },
    ...{ extract: "auto", extractEvery: 1 },
    ...{ consolidate: true, consolidateHours: 24, consolidateSessions: 5, dailyLog: false, dreamAt: "03:00" },
  },
  background: { maxUsd: 0.05, maxShare: 0.1 },
  worktree: { dependencies: ["node_modules", ".next"] },
  ...{ collab: { isEnabled: true, hidesPermissions: false }, share: { isEnabled: true, redactsSecrets: true } },
  ...{ storage: {}, redaction: { formats: true } },
  env: { passthrough: [], scrubGithub: false },
  ...{ rules: [], limits: {} },
  server: { hosts: [], origins: [], roots: [], pty: true, pushServices: [] },
  telemetry: { enabled: false, headers: {}, intervalSeconds: 60 },
  transcripts: [],
  edit: {},
  tools: {
    editing: { fuzzyMatch: true, fuzzyThreshold: 0.95, blockGenerated: true, recovery: true },
    reading: { defaultLimit: 2_000, summarize: true },
    bash: {
      maxTimeout: 600,
      autoBackground: { enabled: false, thresholdMs: 60_000 },
      timeoutAction: "end",
      prefix: "",
      minimizer: true,
      stripTrailingHeadTail: true,
    },
    isBashOffered: true,
    usesRcSnapshot: false,
    interceptor: undefined,
    jobs: { isEnabled: true, max: 20, pollWait: "smart" },
    codeIndex: { isEnabled: true, sizeBytesMax: 209_715_200 },
    offersCheckpoints: false,
  },
  lsp: {},
  agents: { ...agentSettingsDefault, isEnabled: true, coordinator: false, definitions: {} },
  teams: { backend: "auto" },
  formatter: {},
  toolSearch: { mode: "always", references: { isOff: false, atAnyAddress: false, exceptModels: ["haiku"] } },
  sandbox: { mode: "off", autoAllow: true, allowedHosts: [], writable: [] },
  conversation: readConversationSettings({}),
  interruptMode: "immediate",
  autoMode: { allow: [], softDeny: [], environment: [] },
  pressure: { thresholds: {} },
  web: {},
  instructions: { compat: true, shadowing: "none", walkPastRepo: false, urls: [], named: [], disabledSources: [] },
  extensions: {
    skills: { isEnabled: true, include: [], ignore: [], directories: [], disabledSources: [] },
    outputStyle: undefined,
  },
  code: { paths: [], hasOtherTools: false },
  network: { identify: true },
  signIn: { allowed: true, providers: {} },
  catalogue: {},
};
const mock = { api: "openai-chat", baseURL: "http://127.0.0.1:1/v1", apiKey: "x" };

test("no file at all", async () => {
  expect(await outcome()).toEqual({ ok: true, configuration: empty, warnings: [] });
});

test("stronger files win, objects merge deeply, null deletes, rules stay apart by source", async () => {
  write("~/.kedge/config.json", {
    model: "mock/a",
    provider: { mock: { ...mock, models: { a: { context: 10, output: 5 } } }, gone: mock },
    permission: { bash: { "git *": "allow" } },
    limits: { maxTurns: 9, maxTokens: 100 },
  });
  write("kedge.json", { model: "mock/b", permission: { bash: "ask" }, limits: { maxTurns: 5 } });
  write(".kedge/config.json", { permissions: { edit: { deny: ["*.lock"] } } });
  write(".kedge/config.local.json", { permissionMode: "plan" });
  write("one.json", { provider: { mock: { models: { a: { output: 6 } } }, gone: null } });
  write("two.jsonc", '{ // a comment\n "limits": { "maxBudgetUsd": 2, }, "permission": { "read": "deny" } }');
  expect(await outcome(["one.json", "two.jsonc"])).toEqual({
    ok: true,
    warnings: [],
    configuration: {
      ...empty,
      model: "mock/b",
      providers: { mock: { ...mock, models: { a: { context: 10, output: 6 } } } },
      mode: "plan",
      rules: [
        { source: "user", rules: [{ permission: "bash", pattern: "git *", action: "allow" }] },
        {
          source: "project",
          rules: [
            { permission: "bash", pattern: "*", action: "ask" },
            { permission: "edit", pattern: "*.lock", action: "deny" },
          ],
        },
        { source: "flag", rules: [{ permission: "read", pattern: "*", action: "deny" }] },
      ],
      limits: { turnsMax: 5, tokensMax: 100, budgetUsdMax: 2 },
    },
  });
});

test("which copies of sessions are kept is the user's choice alone", async () => {
  write("~/.kedge/config.json", { transcripts: { conversations: true } });
  write("kedge.json", { transcripts: true });
  write("more.json", { transcripts: { jsonl: true } });
  expect(await outcome(["more.json"])).toEqual({
    ok: true,
    warnings: [
      "kedge.json: transcripts is ignored: a project may not write copies of your sessions",
      "more.json: transcripts is ignored: it only applies in your own config.json",
    ],
    configuration: { ...empty, transcripts: ["conversations"] },
  });
});

test("how closely work is watched is the user's choice alone", async () => {
  write("~/.kedge/config.json", { pressure: { enabled: true, elevated: 6 } });
  write("kedge.json", { pressure: { enabled: false, high: 900 } });
  expect(await outcome()).toEqual({
    ok: true,
    warnings: ["kedge.json: pressure is ignored: a project may not decide how closely it is watched"],
    configuration: { ...empty, pressure: { enabled: true, thresholds: { elevated: 6 } } },
  });
});

test("a project's file cannot choose providers, loosen permissions or raise limits, and says so", async () => {
  write("~/.kedge/config.json", { provider: { mock }, limits: { maxBudgetUsd: 1 } });
  write("kedge.json", {
    provider: { mock: { baseURL: "http://elsewhere.invalid" } },
    permissionMode: "accept-edits",
    permission: { bash: { "*": "allow", "rm *": "deny" } },
    limits: { maxBudgetUsd: 50, maxTurns: 3 },
    __proto__: { model: "evil/model" },
  });
  write(".kedge/config.local.json", '{ "permissionMode": "auto", "__proto__": { "provider": {} } }');
  expect(await outcome()).toEqual({
    ok: true,
    configuration: {
      ...empty,
      providers: { mock },
      rules: [{ source: "project", rules: [{ permission: "bash", pattern: "rm *", action: "deny" }] }],
      limits: { budgetUsdMax: 1, turnsMax: 3 },
    },
    warnings: [
      "kedge.json: provider is ignored: a project may not choose where requests and keys go",
      "kedge.json: permissionMode is ignored: a project may only choose plan mode",
      "kedge.json: limits is ignored: a project may only lower limits, and raises maxBudgetUsd",
      "kedge.json: ignored a rule that allows nearly everything; a project may not do that",
      ".kedge/config.local.json: permissionMode is ignored: a project may only choose plan mode",
      ".kedge/config.local.json: __proto__ is not a setting",
    ],
  });
});

test("before trust a project only asks and denies", async () => {
  write("kedge.json", {
    model: "evil/model",
    permissionMode: "plan",
    permission: { bash: { "npm test": "allow", "git push*": "ask" }, edit: { "*.lock": "deny" } },
    limits: { maxTurns: 1 },
  });
  const rules = [
    { permission: "bash", pattern: "git push*", action: "ask" },
    { permission: "edit", pattern: "*.lock", action: "deny" },
  ] as const;
  expect(await outcome([], {}, { isTrusted: false })).toEqual({
    ok: true,
    configuration: { ...empty, rules: [{ source: "project", rules }] },
    warnings: [],
  });
  expect(await outcome()).toMatchObject({
    configuration: {
      model: "evil/model",
      mode: "plan",
      rules: [{ source: "project", rules: [{ permission: "bash", pattern: "npm test", action: "allow" }, ...rules] }],
      limits: { turnsMax: 1 },
    },
  });
});

test("a link that leads out of the project is skipped, and nothing is allowed meanwhile", async () => {
  write("~/elsewhere.json", { model: "evil/model" });
  symlinkSync(join(user, "elsewhere.json"), join(project, "kedge.json"));
  expect(await outcome()).toMatchObject({
    ok: true,
    configuration: { policy: { broken: ["kedge.json"] } },
    warnings: [expect.stringMatching(/^kedge\.json is a link to a file outside the project\. The file is skipped /)],
  });
});

test("a local file that git tracks is the project's", async () => {
  write(".kedge/config.local.json", { permission: { edit: "allow" } });
  const rules = [{ permission: "edit", pattern: "*", action: "allow" }];
  expect(await outcome()).toMatchObject({ configuration: { rules: [{ source: "local", rules }] } });
  execFileSync("git", ["init", "-q"], { cwd: project });
  expect(await outcome()).toMatchObject({ configuration: { rules: [{ source: "local", rules }] } });
  execFileSync("git", ["add", "."], { cwd: project });
  expect(await outcome()).toMatchObject({ configuration: { rules: [{ source: "project", rules }] } });
  execFileSync("git", ["update-index", "--index-version", "4"], { cwd: project });
  expect(await outcome()).toMatchObject({ configuration: { rules: [{ source: "project", rules }] } });
});

test("presets stand before a file's own rules", async () => {
  write("~/.kedge/config.json", {
    permission_presets: ["terraform-safe"],
    permission: { bash: { "terraform apply*": "ask" } },
  });
  const loaded = await load();
  const { rules } = (loaded.ok && loaded.configuration.rules[0]) || { rules: [] };
  expect(rules.at(0)).toEqual({ permission: "bash", pattern: "terraform plan*", action: "ask" });
  expect(rules.at(-1)).toEqual({ permission: "bash", pattern: "terraform apply*", action: "ask" });
  write("~/.kedge/config.json", { permission_presets: ["git-save"] });
  expect(await outcome()).toBe(
    '~/.kedge/config.json: permission_presets must be a list of git-safe, terraform-safe, read-only, ci, got ["git-save"].',
  );
});

test("errors name file, path and expectation; an invalid user file aborts", async () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [{ provider: { mock: { baseURL: 12 } } }, "provider.mock.baseURL must be a URL, got 12."],
    [{ provider: { mock: { baseURL: "ftp://x" } } }, 'provider.mock.baseURL must be a URL, got "ftp://x".'],
    [{ provider: { mock: { api: "openai-chat" } } }, "provider.mock.baseURL must be a URL, got nothing."],
    [{ provider: { mock: { api: "ai-sdk" } } }, "provider.mock.npm must be the name of a package, got nothing."],
    [{ provider: { mock: { npm: "../x" } } }, 'provider.mock.npm must be the name of a package, got "../x".'],
    [{ provider: { mock: { options: [] } } }, "provider.mock.options must be an object, got []."],
    [
      { provider: { mock: { ...mock, models: { m: { reasoning: "much" } } } } },
      'provider.mock.models.m.reasoning must be one of none, effort, budget, adaptive, got "much".',
    ],
    [
      { provider: { mock: { ...mock, api: "soap" } } },
      'provider.mock.api must be one of openai-chat, openai-responses, anthropic, google, ai-sdk, got "soap".',
    ],
    [
      { provider: { mock: { ...mock, models: { m: { context: "big" } } } } },
      'provider.mock.models.m.context must be a whole number above 0, got "big".',
    ],
    [
      { provider: { mock: { ...mock, models: { m: { cost: { input: 1 } } } } } },
      "provider.mock.models.m.cost.output must be a number, 0 or greater, got nothing.",
    ],
    [{ model: "gpt" }, 'model must be a string of the form provider/model, got "gpt".'],
    [
      { permission: { bash: { "git *": "maybe" } } },
      'permission.bash["git *"] must be one of "allow", "ask" and "deny", got "maybe".',
    ],
    [{ permissionMode: "bypass" }, 'permissionMode must be one of default, accept-edits, plan, auto, got "bypass".'],
    [{ limits: { maxTurns: 0 } }, "limits.maxTurns must be a whole number above 0, got 0."],
    [[], "the file must be an object."],
  ];
  for (const [settings, expected] of cases) {
    write("~/.kedge/config.json", settings);
    expect(await outcome()).toBe(`~/.kedge/config.json: ${expected}`);
  }
  write("~/.kedge/config.json", '{\n  "model": \n}');
  expect(await outcome()).toBe("~/.kedge/config.json is not valid JSON at line 3, column 1.");
});

test("an invalid project file is skipped with a warning, a misspelt setting is named with the likely one", async () => {
  write("kedge.json", { model: 5 });
  write("~/.kedge/config.json", { modle: "a/b" });
  expect(await outcome()).toEqual({
    ok: true,
    configuration: {
      ...empty,
      sandbox: { ...empty.sandbox, autoAllow: false },
      policy: {
        settings: {},
        managedRulesOnly: false,
        disabledModes: ["accept-edits", "auto", "bypass"],
        disabledBecause: "kedge.json cannot be used",
        broken: ["kedge.json"],
      },
    },
    warnings: [
      "~/.kedge/config.json: modle is not a setting; the nearest is model",
      "kedge.json: model must be a string of the form provider/model, got 5. The file is skipped and no allow rule applies until you fix it or run kedge config set-aside kedge.json",
    ],
  });
});

test("keys come from the environment or a file, in the user's files only", async () => {
  const provider = { a: { ...mock, apiKey: "{env:KEY_A}" }, b: { ...mock, apiKey: "Bearer {file:key.txt}" } };
  write("~/.kedge/config.json", { provider });
  write("~/.kedge/key.txt", "from-file\n");
  write("kedge.json", { model: "{env:KEY_A}/model" });
  expect(await outcome([], { KEY_A: "from-environment" })).toMatchObject({
    configuration: {
      model: "{env:KEY_A}/model",
      providers: { a: { apiKey: "from-environment" }, b: { apiKey: "Bearer from-file" } },
    },
    warnings: [],
  });
  const { apiKey: _, ...withoutKey } = mock;
  expect(await outcome()).toMatchObject({
    configuration: { providers: { a: withoutKey } },
    warnings: ["~/.kedge/config.json: provider.a.apiKey is ignored: KEY_A is not set"],
  });
  rmSync(join(user, ".kedge", "key.txt"));
  expect(await outcome()).toBe("~/.kedge/config.json: provider.b.apiKey refers to key.txt, which cannot be read.");
});

test("in a repository that is the user's own directory, the user's file is not a project's file", async () => {
  write("~/.kedge/config.json", { provider: { mock } });
  const home = join(user, ".kedge");
  const loaded = await loadConfiguration({
    home,
    userDirectory: user,
    cwd: user,
    projectRoot: user,
    environment: {},
    files: [],
    isTrusted: true,
  });
  expect(loaded).toMatchObject({ ok: true, configuration: { ...empty, providers: { mock } }, warnings: [] });
});

test("a provider of the catalogue needs nothing but what the user wants otherwise", async () => {
  const provider = {
    anthropic: { models: { "claude-haiku-4-5": { cost: { cacheRead: 1 }, images: false, temperature: 0 } } },
    mistral: { quirks: ["think-spans"] },
    "amazon-bedrock": { options: { region: "eu-central-1" } },
    own: { npm: "@scope/own-provider", apiKey: "x" },
  };
  write("~/.kedge/config.json", { provider });
  expect(await outcome()).toEqual({ ok: true, configuration: { ...empty, providers: provider }, warnings: [] });
});

test("half a search backend is refused when it is read", async () => {
  write("~/.kedge/config.json", { web: { search: { kind: "brave" } } });
  expect(await outcome()).toBe(
    "~/.kedge/config.json: web.search.url must be set together with the other, got nothing.",
  );
});

test("which secrets commands see and what a no means is said by the user alone", async () => {
  const env = { passthrough: ["NPM_TOKEN"], scrubGithub: true };
  write("~/.kedge/config.json", { env, continueOnReject: true });
  write("kedge.json", { env: { passthrough: ["AWS_SECRET_ACCESS_KEY"] }, continueOnReject: false });
  write("one.json", { env: { passthrough: ["HF_TOKEN"] } });
  expect(await outcome(["one.json"])).toMatchObject({
    configuration: { env, continueOnReject: true },
    warnings: [
      "kedge.json: env is ignored: a project may not decide which secrets its commands see",
      "kedge.json: continueOnReject is ignored: only you decide what a rejection means",
      "one.json: env is ignored: it only applies in your own config.json",
    ],
  });
  write("~/.kedge/config.json", { env: { passthrough: ["A B"] } });
  expect(await outcome()).toBe('~/.kedge/config.json: env.passthrough[0] must be the name of a variable, got "A B".');
});
