/** Proves `kedge auth` end to end: keys are checked, kept for their owner, used, and never shown. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { MockScript } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";
import { openWorkbench, type RunOptions, type Workbench } from "./workbench.ts";

/** In no form that a key is known by. */
const key = "zq81-0123456789-abcdef";
const beginning = key.slice(0, 4);
/** Keeps the machine's own keyring out of it. */
const environment = { KEDGE_KEYRING: "off" };
const keptInFile = "Saved the key for mine in a file only you can read.\n";

let vendor: Server;
let vendorUrl = "";
/** What the vendor was asked, and with which key. */
let asked: string[] = [];
/** Called when the vendor is asked; it then keeps the question to itself. */
let keepSilent: (() => void) | undefined;
let bench: Workbench | undefined;
let terminal: Terminal | undefined;

beforeEach(async () => {
  asked = [];
  keepSilent = undefined;
  vendor = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    if (keepSilent !== undefined) return keepSilent();
    const isKnown = request.headers.authorization === `Bearer ${key}`;
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(isKnown ? '{"object":"list","data":[]}' : '{"error":{"message":"Incorrect API key."}}');
  });
  await new Promise<void>((listening) => vendor.listen(0, "127.0.0.1", listening));
  vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;
});

afterEach(async () => {
  await terminal?.close();
  await bench?.close();
  terminal = undefined;
  bench = undefined;
  vendor.closeAllConnections();
  await new Promise((closed) => vendor.close(closed));
});

/** `mine` is the vendor of the test, `models` the mock model, neither with a key in the configuration. */
async function openBench(script: MockScript = []): Promise<Workbench> {
  const opened = await openWorkbench(script);
  const provider = {
    mine: { api: "openai-chat", baseURL: vendorUrl },
    model: { api: "openai-chat", baseURL: opened.model.baseUrl },
    keyed: { api: "openai-chat", baseURL: vendorUrl, apiKey: "key-of-the-configuration" },
  };
  writeFileSync(join(opened.home, "config.json"), JSON.stringify({ model: "model/mock-model", provider }));
  bench = opened;
  return opened;
}

function auth(words: string, options: RunOptions = {}) {
  return bench?.run(["auth", ...words.split(" ")], {
    ...options,
    environment: { ...environment, ...options.environment },
  });
}

const credentialFile = () => join(bench?.home ?? "", "credentials.json");
const storedKeys = () => JSON.parse(readFileSync(credentialFile(), "utf8")).keys;

test("a piped key is checked with the vendor, stored for its owner only, listed without itself, and removed", async () => {
  await openBench();
  expect(await auth("login mine", { input: `  ${key}\n` })).toEqual({ code: 0, stdout: keptInFile, stderr: "" });
  expect(asked).toEqual([`GET /v1/models Bearer ${key}`]);
  expect(storedKeys()).toEqual({ mine: { storage: "file", key } });
  expect(statSync(credentialFile()).mode & 0o777).toBe(0o600);
  expect(await auth("list")).toEqual({ code: 0, stdout: "mine  file\n", stderr: "" });
  expect(await auth("list --json")).toEqual({
    code: 0,
    stdout: '[{"provider":"mine","storage":"file","inUse":true}]\n',
    stderr: "",
  });
  expect(await auth("logout mine")).toEqual({ code: 0, stdout: "Removed the key for mine.\n", stderr: "" });
  expect(storedKeys()).toEqual({});
  expect(await auth("logout mine")).toEqual({
    code: 1,
    stdout: "",
    stderr: 'kedge: No key saved for "mine". List saved keys with kedge auth list.\n',
  });
  expect(await auth("list")).toEqual({
    code: 0,
    stdout: "",
    stderr: "kedge: No keys saved. Add one with kedge auth login <provider>.\n",
  });
});

test("a key that the vendor rejects is not stored, unless nobody asks the vendor", async () => {
  await openBench();
  expect(await auth("login mine", { input: "wrong-key" })).toEqual({
    code: 1,
    stdout: "",
    stderr: "kedge: Not saved: mine rejected the key (status 401). To save it anyway, pass --no-verify.\n",
  });
  expect(existsSync(credentialFile())).toBe(false);
  expect(await auth("login mine --no-verify", { input: "wrong-key" })).toEqual({
    code: 0,
    stdout: keptInFile,
    stderr: "",
  });
  expect(storedKeys()).toEqual({ mine: { storage: "file", key: "wrong-key" } });
  expect(asked).toEqual(["GET /v1/models Bearer wrong-key"]);
});

