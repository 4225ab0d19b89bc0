/** Proves what the console does when it starts: it refreshes the list of models beside the user, says who pays, and waits. */
import { existsSync, mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { MockScript } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";
import { appeared, ended, openWorkbench, type Workbench } from "./workbench.ts";

const list = {
  newcomer: {
    npm: "@ai-sdk/openai-compatible",
    api: "https://newcomer.invalid/v1",
    env: ["NEWCOMER_API_KEY"],
    models: { one: { limit: { context: 10, output: 5 }, cost: { input: 1, output: 2 } } },
  },
};

let bench: Workbench | undefined;
let terminal: Terminal | undefined;
let server: Server;
let url = "";
let requests = 0;
/** What the source of the list answers; nothing at all while it is undefined. */
let answer: { readonly status: number; readonly body: string } | undefined;
let wasAsked: () => void = () => {};
let wasLeft: () => void = () => {};

beforeEach(async () => {
  requests = 0;
  answer = { status: 200, body: JSON.stringify(list) };
  server = createServer((request, response) => {
    requests++;
    wasAsked();
    request.socket.on("close", () => wasLeft());
    if (answer !== undefined) response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`;
});

afterEach(async () => {
  await terminal?.close();
  await bench?.close();
  terminal = undefined;
  bench = undefined;
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

async function openBench(script: MockScript = [], settings: { readonly [name: string]: unknown } = {}) {
  bench = await openWorkbench(script, settings);
  mkdirSync(join(bench.home, "cache"), { recursive: true });
  return bench;
}

const listFile = ({ home }: Workbench) => join(home, "cache", "models.jsonl");

/** Resolves once the file is there. */
function listArrived(opened: Workbench): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(join(opened.home, "cache"), look);
    function look(): void {
      if (!existsSync(listFile(opened))) return;
      watcher.close();
      resolve();
    }
    look();
  });
}

function startConsole(opened: Workbench, catalogueUrl: string, argv: readonly string[] = ["--console"]): Terminal {
  terminal = openTerminal(opened, argv, { environment: { KEDGE_CATALOGUE_URL: catalogueUrl } });
  return terminal;
}

/** Types one command, waits for its answer, and leaves. */
async function useAndLeave(opened: Terminal): Promise<number> {
  await opened.shows("> ");
  opened.type("/status");
  opened.press("Enter");
  await opened.shows("directory  ");
  opened.type("/exit");
  opened.press("Enter");
  return opened.ended();
}

test("the list of models is refreshed once a day, in the background", async () => {
  const opened = await openBench();
  const arrived = listArrived(opened);
  const first = startConsole(opened, url);
  await arrived;
  expect(readFileSync(listFile(opened), "utf8")).toContain('{"id":"newcomer"');
  expect(await useAndLeave(first)).toBe(0);
  await first.close();
  expect(await useAndLeave(startConsole(opened, url))).toBe(0);
  expect(requests).toBe(1);
});

test("a list that never comes holds nobody up", async () => {
  answer = undefined;
  const opened = await openBench([{ text: "The answer." }]);
  const isAsked = new Promise<void>((resolve) => {
    wasAsked = resolve;
  });
  const isLeft = new Promise<void>((resolve) => {
    wasLeft = resolve;
  });
  const first = startConsole(opened, url, ["--console", "a prompt"]);
  await isAsked;
  await first.shows("The answer.");
  expect(await useAndLeave(first)).toBe(0);
  await isLeft;
  expect(existsSync(listFile(opened))).toBe(false);
});

test.each([
  { status: 500, body: "" },
  { status: 200, body: "<html>" },
])("a bad answer is not talked about: %j", async (bad) => {
  answer = bad;
  const opened = await openBench();
  const isLeft = new Promise<void>((resolve) => {
    wasLeft = resolve;
  });
  const first = startConsole(opened, url);
  await isLeft;
  expect(await useAndLeave(first)).toBe(0);
  expect(first.written()).not.toMatch(/list of models|refresh|unexpected/);
  expect(existsSync(listFile(opened))).toBe(false);
});

test("a list that cannot be stored is not talked about", async () => {
  const opened = await openBench();
  mkdirSync(listFile(opened));
  const first = startConsole(opened, url);
  expect(await useAndLeave(first)).toBe(0);
  expect(first.written()).not.toMatch(/EISDIR|unexpected/);
});

test.each([
  ["by the variable", "off", {}],
  ["by the configuration", "", { refresh: false }],
])("switched off %s, nothing is asked", async (_, variable, setting) => {
  const opened = await openBench([], { catalogue: { url, ...setting } });
  expect(await useAndLeave(startConsole(opened, variable))).toBe(0);
  expect(requests).toBe(0);
});

test("a console that is piped into asks nothing", async () => {
  const { run } = await openBench([{ text: "The answer." }]);
  const { code, stdout } = await run(["--console"], {
    input: "a prompt\n/status\n",
    environment: { KEDGE_CATALOGUE_URL: url },
  });
  expect(code).toBe(0);
  expect(stdout).toContain("The answer.");
  expect(requests).toBe(0);
});

test("a console that is left alone sends nothing", async () => {
  const { model, ...opened } = await openBench();
  expect(await useAndLeave(startConsole({ model, ...opened }, "off"))).toBe(0);
  const child = opened.start(["--console"]);
  const over = ended(child);
  const shown = appeared(child, "directory  ");
  child.stdin.write("/status\n");
  await shown;
  expect({ requests: model.requests, connections: model.acceptedSockets() }).toEqual({ requests: [], connections: 0 });
  child.stdin.end();
  expect((await over).code).toBe(0);
  expect(model.acceptedSockets()).toBe(0);
});

/** `openai` has a variable of its own in the catalogue. */
async function openOpenAi(stored: object | string) {
  const opened = await openBench([{ text: "The answer." }]);
  const provider = { openai: { api: "openai-chat", baseURL: opened.model.baseUrl } };
  writeFileSync(join(opened.home, "config.json"), JSON.stringify({ model: "openai/mock-model", provider }));
  const text = typeof stored === "string" ? stored : JSON.stringify({ format: 1, keys: stored });
  writeFileSync(join(opened.home, "credentials.json"), text, { mode: 0o600 });
  return opened;
}

const storedKey = { openai: { storage: "file", key: "stored-key-of-the-test" } };
const notice = "(billed to OPENAI_API_KEY from the environment, not to the saved key)\n";

test("a variable that pays in place of the stored key is named once", async () => {
  const { run, model } = await openOpenAi(storedKey);
  const environment = { KEDGE_KEYRING: "off", OPENAI_API_KEY: "variable-key-of-the-test" };
  const { code, stdout } = await run(["--console"], { input: "first\nsecond\n", environment });
  expect(code).toBe(0);
  expect(stdout.split(notice)).toHaveLength(2);
  expect(stdout.indexOf(notice)).toBeLessThan(stdout.indexOf("> first"));
  expect(model.requests[0]?.headers.authorization).toBe("Bearer variable-key-of-the-test");
});

test.each<[string, object, { readonly [name: string]: string }]>([
  ["only the stored key", storedKey, {}],
  ["only the variable", {}, { OPENAI_API_KEY: "variable-key-of-the-test" }],
  ["the same key in both", storedKey, { OPENAI_API_KEY: "stored-key-of-the-test" }],
])("nothing is said about %s", async (_, stored, variables) => {
  const { run } = await openOpenAi(stored);
  const environment = { KEDGE_KEYRING: "off", ...variables };
  const { code, stdout } = await run(["--console"], { input: "first\n", environment });
  expect(code).toBe(0);
  expect(stdout).not.toContain("billed to");
});

test("damaged stored keys are named, and the variable is enough to go on", async () => {
  const { run } = await openOpenAi("{ half");
  const environment = { KEDGE_KEYRING: "off", OPENAI_API_KEY: "variable-key-of-the-test" };
  const { code, stdout } = await run(["--console"], { input: "first\n", environment });
  expect(code).toBe(0);
  expect(stdout).toContain("credentials.json: it is not valid JSON.");
  expect(stdout).toContain("The answer.");
});

test("an effort is confirmed, and a limit of tokens stays beside it", async () => {
  const { run, home, model } = await openBench([{ text: "One." }, { text: "Two." }]);
  const provider = {
    mock: {
      api: "anthropic",
      baseURL: model.baseUrl,
      apiKey: "key-of-the-test",
      models: { "mock-model": { context: 200_000, output: 64_000, reasoning: "budget" } },
    },
  };
  const thinking = { effort: "low", maxTokens: 3_000 };
  const settings = { model: "mock/mock-model", provider, thinking, titles: { enabled: false } };
  writeFileSync(join(home, "config.json"), JSON.stringify(settings));
  const { stdout } = await run(["--console"], { input: "first\n/effort max\nsecond\n/effort much\n" });
  expect(stdout).toContain("(effort: max)\n");
  expect(stdout).toContain("Usage: /effort off|minimal|low|medium|high|max.\n");
  const budgets = model.requests.map(({ raw }) => JSON.parse(raw.toString()).thinking);
  expect(budgets[1]).toMatchObject({ budget_tokens: 3_000 });
});
