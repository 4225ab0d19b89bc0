/** Proves that every spelling of a server gives the same server, and that a wrong one costs itself alone. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of configuration files
import { describe, expect, test } from "vitest";
import { readServers } from "../../src/mcp/configuration/read-servers.ts";

const variables: { readonly [name: string]: string } = { TOKEN: "t0k", EMPTY: "" };
const origin = {
  scope: "user",
  file: "config.json",
  variable: (name: string) => variables[name],
  readFile: (path: string) => (path === "~/key" ? "from-file" : undefined),
} as const;

const read = (value: unknown) => readServers(value, origin);

describe("a server that is started", () => {
  const fields = { type: "stdio", command: "npx", args: ["-y", "files"], env: { A: "1" } };
  const [wanted] = read({ files: fields }).servers;

  test.each([
    ["in mcpServers", { mcpServers: { files: { ...fields, type: undefined } } }],
    ["in servers", { servers: { files: fields } }],
    ["in mcp", { mcp: { files: fields } }],
    ["in mcp.servers", { mcp: { servers: { files: fields } } }],
    ["command as one array", { files: { command: ["npx", "-y", "files"], env: { A: "1" } } }],
    ["OpenCode's words", { mcp: { files: { type: "local", command: ["npx", "-y", "files"], environment: { A: 1 } } } }],
    ["enabled in so many words", { files: { ...fields, enabled: true } }],
    ["Codex's table", { model: "m", mcp_servers: { files: { ...fields, type: undefined } } }],
    ["Zed's object", { context_servers: { files: { ...fields, type: undefined, source: "custom" } } }],
    ["Zed's older object", { context_servers: { files: { command: { ...fields, path: "npx" }, settings: {} } } }],
    ["Amp's key", { "amp.mcpServers": { files: fields } }],
    ["Continue's list", { mcpServers: [{ name: "files", ...fields }] }],
    [
      "Goose's words",
      { extensions: { files: { type: "stdio", cmd: "npx", args: fields.args, envs: { A: "1" }, enabled: true } } },
    ],
    ["Copilot's words", { mcpServers: { files: { ...fields, type: "local", tools: ["*"] } } }],
  ])("%s", (_, value) => {
    expect(read(value)).toEqual({ servers: [wanted], unused: [] });
  });

  test("is the one that was written", () => {
    expect(wanted).toEqual({
      ...{ name: "files", scope: "user", file: "config.json" },
      transport: { type: "stdio", command: "npx", args: ["-y", "files"], env: { A: "1" } },
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe("a server at an address", () => {
  const fields = { type: "http", url: "https://a.test/mcp", headers: { authorization: "Bearer ${TOKEN}" } };
  const [wanted] = read({ docs: fields }).servers;

  test.each([
    ["without a type", { docs: { url: fields.url, headers: fields.headers } }],
    ["remote", { docs: { ...fields, type: "remote" } }],
    ["streamable-http", { docs: { ...fields, type: "streamable-http" } }],
    ["httpUrl", { docs: { httpUrl: fields.url, headers: fields.headers } }],
    ["streamable_http and a uri", { docs: { type: "streamable_http", uri: fields.url, headers: fields.headers } }],
    ["serverUrl", { docs: { serverUrl: fields.url, headers: fields.headers } }],
    ["http_headers", { docs: { url: fields.url, http_headers: fields.headers } }],
  ])("%s", (_, value) => {
    expect(read(value)).toEqual({ servers: [wanted], unused: [] });
  });

  test("has its variables filled in, and its signature without them", () => {
    expect(wanted?.transport).toEqual({ type: "http", url: fields.url, headers: { authorization: "Bearer t0k" } });
    const other = readServers({ docs: fields }, { ...origin, variable: () => "another" });
    expect(other.servers[0]?.signature).toBe(wanted?.signature);
    expect(read({ docs: { ...fields, url: "https://b.test/mcp" } }).servers[0]?.signature).not.toBe(wanted?.signature);
  });
});

test.each([
  [{ bearer_token_env_var: "TOKEN" }, { Authorization: "Bearer t0k" }],
  [
    { env_http_headers: { "X-Key": "TOKEN" }, http_headers: { A: "b" } },
    { A: "b", "X-Key": "t0k" },
  ],
  [{ headers: { "X-Key": "$TOKEN" } }, { "X-Key": "t0k" }],
  [{ headers: { Authorization: "Bearer ${env:TOKEN}" } }, { Authorization: "Bearer t0k" }],
])("%j become headers", (fields, headers) => {
  expect(read({ a: { url: "https://a.test", ...fields } }).servers[0]?.transport).toMatchObject({ headers });
});

test.each([
  [{ enabled_tools: ["x"] }, { includeTools: ["x"] }],
  [{ tools: ["x"] }, { includeTools: ["x"] }],
  [{ disabledTools: ["x"] }, { excludeTools: ["x"] }],
  [{ tool_timeout_sec: 45 }, { timeoutMs: 45_000 }],
  [
    { oauth: { clientId: "${TOKEN}", clientSecret: "{env:TOKEN}" } },
    { oauth: { clientId: "t0k", clientSecret: "t0k" } },
  ],
  [{ auth: { CLIENT_ID: "c", scopes: ["r", "w"] } }, { oauth: { clientId: "c", scope: "r w" } }],
])("%j means %j", (fields, wanted) => {
  expect(read({ a: { url: "https://a.test", ...fields } }).servers[0]).toMatchObject(wanted);
});

test("variables that are passed on are set only where they exist", () => {
  const { servers } = read({ a: { command: "x", env_vars: ["TOKEN", "NONE"] } });
  expect(servers[0]?.transport).toMatchObject({ env: { TOKEN: "t0k", NONE: "" } });
});

test.each([
  ["${NONE:-standard}", "standard"],
  ["${EMPTY:-standard}", "standard"],
  ["${TOKEN:-standard}", "t0k"],
  ["a{env:TOKEN}b", "at0kb"],
  ["a${env:TOKEN}b", "at0kb"],
  ["{file:~/key}", "from-file"],
  ["$TOKEN ${ TOKEN }", "$TOKEN ${ TOKEN }"],
])("%s becomes %s", (text, filled) => {
  const [server] = read({ a: { command: "x", args: [text] } }).servers;
  expect(server?.transport).toMatchObject({ args: [filled] });
});

test("what is filled in is not read again", () => {
  const nested = readServers({ a: { command: "${A}" } }, { ...origin, variable: () => "${TOKEN}" });
  expect(nested.servers[0]?.transport).toMatchObject({ command: "${TOKEN}" });
});

test.each([
  [{ command: "${NONE}" }, "the variable NONE is not set, or it is a secret that this file may not read"],
  [{ command: "{file:/none}" }, "the file /none cannot be read"],
  [
    { type: "carrier-pigeon", url: "https://a.test" },
    'its type "carrier-pigeon" is unknown; use stdio, http, sse or ws',
  ],
  [{ url: "file:///etc/passwd" }, "its URL must begin with http:// or https://"],
  [{ url: "https://u:p@a.test/" }, "its URL contains a user name or password"],
  [{ type: "ws", url: "https://a.test" }, "its URL must begin with ws:// or wss://"],
  [{}, "it has neither a command nor a URL"],
  [{ command: "" }, "it has no command"],
  [{ command: ["a", 1] }, "its command and args must be strings"],
  [{ command: "a", env: { A: {} } }, "its env must be an object of strings, each of them set"],
  [{ command: "a", timeout: -1 }, "its timeout must be a number of milliseconds, at least 1000"],
  [{ command: "a", timeout: 60 }, "its timeout must be a number of milliseconds, at least 1000"],
  [
    { command: "a", env: { KEY: "${input:key}" } },
    "only an editor can fill in ${input:key}; put the value into a variable and write {env:NAME}",
  ],
  [
    { command: "a", envFile: ".env" },
    "its envFile is not read; name each variable in env, as {env:NAME} or {file:path}",
  ],
  [{ source: "extension", settings: {} }, "it belongs to an extension of an editor; give the command that starts it"],
  [{ command: "a", tools: "all" }, "its includeTools and excludeTools must be lists of tool names"],
  [{ command: "a", enabled: false }, "it is disabled"],
  [{ disabled: true }, "it is disabled"],
  ["text", "it must be an object"],
])("%j is not used, and another one is", (fields, reason) => {
  const { servers, unused } = read({ wrong: fields, right: { command: "x" } });
  expect(servers.map(({ name }) => name)).toEqual(["right"]);
  expect(unused).toEqual([{ name: "wrong", scope: "user", file: "config.json", reason }]);
});

test("a file that may read no files says so", () => {
  const { unused } = readServers(
    { a: { command: "{file:key}" } },
    { scope: "project", file: ".mcp.json", variable: () => undefined },
  );
  expect(unused[0]?.reason).toBe("a project may not use file contents here");
});

test("a value cannot begin another header", () => {
  const { servers } = read({ a: { url: "https://a.test", headers: { x: "1\r\ny: 2" } } });
  expect(servers[0]?.transport).toMatchObject({ headers: { x: "1y: 2" } });
});
