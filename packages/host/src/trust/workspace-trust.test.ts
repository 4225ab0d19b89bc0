/** Trust in a workspace: who is asked, what is remembered, and what ends it. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openHome } from "../machine/home.ts";
import { answerTrust, forgetTrust, judgeWorkspace, keepTrust, type TrustParts } from "./workspace-trust.ts";

let user = "";
let root = "";
beforeEach(() => {
  user = realpathSync(mkdtempSync(join(tmpdir(), "kedge-trust-")));
  root = join(user, "code", "project");
  mkdirSync(root, { recursive: true });
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

function parts(at = root): TrustParts {
  const opened = openHome(join(user, ".kedge"));
  if (!opened.ok) throw new Error(opened.failure.message);
  return { home: opened.home, root: at, userDirectory: user, now: () => 0 };
}

function write(path: string, text: string, at = root): void {
  const file = join(at, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

test("a rule that was saved where nothing had to be trusted says nothing of projects inside", () => {
  write(".kedge/config.local.json", "{}");
  expect(keepTrust(parts(), { state: "nothing" }, ".kedge/config.local.json")).toBe(true);
  expect(judgeWorkspace(parts()).state).toBe("trusted");
  const inner = join(root, "inner");
  write(".kedge/config.json", "{}", inner);
  expect(judgeWorkspace(parts(inner)).state).toBe("unknown");
  expect(answerTrust(parts(), "trusted")).toBeUndefined();
  expect(judgeWorkspace(parts(inner)).state).toBe("trusted");
});

test("a project that brings nothing needs no trust", () => {
  write("src/a.ts", "x");
  expect(judgeWorkspace(parts())).toEqual({ state: "nothing" });
});

test("what it brings is found beside names that some file systems read otherwise", () => {
  write(".mcp.json", "{}");
  write(".claude/commands/now.md", "!rm");
  write(".github/instructions/a.instructions.md", "a");
  write("AGENTS.local.md", "mine");
  const namesNow = () => {
    const trust = judgeWorkspace(parts());
    return trust.state === "unknown" ? trust.inputs.map(({ name }) => name) : [];
  };
  const plain = namesNow();
  expect(plain).toEqual([".mcp.json", ".github/instructions/a.instructions.md", ".claude/commands/now.md"]);
  write("gr\u00f6\u00dfe.txt", "x");
  write(".l\u200csp.json", "{}");
  expect(namesNow()).toEqual(plain);
});

test("what it brings is listed, and unknown until somebody answers", () => {
  write("kedge.json", "{}");
  write(".kedge/hooks/start.sh", "touch /tmp/x");
  write(".claude/commands/deploy/now.md", "!rm");
  write(".mcp.json", "{}");
  write("AGENTS.md", "be nice");
  symlinkSync("/etc/passwd", join(root, "CLAUDE.md"));
  const trust = judgeWorkspace(parts());
  expect(trust).toMatchObject({ state: "unknown", changes: [] });
  expect(trust.state === "nothing" ? [] : trust.inputs.map(({ name, kind }) => [name, kind])).toEqual([
    ["kedge.json", "settings"],
    [".mcp.json", "MCP servers"],
    ["AGENTS.md", "instructions"],
    ["CLAUDE.md", "instructions"],
    [".kedge/hooks/start.sh", "hooks"],
    [".claude/commands/deploy/now.md", "commands"],
  ]);
});

test("an answer holds until what the project brings changes in any way", () => {
  write("kedge.json", "{}");
  write(".kedge/agents/a.md", "a");
  expect(answerTrust(parts(), "trusted")).toBeUndefined();
  expect(judgeWorkspace(parts()).state).toBe("trusted");
  write("kedge.json", '{"model":"x/y"}');
  write(".mcp.json", "{}");
  rmSync(join(root, ".kedge"), { recursive: true });
  expect(judgeWorkspace(parts())).toMatchObject({
    state: "unknown",
    changes: [
      { name: "kedge.json", change: "changed" },
      { name: ".mcp.json", change: "added" },
      { name: ".kedge/agents/a.md", change: "removed" },
    ],
  });
  answerTrust(parts(), "refused");
  expect(judgeWorkspace(parts()).state).toBe("refused");
  expect(forgetTrust(parts())).toBe(true);
  expect(forgetTrust(parts())).toBe(false);
  expect(judgeWorkspace(parts()).state).toBe("unknown");
});

test("a text that instructs may change, come and go; what it includes may not", () => {
  write("AGENTS.md", "one");
  write(".kedge/rules/a.md", "one");
  answerTrust(parts(), "trusted");
  write("AGENTS.md", "two");
  write("CLAUDE.md", "new");
  rmSync(join(root, ".kedge"), { recursive: true });
  expect(judgeWorkspace(parts())).toMatchObject({ state: "trusted" });
  write("docs/style.md", "x");
  write("AGENTS.md", "two @docs/style.md");
  const added = [{ name: "docs/style.md", change: "added" }];
  expect(judgeWorkspace(parts())).toMatchObject({ state: "unknown", changes: added });
  write("AGENTS.md", "two");
  write(".kedge/SYSTEM.md", "x");
  const replaced = [{ name: ".kedge/SYSTEM.md", change: "added" }];
  expect(judgeWorkspace(parts())).toMatchObject({ state: "unknown", changes: replaced });
});

test("behind a link what is loaded counts", () => {
  write("sub/real.json", "{}");
  symlinkSync("sub/real.json", join(root, "kedge.json"));
  answerTrust(parts(), "trusted");
  expect(judgeWorkspace(parts()).state).toBe("trusted");
  write("sub/real.json", '{"permission":"allow"}');
  expect(judgeWorkspace(parts())).toMatchObject({ changes: [{ name: "kedge.json", change: "changed" }] });
});

test("the answer lies in kedge's directory, for its owner only", () => {
  write("kedge.json", "{}");
  answerTrust(parts(), "trusted");
  const path = join(user, ".kedge", "trust.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const { format, workspaces } = JSON.parse(readFileSync(path, "utf8"));
  expect([format, Object.keys(workspaces), workspaces[root].answer]).toEqual([1, [root], "trusted"]);
});

test("a parent's trust covers what lies below, as it is found first", () => {
  write("kedge.json", "{}");
  const code = join(user, "code");
  answerTrust(parts(code), "trusted");
  expect(judgeWorkspace(parts()).state).toBe("trusted");
  write("kedge.json", "{ }");
  expect(judgeWorkspace(parts()).state).toBe("unknown");
  write("kedge.json", "{}");
  expect(forgetTrust(parts())).toBe(true);
  expect(judgeWorkspace(parts()).state).toBe("refused");
});

test("home and the root of the file system cannot be trusted as a whole", () => {
  write("kedge.json", "{}");
  expect(answerTrust(parts(user), "trusted")).toBe(
    `${user} cannot be trusted as a whole. Trust the projects in it one by one.`,
  );
  expect(answerTrust(parts("/"), "trusted")).toContain("cannot be trusted");
  expect(judgeWorkspace(parts()).state).toBe("unknown");
});

test("a damaged file trusts nobody and says what to do", () => {
  write("kedge.json", "{}");
  answerTrust(parts(), "trusted");
  writeFileSync(join(user, ".kedge", "trust.json"), "{");
  expect(() => judgeWorkspace(parts())).toThrow(/^Cannot use the trust file .*: it is not valid JSON\.$/);
});

test("a file that kedge wrote is trusted with the rest, and what others wrote meanwhile is not", () => {
  const local = ".kedge/config.local.json";
  const empty = judgeWorkspace(parts());
  write(local, "{}");
  expect(keepTrust(parts(), empty, local)).toBe(true);
  const trusted = judgeWorkspace(parts());
  expect(trusted).toMatchObject({ state: "trusted", inputs: [{ name: local }] });
  write(local, '{"permission": "ask"}');
  write(".mcp.json", "{}");
  expect(keepTrust(parts(), trusted, local)).toBe(true);
  const unknown = judgeWorkspace(parts());
  expect(unknown).toMatchObject({ state: "unknown", changes: [{ name: ".mcp.json", change: "added" }] });
  expect(keepTrust(parts(), unknown, local)).toBe(false);
});
