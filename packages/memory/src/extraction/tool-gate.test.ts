/** A worker on memory can look and draft, and nothing else, however the call is written. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject, PhasedCall } from "@kedge/protocol";
import { afterAll, expect, test } from "vitest";
import { isInDirectory } from "../topics/directory/validate-directory.ts";
import { createToolGate } from "./tool-gate.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-gate-")));
const project = join(root, "project");
const directory = join(root, "memory");
for (const folder of [project, directory, join(directory, "inbox"), join(root, "memory-evil")]) mkdirSync(folder);
writeFileSync(join(root, "secret"), "x");
symlinkSync(root, join(project, "out"));
symlinkSync(join(root, "secret"), join(directory, "linked.md"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const isInside = (path: string) => path === project || isInDirectory(path, project);
const gate = createToolGate({ directory, isInside });

function judge(tool: string, input: JsonObject): string {
  const readOnly = tool !== "write" && tool !== "edit";
  const call: PhasedCall = {
    ...{ sessionId: "s", callId: "c", tool, input, needs: [], readOnly, cwd: project, mode: "default" },
  };
  const answer = gate.before?.(call, new AbortController().signal);
  return answer === undefined ? "pass" : "decision" in answer ? answer.decision : "promise";
}

const bash = (command: string, more: JsonObject = {}) => ["bash", { command, ...more }] as const;

test.each<readonly [string, JsonObject]>([
  ["read", { filePath: "src/a.ts" }],
  ["read", { filePath: join(directory, "topic.md") }],
  ["read", { filePath: join(directory, "MEMORY.md") }],
  ["grep", { pattern: "x", path: directory }],
  ["glob", { pattern: "**/*.ts" }],
  bash("ls -la src"),
  bash("grep -n 'foo|bar' src/a.ts | head -5 | wc -l"),
  bash(`cat ${join(directory, "topic.md")}`),
  bash("find . -name '*.ts' -type f"),
])("passes: %s %j", (tool, input) => {
  expect(judge(tool, input)).toBe("pass");
});

test.each<readonly [string, JsonObject]>([
  ["write", { filePath: join(directory, "topic.md"), content: "x" }],
  ["edit", { filePath: join(directory, "topic.md"), oldString: "a", newString: "b" }],
])("drafts: %s %j", (tool, input) => {
  expect(judge(tool, input)).toBe("allow");
});

test.each<readonly [string, JsonObject]>([
  ["write", { filePath: "src/a.ts", content: "x" }],
  ["write", { filePath: join(directory, "MEMORY.md"), content: "x" }],
  ["write", { filePath: join(directory, "inbox/topic.md"), content: "x" }],
  ["write", { filePath: join(directory, ".store/ledger.json"), content: "x" }],
  ["write", { filePath: join(directory, "../memory-evil/topic.md"), content: "x" }],
  ["write", { filePath: join(directory, "linked.md"), content: "x" }],
  ["write", { filePath: join(directory, "agents.md"), content: "x" }],
  ["write", { content: "x" }],
  ["edit", { filePath: "AGENTS.md", oldString: "", newString: "x" }],
  ["multiedit", { filePath: join(directory, "topic.md"), edits: [] }],
  ["apply_patch", { patch: "x" }],
  ["webfetch", { url: "https://x.example" }],
  ["websearch", { query: "x" }],
  ["task", { prompt: "x" }],
  ["batch", { calls: [] }],
  ["todowrite", { todos: [] }],
  ["memory_search", { query: "x" }],
  ["read", { filePath: "/etc/passwd" }],
  ["read", { filePath: "../secret" }],
  ["read", { filePath: "out/secret" }],
  ["read", { filePath: "artifact://1" }],
  ["read", { filePath: join(directory, "inbox/topic.md") }],
  ["read", { filePath: join(directory, "linked.md") }],
  ["grep", { pattern: "x", path: "/etc" }],
  ["grep", { pattern: "x", paths: ["src", "/root"] }],
  ["glob", { pattern: "*", path: "out" }],
  bash("rm -rf src"),
  bash("cat src/a.ts > src/b.ts"),
  bash("cat src/a.ts >> ~/.bashrc"),
  bash("cat $(echo /etc/passwd)"),
  bash("cat `echo x`"),
  bash("ls; curl https://x.example"),
  bash("ls && touch x"),
  bash("ls & touch x"),
  bash("ls | sh"),
  bash("ls\ntouch x"),
  bash("find . -exec rm {} +"),
  bash("find . -delete"),
  bash("find . -fprintf out.txt x"),
  bash("find . -name x -execdir rm x"),
  bash("grep -f/etc/shadow x"),
  bash("grep --file=/etc/shadow x"),
  bash("grep -R x ."),
  bash("cat ~/.ssh/id_rsa"),
  bash("cat /etc/passwd"),
  bash("cat 'out/secret'"),
  bash("cat o*/secret"),
  bash("cat ..''/secret"),
  bash('cat "a b/../../secret"'),
  bash("env ls"),
  bash("LD_PRELOAD=x ls"),
  bash("ls", { env: { LD_PRELOAD: "x" } }),
  bash("ls", { background: true }),
  bash("ls", { workdir: "/etc" }),
  bash("wc --files0-from=/etc/x"),
  bash("echo hi"),
  bash("cat <(ls)"),
  bash("cat \\/etc/passwd"),
])("refuses: %s %j", (tool, input) => {
  expect(judge(tool, input)).toBe("refuse");
});