test("a rejected key leaves the one that is stored", async () => {
  await openBench();
  await auth("login mine", { input: key });
  expect(await auth("login mine", { input: "wrong-key" })).toMatchObject({ code: 1 });
  expect(storedKeys()).toEqual({ mine: { storage: "file", key } });
});

test("a vendor that cannot be asked does not stand in the way", async () => {
  await openBench();
  const settings = join(bench?.directory ?? "", "away.json");
  writeFileSync(
    settings,
    JSON.stringify({ provider: { mine: { api: "openai-chat", baseURL: "http://127.0.0.1:9" } } }),
  );
  expect(await auth(`login mine --settings ${settings}`, { input: key })).toEqual({
    code: 0,
    stdout: keptInFile,
    stderr: "kedge: Could not verify the key: ECONNREFUSED.\n",
  });
  expect(storedKeys()).toEqual({ mine: { storage: "file", key } });
});

test.each([
  ["login mistrall", key, 1, 'Unknown provider "mistrall". Did you mean mistral?'],
  ["login constructor", key, 1, 'Unknown provider "constructor". List providers with kedge models --all.'],
  ["logout constructor", "", 1, 'No key saved for "constructor". List saved keys with kedge auth list.'],
  ["login ollama", key, 2, "Ollama runs on this machine and does not need a key."],
  ["login mine", "", 2, "No key entered. Type it, or pipe it to standard input."],
  ["login mine", " \n\n", 2, "No key entered. Type it, or pipe it to standard input."],
  ["login mine", "two\nlines", 2, "Not saved: a key is one line of printable characters."],
  ["login mine", "x\u001b[A", 2, "Not saved: a key is one line of printable characters."],
  ["login", key, 2, "kedge auth login needs a provider, such as anthropic."],
  ["login mine again", key, 2, 'kedge auth login does not accept "again".'],
  ["list mine", "", 2, 'kedge auth list does not accept "mine".'],
  ["lock", "", 2, "kedge auth needs an action: login, logout, list, status."],
  ["login mine device", key, 1, "No sign-in device for mine."],
  ["login mine key again", key, 2, 'kedge auth login does not accept "again".'],
  ["status nobody", "", 1, 'Unknown provider "nobody". List providers with kedge models --all.'],
])("kedge auth %s with %j exits %i and stores nothing", async (words, input, code, sentence) => {
  await openBench();
  expect(await auth(words, { input })).toEqual({ code, stdout: "", stderr: `kedge: ${sentence}\n` });
  expect(asked).toEqual([]);
  expect(existsSync(credentialFile())).toBe(false);
});

test("whatever is used in place of a stored key is named", async () => {
  await openBench();
  const variables = { environment: { OPENAI_API_KEY: "key-of-the-variable" } };
  expect(await auth("login openai --no-verify", { input: key, ...variables })).toEqual({
    code: 0,
    stdout: "Saved the key for openai in a file only you can read.\n",
    stderr: "kedge: OPENAI_API_KEY takes precedence.\n",
  });
  expect(await auth("login keyed --no-verify", { input: key })).toMatchObject({
    code: 0,
    stderr: "kedge: The key in your settings takes precedence.\n",
  });
  const listed = await auth("list", variables);
  expect(listed).toEqual({
    code: 0,
    stdout: "openai  file (not used)\nkeyed   file (not used)\nopenai  OPENAI_API_KEY\n",
    stderr: "",
  });
});

test("a damaged file of keys is named and kept", async () => {
  await openBench();
  writeFileSync(credentialFile(), "{ half", { mode: 0o600 });
  expect(await auth("login mine", { input: key })).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("credentials.json: it is not valid JSON."),
  });
  expect(readFileSync(credentialFile(), "utf8")).toBe("{ half");
});

