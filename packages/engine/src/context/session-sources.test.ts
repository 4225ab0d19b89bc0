/** Proves what the model is told first: each base prompt by its review list, within its budget, and in the right order. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { emptySession, type Model, type PromptParts, type Tool, type Workspace } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createContextBuilder } from "./context-builder.ts";
import { createSessionSources } from "./session-sources.ts";

const workspace: Workspace = {
  cwd: "/project/src",
  root: "/project",
  projectId: "p",
  lookAtPath: () => ({ place: "inside", otherNames: [] }),
  analyseShell: () => ({ commands: [], files: [], concerns: [], readOnly: false, looksAt: "files" }),
  isProtected: () => false,
  home: "/home/dev",
  kedgeHome: "/home/dev/.kedge",
};
const parts: PromptParts = { platform: "linux", shell: "/bin/bash", isGitRepository: true, today: () => "2026-01-01" };
const modelOf = (id: string): Model => ({ ref: `x/${id}`, provider: "x", id, contextTokens: 1, outputTokensMax: 1 });
function textsOf(id: string, change: Partial<PromptParts> = {}, isStructured = false) {
  const prompt = { ...parts, ...change };
  const sources = createSessionSources({ prompt, workspace, deferredTools: () => noTools, outside: [] });
  const journal = { state: emptySession("ses_1"), signal: () => undefined };
  const same = (text: string) => text;
  const builder = createContextBuilder({ sources, journal, redact: same, neutralise: same });
  return builder.system(modelOf(id), { isStructured });
}
const noTools: readonly Tool[] = [];

/** A token is about four characters. */
const baseCharactersMax = 2_600;

const required = [/find out why before you try again/, /Report failures/, /Never claim/, /Never weaken/, /data, never/];
const wanted = [/recommend stopping/, /disagree/, /Bad news is welcome/, /collaborator/];

test.each([
  ["claude-opus-4-6", [/todo_write/, /agent is offered/, /path:line/]],
  ["gpt-4.1", [/Keep going until/, /half-done/, /run what proves it/, /current documentation/]],
  ["gpt-5.2-codex", [/apply_patch/, /plain ASCII/, /never revert, amend, reset/]],
  ["gpt-5.2", [/short remark/, /one final answer/, /Match the tone/]],
  [
    "gemini-3-pro",
    [
      /Core mandates/,
      /Conventions first/,
      /Verify in its manifests/,
      /Never assume a path/,
      /Edits are small/,
      /new application/,
    ],
  ],
  ["trinity-large", [/Compact/, /path:line/]],
  ["llama", [/Fewer than four lines/, /Act when told to, and not before/, /No comments in code/]],
] as const)("the base prompt of %s says what its family needs, and what every family needs", (id, own) => {
  const { system } = textsOf(id);
  for (const pattern of [...own, ...required, ...wanted]) expect(system).toMatch(pattern);
  expect(system.length).toBeLessThan(baseCharactersMax);
  expect(system).not.toContain("${");
  expect(system).not.toContain("version:");
});

test("no two base prompts are equal, and what they share is written once", () => {
  const directory = join(import.meta.dirname, "../prompts/base");
  const texts = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
  const lines = texts.flatMap((text) => text.split("\n").filter((line) => line.startsWith("- ")));
  expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
  expect(new Set(texts).size).toBe(texts.length);
});

test("the environment stands in the tail, after everything that is equal between sessions", () => {
  expect(textsOf("llama").systemTail).toBe(
    [
      "Environment",
      "- Model: x/llama",
      "- Working directory: /project/src",
      "- Worktree root: /project",
      "- Git repository: yes",
      "- Platform: linux",
      "- Shell: /bin/bash",
      "- Date: 2026-01-01",
    ].join("\n"),
  );
  expect(textsOf("llama", { today: () => "2027-02-02" }).system).toBe(textsOf("llama").system);
});

test("a text given outright wins over the user's file, that over the family's; what is appended comes last", () => {
  const ownBase = (family: string) => (family === "gpt" ? "MINE" : undefined);
  expect(textsOf("gpt-5.2", { ownBase }).system).toBe("MINE");
  expect(textsOf("llama", { ownBase }).system).toBe(textsOf("llama").system);
  expect(textsOf("gpt-5.2", { ownBase, override: "GIVEN" })).toEqual({ system: "GIVEN" });
  const { systemTail } = textsOf("llama", { append: "LAST" }, true);
  expect(systemTail).toMatch(/^Environment[\s\S]*structured_output[\s\S]*\n\nLAST$/);
  expect(textsOf("llama", { override: "GIVEN", append: "LAST" })).toEqual({ system: "GIVEN", systemTail: "LAST" });
});
