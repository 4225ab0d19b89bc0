/** Proves that no language server outlives a kedge that is killed. */
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { call, environment, type LspSite, openLspSite, putTypeScript } from "./lsp-site.ts";

let site: LspSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

/** Processes whose working directory is the project, by their command line. */
function livingIn(directory: string): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
      const environ = readFileSync(`/proc/${pid}/environ`, "utf8");
      const isServer = /tsc --lsp|json-language-server|bash-language-server|pyright-langserver/.test(words);
      return isServer && environ.includes(directory) ? [words] : [];
    } catch {
      // Not a process, or one that has just ended.
      return [];
    }
  });
}

test("three servers are gone five seconds after kill -9", { timeout: 120_000 }, async () => {
  site = await openLspSite([
    call("write", { filePath: "a.ts", content: "export const a = 1;\n" }),
    call("write", { filePath: "a.json", content: "{}\n" }),
    call("write", { filePath: "a.sh", content: "echo hello\n" }),
    call("bash", { command: "sleep 300", description: "waits" }),
  ]);
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
  await expect.poll(() => livingIn(directory).length, { timeout: 40_000 }).toBeGreaterThanOrEqual(3);
  child.kill("SIGKILL");
  await expect.poll(() => livingIn(directory), { timeout: 5_000 }).toEqual([]);
});
