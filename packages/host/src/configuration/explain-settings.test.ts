/** Proves that an explanation names every layer, the one that counts and what is ignored, and never shows a secret. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { explainSettings, type FlagValue, settingsBelow, winnerOf } from "./explain-settings.ts";

let user = "";
let project = "";
beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), "kedge-explain-"));
  project = join(user, "project");
  mkdirSync(project);
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(user, path)), { recursive: true, mode: 0o755 });
  writeFileSync(join(user, path), text, { mode: 0o644 });
}

async function explain(environment: { readonly [name: string]: string } = {}, flags: readonly FlagValue[] = []) {
  const places = { home: join(user, ".kedge"), userDirectory: user, cwd: project, projectRoot: project };
  const managed = { directory: join(user, "etc"), owner: process.getuid?.() ?? 0 };
  const files = ["more.json"];
  write("project/more.json", '{\n  "limits": { "maxTurns": 30 }\n}');
  const outcome = await explainSettings({ ...places, environment, files, isTrusted: true, managed }, flags);
  if (!outcome.ok) throw new Error(outcome.sentence);
  return outcome.explanation;
}

test("every layer is told with its file and line, weakest first, and the policy wins", async () => {
  write(".kedge/config.yml", "# mine\nthinking:\n  maxTokens: 100\n");
  write("project/kedge.json", '{\n  "limits": { "maxTurns": 10 },\n  "thinking": { "maxTokens": 5 }\n}');
  write("project/.kedge/config.local.json", '{ "limits": { "maxTurns": 50, "maxSteps": 3 } }');
  write("etc/managed.json", '{ "thinking": { "maxTokens": 7 } }');
  const explanation = await explain({ KEDGE_MAX_THINKING_TOKENS: "200" }, [
    { flag: "--max-turns", key: "limits.maxTurns", value: 60 },
  ]);
  expect(settingsBelow(explanation, "thinking.maxTokens")).toEqual([
    {
      key: "thinking.maxTokens",
      layers: [
        { layer: "user", from: "~/.kedge/config.yml", value: 100, line: 3 },
        { layer: "environment", from: "KEDGE_MAX_THINKING_TOKENS", value: 200 },
        { layer: "policy", from: "~/etc/managed.json", value: 7, line: 1 },
      ],
      ignored: [
        {
          ...{ layer: "project", from: "kedge.json", value: 5, line: 3 },
          reason: "a project may not decide how much a model reasons and costs",
        },
      ],
    },
  ]);
  expect(settingsBelow(explanation, "limits")).toEqual([
    {
      key: "limits.maxSteps",
      layers: [{ layer: "local", from: ".kedge/config.local.json", value: 3, line: 1 }],
      ignored: [],
    },
    {
      key: "limits.maxTurns",
      layers: [
        { layer: "project", from: "kedge.json", value: 10, line: 2 },
        { layer: "file", from: "more.json", value: 30, line: 2 },
        { layer: "command-line", from: "--max-turns", value: 60 },
      ],
      ignored: [
        {
          ...{ layer: "local", from: ".kedge/config.local.json", value: 50, line: 1 },
          reason: "a project may only lower limits, and raises maxTurns",
        },
      ],
    },
  ]);
  expect(explanation.files.map(({ layer, file }) => [layer, file])).toEqual([
    ["user", "~/.kedge/config.yml"],
    ["project", "kedge.json"],
    ["local", ".kedge/config.local.json"],
    ["file", "more.json"],
    ["policy", "~/etc/managed.json"],
  ]);
});

test("null takes back a value, or a whole group; the default counts again", async () => {
  const provider = { own: { api: "openai-chat", baseURL: "http://x.invalid" } };
  write(".kedge/config.json", JSON.stringify({ sandbox: { mode: "on" }, provider }));
  write("etc/managed.json", '{ "sandbox": { "mode": null }, "provider": { "own": null } }');
  const explanation = await explain();
  const winners = ["sandbox.mode", "provider.own.api"].map((key) => settingsBelow(explanation, key).map(winnerOf));
  expect(winners).toEqual([[{ layer: "default", value: "off" }], [undefined]]);
});

test("no key, header, option or password of an address is ever shown, nor what a variable was filled in with", async () => {
  const secret = "s3cr3t-value";
  const provider = {
    own: {
      ...{ api: "openai-chat", baseURL: `https://me:${secret}@x.invalid/v1`, apiKey: secret },
      ...{ headers: { authorization: secret }, options: { deep: { token: secret } } },
    },
    named: { api: "openai-chat", baseURL: "https://{env:HOST}/v1", apiKey: "{env:KEY}" },
  };
  const network = { proxy: `http://me:${secret}@proxy.invalid` };
  const web = { search: { kind: "brave", url: "https://x.invalid", apiKey: secret } };
  write(".kedge/config.json", JSON.stringify({ provider, network, web, notASetting: { key: secret } }));
  write("project/kedge.json", JSON.stringify({ provider, web }));
  const explanation = await explain({ KEY: secret, HOST: secret });
  expect(JSON.stringify(explanation)).not.toContain(secret);
  expect(settingsBelow(explanation, "provider.named.baseURL").map(winnerOf)).toEqual([
    { layer: "user", from: "~/.kedge/config.json", value: "https://{env:HOST}/v1", line: 1 },
  ]);
  expect(settingsBelow(explanation, "provider.own.apiKey").map(winnerOf)).toEqual([
    { layer: "user", from: "~/.kedge/config.json", value: null, isHidden: true, line: 1 },
  ]);
});
