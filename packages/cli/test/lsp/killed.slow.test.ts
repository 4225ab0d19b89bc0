/** Proves that no server outlives a kedge that is killed: five MCP servers and three language servers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { call, environment, type LspSite, openLspSite, putTypeScript } from "./lsp-site.ts";

let site: LspSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const stubborn = join(import.meta.dirname, "../../../extend/test/mcp/clumsy-server.mjs");
const languageServers = /tsc --lsp|json-language-server|bash-language-server|pyright-langserver/;
const mcpServers = /clumsy-server/;

/** Processes with the home directory of the test, by their command line. */
function livingIn(directory: string, isServer: RegExp): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
      const environ = readFileSync(`/proc/${pid}/environ`, "utf8");
      return isServer.test(words) && environ.includes(directory) ? [words] : [];
    } catch {
      // Not a process, or one that has just ended.
      return [];
    }
  });
}

test("eight servers are gone after kill -9", async () => {
  const names = ["one", "two", "three", "four", "five"];
  const server = { command: process.execPath, args: [stubborn, "ignores its end"] };
  site = await openLspSite(
    [
      call("write", { filePath: "a.ts", content: "export const a = 1;\n" }),
      call("write", { filePath: "a.json", content: "{}\n" }),
      call("write", { filePath: "a.sh", content: "echo hello\n" }),
      call("bash", { command: "sleep 300", description: "waits" }),
    ],
    { mcp: Object.fromEntries(names.map((name) => [name, server])) },
  );
  putTypeScript(site);
  const { directory } = site;
  const argv = [
    "-p",
    "go",
    "--permission-mode",
    "bypass",
    "--dangerously-skip-permissions",
    "--output-format",
    "stream-json",
  ];
  const child = site.start(argv, { environment });
  child.stdin.end();
  await expect.poll(() => livingIn(directory, languageServers).length).toBeGreaterThanOrEqual(3);
  await expect.poll(() => livingIn(directory, mcpServers).length).toBeGreaterThanOrEqual(5);
  child.kill("SIGKILL");
  const alive = () => [...livingIn(directory, languageServers), ...livingIn(directory, mcpServers)];
  await expect.poll(alive).toEqual([]);
});
