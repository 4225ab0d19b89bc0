/** Proves that servers of every agent get one form, and that no secret and no wider right comes along. */
import { expect, test } from "vitest";
import { noFindings } from "./findings.ts";
import { convertServers } from "./mcp-servers.ts";

const secret = "the-secret-value";

function convert(servers: unknown, remoteType: "http" | "sse" = "http") {
  const findings = noFindings();
  const folder = {
    ...({ scope: "user", path: "/u/.claude", projectRoot: "/p", userDirectory: "/u" } as const),
    shown: (path: string) => path,
    redact: (text: string) => text.replaceAll(secret, "[REDACTED]"),
  };
  convertServers(servers, { layer: "user", from: { file: "f", key: "mcp" }, folder, remoteType }, findings);
  return {
    servers: Object.fromEntries(findings.settings.map(({ path, value }) => [path.join("."), value])),
    notes: findings.notes.map(({ kind, key, why, remedy }) => [kind, key, remedy ?? why].join(" | ")),
  };
}

test.each([
  [
    "Claude Code",
    { command: "npx", args: ["-y", "x"], env: { A: "b" } },
    { type: "stdio", command: "npx", args: ["-y", "x"], env: { A: "b" } },
  ],
  [
    "OpenCode",
    { command: ["npx", "-y", "x"], environment: { A: "b" }, enabled: false },
    { type: "stdio", command: "npx", args: ["-y", "x"], env: { A: "b" }, enabled: false },
  ],
  [
    "Codex",
    {
      url: "https://a.dev/mcp",
      bearer_token_env_var: "TOKEN",
      http_headers: { X: "y" },
      env_http_headers: { Z: "ZED" },
    },
    {
      type: "http",
      url: "https://a.dev/mcp",
      headers: { X: "y", Z: "{env:ZED}", Authorization: "Bearer {env:TOKEN}" },
    },
  ],
  [
    "Gemini CLI",
    { httpUrl: "https://a.dev/mcp", headers: { Authorization: "Bearer $" + "{TOKEN}" } },
    { type: "http", url: "https://a.dev/mcp", headers: { Authorization: "Bearer {env:TOKEN}" } },
  ],
  ["a remote type", { type: "remote", url: "https://a.dev/mcp" }, { type: "http", url: "https://a.dev/mcp" }],
  [
    "a streamable type",
    { type: "streamable-http", url: "https://a.dev/mcp" },
    { type: "http", url: "https://a.dev/mcp" },
  ],
])("a server as %s writes it", (_, given, expected) => {
  expect(convert({ a: given })).toEqual({ servers: { "mcp.a": expected }, notes: [] });
});

test("an address without a type is what the agent means by it", () => {
  expect(convert({ a: { url: "https://a.dev" } }, "sse").servers).toEqual({
    "mcp.a": { type: "sse", url: "https://a.dev" },
  });
});

test("secrets become names of variables, or keep the server out", () => {
  expect(
    convert({
      named: { command: "x", env: { API_KEY: "plain", OTHER: secret, REFERRED: "$" + "{VAR}" } },
      argument: { command: "x", args: [secret] },
      address: { url: `https://a.dev/?k=${secret}` },
      password: { url: "https://u:p@a.dev" },
    }),
  ).toEqual({
    servers: {
      "mcp.named": {
        type: "stdio",
        command: "x",
        env: { API_KEY: "{env:API_KEY}", OTHER: "{env:OTHER}", REFERRED: "{env:VAR}" },
      },
    },
    notes: [
      "secret | mcp.named.API_KEY | Set API_KEY.",
      "secret | mcp.named.OTHER | Set OTHER.",
      "unsupported | mcp.argument | has a secret among its arguments",
      "unsupported | mcp.address | has a secret in its URL",
      "unsupported | mcp.password | has a secret in its URL",
    ],
  });
});

test("what limits a server or cannot be told keeps it out", () => {
  expect(
    convert({
      limited: { command: "x", excludeTools: ["rm"] },
      helped: { url: "https://a.dev", headersHelper: "x.sh" },
      strange: { type: "carrier-pigeon", url: "https://a.dev" },
      empty: {},
      "a.b": { command: "x" },
      text: "x",
      trusting: { command: "x", trust: true, timeout: 5 },
    }),
  ).toEqual({
    servers: { "mcp.trusting": { type: "stdio", command: "x" } },
    notes: [
      "unsupported | mcp.limited | has excludeTools, which has no equivalent in kedge",
      "unsupported | mcp.helped | has headersHelper, which has no equivalent in kedge",
      "unsupported | mcp.strange | has an unknown type",
      "unsupported | mcp.empty | has neither a command nor a URL",
      "unsupported | mcp.a.b | Rename it.",
      "unsupported | mcp.text | must be an object",
      "unsupported | mcp.trusting.trust | is left out",
      "unsupported | mcp.trusting.timeout | is left out",
    ],
  });
});

test("a variable with a default stays one, unless the default is a secret", () => {
  const fallback = (text: string) => `$${`{B:-${text}}`}`;
  expect(
    convert({
      kept: { command: "x", env: { A: fallback("c"), KEY: fallback("") } },
      hidden: { command: "x", env: { API_KEY: fallback("c") } },
    }),
  ).toEqual({
    servers: {
      "mcp.kept": { type: "stdio", command: "x", env: { A: fallback("c"), KEY: fallback("") } },
      "mcp.hidden": { type: "stdio", command: "x", env: { API_KEY: "{env:API_KEY}" } },
    },
    notes: ["secret | mcp.hidden.API_KEY | Set API_KEY."],
  });
});
