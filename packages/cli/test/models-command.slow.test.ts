/** Proves `kedge models` end to end: what can be used, what is missing, and how a newer list arrives. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ended, openWorkbench, type RunOptions, type Workbench } from "./workbench.ts";

const newList = {
  newcomer: {
    name: "Newcomer",
    npm: "@ai-sdk/openai-compatible",
    api: "https://newcomer.invalid/v1",
    env: ["NEWCOMER_API_KEY"],
    models: { one: { name: "The One", limit: { context: 10_000, output: 5_000 }, cost: { input: 1, output: 2 } } },
  },
};

const ownModel = {
  name: "Own Model",
  context: 64_000,
  output: 8_000,
  cost: { input: 2, output: 6, cacheRead: 0.2 },
  reasoning: "effort",
};

let bench: Workbench;
let server: Server;
/** What the source of the list answers; nothing at all while it is undefined. */
let answer: { readonly status: number; readonly body: string } | undefined;
let requests = 0;
let wasAsked: () => void = () => {};

beforeEach(async () => {
  answer = { status: 200, body: JSON.stringify(newList) };
  requests = 0;
  server = createServer((_, response) => {
    requests++;
    wasAsked();
    if (answer !== undefined) response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  bench = await openWorkbench([]);
  const provider = { own: { api: "openai-chat", baseURL: bench.model.baseUrl, models: { large: ownModel, any: {} } } };
  writeFileSync(join(bench.home, "config.json"), JSON.stringify({ provider }));
});

afterEach(async () => {
  await bench.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

/** A list that is asked for is asked of the server of the test. */
function environmentWith(more: RunOptions["environment"] = {}) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`;
  return { KEDGE_KEYRING: "off", KEDGE_CATALOGUE_URL: url, ...more };
}

function models(words = "", more: RunOptions["environment"] = {}) {
  const argv = ["models", ...words.split(" ").filter((word) => word !== "")];
  return bench.run(argv, { environment: environmentWith(more) });
}

type Entry = { readonly provider: string; readonly ref: string; readonly usable: boolean };

async function entries(words: string, more: RunOptions["environment"] = {}): Promise<readonly Entry[]> {
  return JSON.parse((await models(`${words} --json`, more)).stdout);
}

/** A server that runs on the developer's machine is none of this test's business. */
const localProviders = new Set(["ollama", "lmstudio", "llamacpp", "vllm"]);

function providersOf(listed: readonly Entry[]): readonly string[] {
  return [...new Set(listed.map(({ provider }) => provider))].filter((provider) => !localProviders.has(provider));
}

test("only what can be used is listed, and everything with --all", async () => {
  const usable = await entries("", { ANTHROPIC_API_KEY: "key-of-the-test" });
  expect(providersOf(usable)).toEqual(["own", "anthropic"]);
  expect(usable.every((entry) => entry.usable)).toBe(true);
  const all = await entries("--all", { ANTHROPIC_API_KEY: "key-of-the-test" });
  expect(providersOf(all.filter((entry) => entry.usable))).toEqual(["own", "anthropic"]);
  expect(providersOf(all)).toEqual(expect.arrayContaining(["own", "anthropic", "openai", "mistral", "groq"]));
  expect(requests).toBe(0);
});

test("a stored key makes a provider usable", async () => {
  expect(providersOf(await entries(""))).toEqual(["own"]);
  await bench.run(["auth", "login", "mistral", "--no-verify"], {
    input: "key-of-the-test",
    environment: environmentWith(),
  });
  expect(providersOf(await entries(""))).toEqual(["own", "mistral"]);
});

test("the models of one provider, as a table, with details, and as JSON", async () => {
  expect(await models("own")).toEqual({
    code: 0,
    stdout: [
      "model      name       context  output  $ in  $ out",
      "own/large  Own Model   64,000   8,000     2      6",
      "own/any               ~32,000  ~4,096     ?      ?",
      "",
      "Prices in US dollars per million tokens. ~ marks assumed sizes.",
      "",
    ].join("\n"),
    stderr: "",
  });
  expect((await models("own --verbose")).stdout.split("\n").slice(0, 3)).toEqual([
    "model      name       context  output  $ in  $ out  $ cached  can             released  status  wire         tested",
    "own/large  Own Model   64,000   8,000     2      6       0.2  tools thinking                    openai-chat  untested",
    "own/any               ~32,000  ~4,096     ?      ?         ?                                    openai-chat  untested",
  ]);
  expect(await entries("own --verbose")).toEqual([
    expect.objectContaining({
      ref: "own/large",
      contextTokens: 64_000,
      usable: true,
      api: "openai-chat",
      tested: false,
    }),
    expect.objectContaining({ ref: "own/any", assumed: true, usable: true, api: "openai-chat", tested: false }),
  ]);
});

test("a provider without a key says what it needs, and one that nobody knows which is near", async () => {
  const { code, stdout, stderr } = await models("mistral");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [titles, ...rows] = stdout.split("\n\n")[0]?.split("\n") ?? [];
  expect(titles).toMatch(/ {2}needs$/);
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.every((row) => row.endsWith("Set MISTRAL_API_KEY, or run `kedge auth login mistral`."))).toBe(true);
  expect((await entries("mistral --verbose")).every((entry) => !entry.usable)).toBe(true);
  expect(await models("mistrall")).toEqual({
    code: 1,
    stdout: "",
    stderr: 'kedge: Unknown provider "mistrall". Did you mean mistral?\n',
  });
  expect(await models("own too")).toEqual({
    code: 2,
    stdout: "",
    stderr: 'kedge: kedge models does not accept "too".\n',
  });
});

test("without any key the user is told how to get on", async () => {
  writeFileSync(join(bench.home, "config.json"), "{}");
  const { code, stdout, stderr } = await models("--json");
  expect(code).toBe(0);
  expect(providersOf(JSON.parse(stdout))).toEqual([]);
  expect(stderr).toBe(
    stdout === "[]\n"
      ? "kedge: No usable models. Add a key with kedge auth login <provider>, or list all providers with kedge models --all.\n"
      : "",
  );
});

test("a provider whose models nobody lists", async () => {
  const provider = { bare: { api: "openai-chat", baseURL: bench.model.baseUrl } };
  writeFileSync(join(bench.home, "config.json"), JSON.stringify({ provider }));
  expect(await models("bare")).toEqual({
    code: 0,
    stdout: "",
    stderr: "kedge: This provider does not list its models. Any model name is accepted.\n",
  });
});

test("a newer list is asked for, kept on disk and used; a worse one is not", async () => {
  const file = join(bench.home, "cache", "models.jsonl");
  expect((await models("newcomer")).code).toBe(1);
  expect(requests).toBe(0);
  const refreshed = await models("newcomer --refresh");
  expect(refreshed).toMatchObject({ code: 0, stderr: "" });
  expect(refreshed.stdout).toMatch(/^newcomer\/one {2}The One +10,000 +5,000 +1 +2 /m);
  expect(readdirSync(join(bench.home, "cache")).filter((name) => name.startsWith("models"))).toEqual(["models.jsonl"]);
  const kept = readFileSync(file, "utf8");
  for (const [bad, reason] of [
    [{ status: 200, body: "<html>" }, "the response is not a list of providers"],
    [{ status: 200, body: "{}" }, "the response lists only 0 providers"],
    [{ status: 503, body: "" }, "the answer has status 503"],
  ] as const) {
    answer = bad;
    const { code, stdout, stderr } = await models("newcomer --refresh");
    expect({ code, stderr }).toEqual({ code: 0, stderr: `kedge: Could not refresh the model list: ${reason}.\n` });
    expect(stdout).toContain("newcomer/one");
    expect(readFileSync(file, "utf8")).toBe(kept);
  }
  expect(requests).toBe(4);
  expect(providersOf(await entries("", { NEWCOMER_API_KEY: "key-of-the-test" }))).toEqual(["own", "newcomer"]);
});

test("a list that is switched off is not asked for", async () => {
  expect((await models("own --refresh", { KEDGE_CATALOGUE_URL: "off" })).stderr).toBe(
    "kedge: Could not refresh the model list: KEDGE_CATALOGUE_URL is off.\n",
  );
  expect(existsSync(join(bench.home, "cache", "models.jsonl"))).toBe(false);
});

test("Ctrl+C ends the wait for a list that does not come", async () => {
  answer = undefined;
  const isAsked = new Promise<void>((resolve) => {
    wasAsked = resolve;
  });
  const settings = join(bench.directory, "catalogue.json");
  writeFileSync(settings, JSON.stringify({ catalogue: { url: environmentWith().KEDGE_CATALOGUE_URL } }));
  const child = bench.start(["models", "--refresh", "--settings", settings]);
  const over = ended(child);
  await isAsked;
  child.kill("SIGINT");
  expect(await over).toEqual({ code: 130, stdout: "", stderr: "" });
});
