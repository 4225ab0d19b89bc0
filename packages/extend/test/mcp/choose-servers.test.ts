/** Proves which of several servers counts: by scope, by lists, and by approval. */
import { describe, expect, test } from "vitest";
import { chooseServers } from "../../src/mcp/configuration/choose-servers.ts";
import { readServers } from "../../src/mcp/configuration/read-servers.ts";
import { refuseServer, type ServerEntry } from "../../src/mcp/configuration/server-lists.ts";
import type { McpScope, McpServer } from "../../src/mcp/server.ts";

const of = (scope: McpScope, value: unknown) => readServers(value, { scope, file: scope, variable: () => undefined });
const none = { denied: [] };
const used = ({ servers }: { readonly servers: readonly McpServer[] }) =>
  servers.map(({ name, scope }) => [name, scope]);

test("local wins over project over user, and each loser says who won", () => {
  const found = [
    of("user", { a: { command: "u" } }),
    of("project", { a: { command: "p" } }),
    of("local", { a: { command: "l" } }),
  ];
  const chosen = chooseServers({ found, lists: none, isApproved: () => true });
  expect(used(chosen)).toEqual([["a", "local"]]);
  expect(chosen.unused.map(({ scope, reason }) => [scope, reason])).toEqual([
    ["project", "overridden by a server of the same name from local"],
    ["user", "overridden by a server of the same name from local"],
  ]);
});

test("where the managed policy names servers, nothing else counts", () => {
  const found = [
    of("user", { a: { command: "u" } }),
    of("dynamic", { d: { command: "d" } }),
    of("enterprise", { e: { command: "e" } }),
  ];
  const chosen = chooseServers({ found, lists: none, isApproved: () => true });
  expect(used(chosen)).toEqual([["e", "enterprise"]]);
  expect(chosen.unused.map(({ name }) => name)).toEqual(["a", "d"]);
});

test.each([
  ["switched off", { a: { enabled: false } }],
  ["broken", { a: { command: 1 } }],
  ["not approved", { a: { command: "evil" } }],
])("a stronger one that is %s keeps its name", (_, value) => {
  const found = [of("user", { a: { command: "u" } }), of("local", value)];
  expect(chooseServers({ found, lists: none, isApproved: () => false }).servers).toEqual([]);
});

test("an approval holds for the very command and for no other", () => {
  const [approved] = of("project", { a: { command: "x", args: ["1"] } }).servers;
  const isApproved = ({ signature }: McpServer) => signature === approved?.signature;
  const choose = (value: unknown) => chooseServers({ found: [of("project", { a: value })], lists: none, isApproved });
  expect(used(choose({ command: ["x", "1"] }))).toEqual([["a", "project"]]);
  for (const other of [{ command: "x" }, { command: "x", args: ["1"], env: { A: "1" } }, { url: "https://x.test" }]) {
    const { servers, unused } = choose(other);
    expect(servers).toEqual([]);
    expect(unused[0]).toMatchObject({ reason: "not approved", unapproved: { name: "a" } });
  }
});

test("a plugin brings no server that is configured already", () => {
  const found = [
    of("user", { a: { command: "x" } }),
    of("plugin", { "plugin:p:b": { command: "x" }, "plugin:p:c": { command: "y" } }),
  ];
  const chosen = chooseServers({ found, lists: none, isApproved: () => true });
  expect(used(chosen)).toEqual([
    ["a", "user"],
    ["plugin:p:c", "plugin"],
  ]);
  expect(chosen.unused).toMatchObject([{ name: "plugin:p:b", reason: "a is the same server" }]);
});

describe("lists, in three states times denial", () => {
  const stdio = { name: "files", transport: { type: "stdio", command: "npx", args: ["files"], env: {} } } as const;
  const remote = { name: "docs", transport: { type: "http", url: "https://Docs.test/mcp", headers: {} } } as const;
  const byName = { serverName: "files" };
  const byCommand = { serverCommand: ["npx", "files"] };
  const byUrl = { serverUrl: "https://docs.test/*" };
  const notNamed = "not allowed by allowedMcpServers";
  const denied = "blocked by deniedMcpServers";

  test.each<
    [string, readonly ServerEntry[] | undefined, readonly ServerEntry[], string | undefined, string | undefined]
  >([
    ["no list", undefined, [], undefined, undefined],
    ["empty list", [], [], notNamed, notNamed],
    ["by name", [byName], [], undefined, notNamed],
    ["by command", [byCommand], [], undefined, notNamed],
    ["by other command", [{ serverCommand: ["npx", "files", "-x"] }], [], notNamed, notNamed],
    ["by URL", [byUrl], [], notNamed, undefined],
    ["by URL of another host", [{ serverUrl: "https://docs.test.evil/*" }], [], notNamed, notNamed],
    ["no list, denied by name", undefined, [byName], denied, undefined],
    ["empty list, denied", [], [byName], denied, notNamed],
    ["named and denied by command", [byName, byUrl], [byCommand], denied, undefined],
    ["named and denied by URL", [byName, byUrl], [byUrl], undefined, denied],
  ])("%s", (_, allowed, deniedList, files, docs) => {
    const lists = { ...(allowed !== undefined && { allowed }), denied: deniedList };
    expect([refuseServer(stdio, lists), refuseServer(remote, lists)]).toEqual([files, docs]);
  });
});

describe("patterns of URLs", () => {
  const at = (url: string) => ({ name: "a", transport: { type: "http", url, headers: {} } }) as const;
  const allowed = [
    { serverUrl: "https://*.corp.test/*" },
    { serverUrl: "http://localhost:*/mcp" },
    { serverUrl: "https://any*" },
  ];

  test.each([
    ["https://docs.corp.test/mcp", true],
    ["https://DOCS.corp.test:443/mcp", true],
    ["https://a.b.corp.test/", true],
    ["http://localhost:8123/mcp", true],
    ["https://anything.test/a/b?c", true],
    ["https://evil.test/x.corp.test/mcp", false],
    ["https://evil.test?x=.corp.test/mcp", false],
    ["https://evil.test#.corp.test/mcp", false],
    ["https://evil.test\\.corp.test/mcp", false],
    ["https://evil.test:443/.corp.test/", false],
    ["http://localhost:8123/other/mcp", false],
    ["http://docs.corp.test/mcp", false],
  ])("%s is allowed: %s", (url, isAllowed) => {
    expect(refuseServer(at(url), { allowed, denied: [] }) === undefined).toBe(isAllowed);
  });

  test("a denial without a path holds for every path", () => {
    expect(refuseServer(at("https://evil.test/mcp"), { denied: [{ serverUrl: "https://*evil*" }] })).toBeDefined();
  });

  test.each([
    "https://ok.test/bad/x",
    "https://ok.test/%62ad/x",
    "https://ok.test:443/bad/",
    "HTTPS://OK.test/a/../bad/",
  ])("a denial also holds for the spelling %s", (url) => {
    expect(refuseServer(at(url), { denied: [{ serverUrl: "https://ok.test/bad/*" }] })).toBe(
      "blocked by deniedMcpServers",
    );
  });
});
