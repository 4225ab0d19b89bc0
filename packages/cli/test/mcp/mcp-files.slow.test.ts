/** Proves with the real program which files of other agents name servers, which of them counts, and what closes them. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "../workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

const standard = (name: string, command: string) => ({ mcpServers: { [name]: { command } } });
const opencode = (name: string, command: string) => ({
  mcp: { [name]: { type: "local", command: [command, "with", "words"], environment: { A: "1" } } },
});

function put(path: string, content: object | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
}

async function listed(words: readonly string[] = ["--trust"]) {
  const { stdout, stderr } = await bench.run(["mcp", "list", "--json", ...words]);
  const servers = JSON.parse(stdout).servers as readonly {
    name: string;
    scope: string;
    file: string;
    command: string;
  }[];
  return { stderr, servers: servers.map(({ name, scope, file, command }) => [name, scope, file, command]) };
}

test("servers of Claude Code and OpenCode, of the user and of a project, with their files", async () => {
  bench = await openWorkbench([], {});
  const { project, directory: user } = bench;
  put(join(project, ".mcp.json"), standard("a", "a"));
  put(join(project, ".claude/mcp.json"), standard("b", "b"));
  put(join(project, "opencode.json"), opencode("c", "c"));
  put(join(project, ".opencode/opencode.jsonc"), `// Ours\n${JSON.stringify(opencode("d", "d"))}`);
  put(join(user, ".claude/mcp.json"), standard("e", "e"));
  put(join(user, ".config/opencode/opencode.json"), opencode("f", "f"));
  // Without trust those of the project are not even named.
  expect((await listed([])).servers.map(([name]) => name)).toEqual(["e", "f"]);
  expect((await listed()).servers).toEqual(
    expect.arrayContaining([
      ["a", "project", ".mcp.json", "a"],
      ["b", "project", ".claude/mcp.json", "b"],
      ["c", "project", "opencode.json", "c"],
      ["d", "project", ".opencode/opencode.jsonc", "d"],
      ["e", "user", "~/.claude/mcp.json", "e"],
      ["f", "user", "~/.config/opencode/opencode.json", "f"],
    ]),
  );
  const shown = JSON.parse((await bench.run(["mcp", "get", "c", "--json", "--trust"])).stdout);
  expect(shown).toMatchObject({ command: "c", args: ["with", "words"], env: ["A"], needsApproval: true });
});

test("of one name the stronger place counts, and the others say who won", async () => {
  bench = await openWorkbench([], { mcp: { same: { command: "of-the-settings" } } });
  const { project, directory: user } = bench;
  put(join(user, ".claude/mcp.json"), standard("same", "of-the-user"));
  put(join(project, ".mcp.json"), standard("same", "of-the-project"));
  put(join(project, ".kedge/config.local.json"), { mcp: { same: { command: "local" } } });
  const { stdout } = await bench.run(["mcp", "list", "--json", "--trust"]);
  const { servers } = JSON.parse(stdout);
  expect(servers.map((each: { reason: string; file: string }) => [each.file, each.reason])).toEqual([
    [".kedge/config.local.json", "not approved"],
    ...[".mcp.json", "~/.kedge", "~/.claude/mcp.json"].map(() => [
      expect.any(String),
      expect.stringContaining("overridden by a server of the same name from .kedge/config.local.json"),
    ]),
  ]);
  // An unapproved one keeps its name: nothing weaker slips into its place.
  expect(servers.every(({ state }: { state: string }) => state === "disabled")).toBe(true);
});

test("files that are broken, or lead out of the project, cost themselves alone and are named", async () => {
  bench = await openWorkbench([], {});
  const { project, directory: user } = bench;
  put(join(user, ".claude/mcp.json"), "{ broken");
  put(join(project, ".mcp.json"), "[1, 2]");
  put(join(user, "elsewhere.json"), standard("outside", "x"));
  mkdirSync(join(project, ".claude"));
  symlinkSync(join(user, "elsewhere.json"), join(project, ".claude/mcp.json"));
  put(join(project, "opencode.json"), opencode("fine", "x"));
  const { servers, stderr } = await listed();
  expect(servers.map(([name]) => name)).toEqual(["fine"]);
  for (const file of ["~/.claude/mcp.json", ".mcp.json", ".claude/mcp.json"])
    expect(stderr).toMatch(new RegExp(`${file.replaceAll(".", "\\.")}.*its MCP servers are not used`));
  rmSync(join(project, ".claude/mcp.json"));
});

test("lists of allowed and denied servers hold for every file, by name, command and URL", async () => {
  bench = await openWorkbench([], {
    allowedMcpServers: [
      { serverName: "a" },
      { serverCommand: ["c", "with", "words"] },
      { serverUrl: "https://ok.test/*" },
    ],
    deniedMcpServers: [{ serverUrl: "https://ok.test/bad*" }],
  });
  const { directory: user } = bench;
  put(join(user, ".claude/mcp.json"), {
    mcpServers: {
      a: { command: "a" },
      b: { command: "b" },
      good: { url: "https://ok.test/mcp" },
      bad: { url: "https://ok.test/bad" },
    },
  });
  put(join(user, ".config/opencode/opencode.json"), opencode("c", "c"));
  const { stdout } = await bench.run(["mcp", "list", "--json"]);
  const told = JSON.parse(stdout).servers.map((each: { name: string; reason?: string }) => [each.name, each.reason]);
  expect(Object.fromEntries(told)).toEqual({
    a: undefined,
    c: undefined,
    good: undefined,
    b: "not allowed by allowedMcpServers",
    bad: "blocked by deniedMcpServers",
  });
});