test("a typed key is never on the screen, and the terminal is left as it was", async () => {
  terminal = openTerminal(await openBench(), ["auth", "login", "mine"]);
  await terminal.shows("API key for mine: ");
  terminal.type(`${key}xy`);
  terminal.press("BSpace");
  terminal.press("BSpace");
  terminal.press("Enter");
  expect(await terminal.ended()).toBe(0);
  expect(storedKeys()).toEqual({ mine: { storage: "file", key } });
  expect(await terminal.shows(keptInFile.trim())).not.toContain(beginning);
  expect(terminal.written()).not.toContain(beginning);
  expect(terminal.isRestored()).toBe(true);
});

test("a line that is begun anew counts from there", async () => {
  terminal = openTerminal(await openBench(), ["auth", "login", "mine", "--no-verify"]);
  await terminal.shows("API key for mine: ");
  terminal.type("mistyped");
  terminal.press("C-u");
  terminal.type(key);
  terminal.press("Enter");
  expect(await terminal.ended()).toBe(0);
  expect(storedKeys()).toEqual({ mine: { storage: "file", key } });
});

test("Ctrl+C while a key is typed stores nothing, and leaves the terminal as it was", async () => {
  terminal = openTerminal(await openBench(), ["auth", "login", "mine"]);
  await terminal.shows("API key for mine: ");
  terminal.type(key);
  terminal.press("C-c");
  expect(await terminal.ended()).toBe(130);
  expect(asked).toEqual([]);
  expect(existsSync(credentialFile())).toBe(false);
  expect(terminal.written()).not.toContain(beginning);
  expect(terminal.isRestored()).toBe(true);
});

test("Ctrl+C while the vendor is asked stores nothing", async () => {
  const opened = await openBench();
  const isAsked = new Promise<void>((resolve) => {
    keepSilent = resolve;
  });
  terminal = openTerminal(opened, ["auth", "login", "mine"]);
  await terminal.shows("API key for mine: ");
  terminal.type(key);
  terminal.press("Enter");
  await isAsked;
  terminal.press("C-c");
  expect(await terminal.ended()).toBe(130);
  expect(existsSync(credentialFile())).toBe(false);
  expect(terminal.isRestored()).toBe(true);
});

test("a stored key is sent with a prompt, and taken out of the words in which a tool fails", async () => {
  const nearly = key.replace("abcdef", "abcde");
  const { project, model, run } = await openBench([
    { toolCalls: [{ name: "read", input: { filePath: `${nearly}.txt` } }] },
    { text: "Seen." },
  ]);
  writeFileSync(join(project, `${key}.txt`), "");
  await auth("login model --no-verify", { input: key });
  const { code, stdout } = await run(["-p", "go"], { environment });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Seen.\n" });
  expect(model.requests.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill(`Bearer ${key}`));
  expect(model.requests[1]?.body.messages?.at(-1)?.content).toContain("[REDACTED:credential].txt");
  expect(model.requests[1]?.raw.toString()).not.toContain(key);
});

test("a stored key is taken out of what a vendor says about a failed call", async () => {
  const { run } = await openBench([{ status: 400, body: `{"error":{"message":"Nobody knows ${key} here."}}` }]);
  await auth("login model --no-verify", { input: key });
  const { code, stdout, stderr } = await run(["-p", "go"], { environment });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("Nobody knows [secret] here.");
});

test("no mode lets a model read the file of keys", async () => {
  const { model, run } = await openBench((_, turnIndex) => {
    if (turnIndex > 0) return { text: "As you wish." };
    const command = `cat ${credentialFile()}`;
    return {
      toolCalls: [
        { name: "read", input: { filePath: credentialFile() } },
        { name: "bash", input: { command, description: "Shows the keys" } },
      ],
    };
  });
  await auth("login model --no-verify", { input: key });
  // The mode is refused for root outside a container.
  const contained = { ...environment, KUBERNETES_SERVICE_HOST: "127.0.0.1" };
  const { code } = await run(["-p", "go", "--dangerously-skip-permissions"], { environment: contained });
  expect(code).toBe(0);
  const results = model.requests[1]?.body.messages?.filter(({ role }) => role === "tool") ?? [];
  expect(results.map(({ content }) => content)).toEqual([
    expect.stringContaining("credentials.json"),
    expect.stringContaining("credentials.json"),
  ]);
  expect(model.requests[1]?.raw.toString()).not.toContain(key);
});
