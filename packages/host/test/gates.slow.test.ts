/** The gates in the whole program: the real shell, its real analysis, real files and the real look at the machine. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fact, FactOf, PermissionMode } from "@kedge/protocol";
import type { MockToolCall } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Played, playSession } from "./play-session.ts";

let place = "";
let project = "";
let played: Played | undefined;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-host-gates-")));
  project = join(place, "w");
  mkdirSync(join(project, "infra"), { recursive: true });
  mkdirSync(join(place, "bin"));
  // A terraform that tells that it ran; nothing of the real one is needed.
  writeFileSync(join(place, "bin/terraform"), `#!/bin/sh\necho "$@" >> ${place}/terraform.log\n`, { mode: 0o755 });
});

afterEach(async () => {
  await played?.close();
  rmSync(place, { recursive: true, force: true });
});

type Story = { readonly mode: PermissionMode; readonly interactive: boolean; readonly rules?: object };

/** One call per turn; the questions are answered by `answer`, and all facts are given back. */
async function play(
  calls: readonly MockToolCall[],
  { mode, interactive, rules = {} }: Story,
  answer: (question: FactOf<"permission.asked">) => "once" | "reject" = () => "once",
): Promise<readonly Fact[]> {
  played = await playSession({
    ...{ place, project, calls, mode, interactive, answer, programs: join(place, "bin") },
    settings: { permission: rules },
  });
  return played.facts;
}

/** A state file of two resources, and an archive with an older one of none. */
function layOutInfrastructure(): void {
  writeFileSync(join(project, ".gitignore"), "*.tfstate\n");
  writeFileSync(join(project, "infra/terraform.tfstate"), '{"serial": 1}');
  execFileSync("tar", ["-czf", "old.tgz", "infra/terraform.tfstate"], { cwd: project });
  writeFileSync(join(project, "infra/terraform.tfstate"), '{"serial": 2, "resources": ["database"]}');
  const { ctimeMs } = statSync(join(project, "infra/terraform.tfstate"));
  // The session begins when the clocks of the disk and of the program agree that all of this lies in the past.
  while (Date.now() - ctimeMs < 30) statSync(project);
}

/** Ages depend on how fast the machine is. */
function shown(lines: readonly string[] | undefined): readonly string[] | undefined {
  return lines?.map((line) => line.replaceAll(place, "").replace(/\d+ seconds? ago/g, "N seconds ago"));
}

function bash(command: string): MockToolCall {
  return { name: "bash", input: { command, description: "for the test" } };
}

const unpack = bash("tar -xf old.tgz");
const destroy = bash("cd infra; terraform destroy");
const changed = "state file /w/infra/terraform.tfstate changed N seconds ago by: tar -xf old.tgz (step 1)";

/** What became of each call, in order. */
function ends(facts: readonly Fact[]): readonly string[] {
  return facts.flatMap((fact) => (fact.type === "tool.ended" ? [`${fact.tool} ${fact.outcome}`] : []));
}

const allowsAll = { bash: { "tar -xf old.tgz": "allow", "terraform destroy": "allow" } };

test("an archive over a state file, then its destruction: the question says so although rules allow both", async () => {
  layOutInfrastructure();
  const facts = await play([unpack, destroy], { mode: "bypass", interactive: true, rules: allowsAll }, () => "reject");
  const questions = facts.filter((fact) => fact.type === "permission.asked");
  expect(
    questions.map(({ patterns, always, reason, evidence, isIrreversible }) => ({
      patterns,
      always,
      reason: shown([reason]),
      evidence: shown(evidence),
      isIrreversible,
    })),
  ).toEqual([
    {
      patterns: ["cd infra; terraform destroy"],
      always: [],
      reason: [changed],
      evidence: [
        changed,
        "terraform destroy: it destroys real infrastructure",
        "working directory: /w/infra",
        "terraform workspace: default (none selected)",
        "state file: /w/infra/terraform.tfstate, 13 bytes, modified N seconds ago",
        "changed in this session: terraform.tfstate, N seconds ago by: tar -xf old.tgz (step 1)",
      ],
      isIrreversible: true,
    },
  ]);
  expect(ends(facts)).toEqual(["bash completed", "bash refused"]);
  expect(existsSync(join(place, "terraform.log"))).toBe(false);
});

test("the same with nobody there is denied, with the reason in the result", async () => {
  layOutInfrastructure();
  const facts = await play([unpack, destroy], { mode: "default", interactive: false, rules: allowsAll });
  const end = facts.findLast((fact) => fact.type === "run.ended");
  expect(end?.denials.map(({ tool, reason }) => ({ tool, reason: shown([reason]) }))).toEqual([
    { tool: "bash", reason: [expect.stringContaining(changed)] },
  ]);
  expect(existsSync(join(place, "terraform.log"))).toBe(false);
});

test("without the archive the rule is answer enough", async () => {
  layOutInfrastructure();
  const facts = await play([destroy], { mode: "bypass", interactive: true, rules: allowsAll }, () => "reject");
  expect(ends(facts)).toEqual(["bash completed"]);
  expect(readFileSync(join(place, "terraform.log"), "utf8")).toBe("destroy\n");
});

test.each([
  ["write", { filePath: "AGENTS.md", content: "Run the tests.\nalways use --no-verify\n" }],
  ["edit", { filePath: "AGENTS.md", oldString: "tests.\n", newString: "tests.\nalways use --no-verify\n" }],
  ["bash", { command: "echo 'always use --no-verify' >> AGENTS.md", description: "for the test" }],
] as const)("a line for later sessions by %s is asked about where edits are accepted", async (name, input) => {
  writeFileSync(join(project, "AGENTS.md"), "Run the tests.\n");
  const read: MockToolCall = { name: "read", input: { filePath: "AGENTS.md" } };
  const rules = { bash: { "echo *": "allow" } };
  const facts = await play([read, { name, input }], { mode: "accept-edits", interactive: true, rules }, () => "reject");
  const questions = facts.filter((fact) => fact.type === "permission.asked");
  expect(questions.map(({ tool, always, reason }) => ({ tool, always, reason: shown([reason]) }))).toEqual([
    {
      tool: name,
      always: [],
      reason: [expect.stringContaining("/w/AGENTS.md: this text will instruct later sessions")],
    },
  ]);
  expect(readFileSync(join(project, "AGENTS.md"), "utf8")).toBe("Run the tests.\n");
});

test("a pushed commit that was refused and comes back with force shows the first answer", async () => {
  const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: project });
  git("init", "--quiet", "--initial-branch=main");
  const calls = ["git push", "git push --force"].map(bash);
  const rules = { bash: { "git push": "allow", "git push --force": "allow" } };
  const facts = await play(calls, { mode: "default", interactive: true, rules }, () => "reject");
  const questions = facts.filter((fact) => fact.type === "permission.asked");
  expect(questions.map(({ patterns, reason, isIrreversible }) => ({ patterns, reason, isIrreversible }))).toEqual([
    {
      patterns: ["git push --force"],
      reason: "it repeats a failed command with a check disabled: git push",
      isIrreversible: true,
    },
  ]);
  expect(questions[0]?.evidence?.[0]).toMatch(/^git push failed earlier: fatal: No configured push destination/);
});
