/** On a real disk with real archives and a real repository: who overwrote a state file, and what the question shows. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Need, RuleSet } from "@kedge/protocol";
import { createMachineLook } from "@kedge/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPremiseWatch, type Gated, gateCall, type MachineLook, type PremiseWatch } from "../src/gates/index.ts";
import { readPlainCommands } from "./judge-cases.ts";

let place = "";
let root = "";
let home = "";
let machine: MachineLook;
let premise: PremiseWatch;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-gates-")));
  root = join(place, "w");
  home = join(place, "home");
  mkdirSync(join(root, "infra"), { recursive: true });
  mkdirSync(home);
  writeFileSync(join(root, ".gitignore"), "*.tfstate\n");
  writeFileSync(join(root, "infra/main.tf"), "# nothing\n");
  writeFileSync(join(root, "infra/terraform.tfstate"), '{"serial": 1}');
  execFileSync("tar", ["-czf", "old.tgz", "infra/terraform.tfstate"], { cwd: root });
  writeFileSync(join(root, "infra/terraform.tfstate"), '{"serial": 2, "resources": ["database"]}');
  const { ctimeMs } = statSync(join(root, "infra/terraform.tfstate"));
  // The session begins when the clocks of the disk and of the program agree that all of this lies in the past.
  while (Date.now() - ctimeMs < 30) statSync(root);
  machine = createMachineLook({ monotonicMs: () => performance.now() });
  premise = createPremiseWatch({ machine, root, home, now: Date.now });
});

afterEach(() => {
  rmSync(place, { recursive: true, force: true });
});

/** The user allows everything by rules; the gates must not care. */
const rules: readonly RuleSet[] = [{ source: "user", rules: [{ permission: "bash", pattern: "*", action: "allow" }] }];

async function gate(text: string, options = { isAsked: false }): Promise<Gated> {
  const need: Need = { permission: "bash", patterns: [text], always: [], access: "execute" };
  return gateCall(
    { tool: "bash", needs: [need], readOnly: false, cwd: root, ...options },
    {
      mode: "bypass",
      interactive: true,
      rules,
      root,
      home,
      lookAtPath: () => ({ place: "inside", otherNames: [] }),
      analyseShell: readPlainCommands,
      premise,
      machine,
      changedFiles: () => [],
      now: Date.now,
    },
  );
}

async function runStep(step: number, program: string, ...words: readonly string[]): Promise<void> {
  const watched = await premise.before({ text: [program, ...words].join(" "), step });
  execFileSync(program, words, { cwd: root });
  await watched.ended();
}

/** Ages depend on how fast the machine is. */
function withoutAges(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replaceAll(place, "").replace(/\d+ seconds? ago/g, "N seconds ago"));
}

test("an archive unpacked over a state file raises the destruction, and is named", async () => {
  await runStep(11, "touch", "note.txt");
  await runStep(12, "tar", "-xf", "old.tgz");
  await runStep(13, "chmod", "600", "infra/terraform.tfstate");
  const { raise, evidence, isIrreversible } = await gate("terraform destroy");
  const line = "state file /w/infra/terraform.tfstate changed N seconds ago by: tar -xf old.tgz (step 12)";
  expect([withoutAges([raise?.reason ?? ""]), withoutAges(evidence)[0], isIrreversible]).toEqual([[line], line, true]);
});

test("the question names the ignored file that only the archive changed", async () => {
  await runStep(12, "tar", "-xf", "old.tgz");
  const { evidence } = await gate("cd infra; terraform destroy", { isAsked: true });
  expect(withoutAges(evidence)).toEqual([
    "state file /w/infra/terraform.tfstate changed N seconds ago by: tar -xf old.tgz (step 12)",
    "terraform destroy: it destroys real infrastructure",
    "working directory: /w/infra",
    "terraform workspace: default (none selected)",
    "state file: /w/infra/terraform.tfstate, 13 bytes, modified N seconds ago",
    "changed in this session: terraform.tfstate, N seconds ago by: tar -xf old.tgz (step 12)",
  ]);
});

test.each([
  ["tar -xf old.tgz", ["overwrites: infra/terraform.tfstate"]],
  ["tar xzf old.tgz infra", ["overwrites: infra/terraform.tfstate"]],
  ["tar --extract --file old.tgz --directory .", ["overwrites: infra/terraform.tfstate"]],
  ["cd infra; tar -xf ../old.tgz -C ..", ["overwrites: terraform.tfstate"]],
  ["tar -xf old.tgz -C elsewhere", []],
  ["tar -xf old.tgz other", []],
  ["tar -tf old.tgz", []],
  ["tar -xOf old.tgz", []],
  ["tar -xf missing.tgz", []],
  ["tar -xf infra/main.tf", []],
])("before %s the question names what would be overwritten", async (text, lines) => {
  expect((await gate(text, { isAsked: true })).evidence).toEqual(lines);
  // Where nobody is asked nothing is looked at.
  expect(await gate(text)).toEqual({ evidence: [], isIrreversible: false });
});

test("of a zip and of a long list as well, in bounded lines", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `src/${"long-".repeat(30)}${index}.txt`);
  mkdirSync(join(root, "src"));
  for (const name of names) writeFileSync(join(root, name), "x");
  const git = (...words: readonly string[]) =>
    execFileSync("git", words, { cwd: root, env: { PATH: process.env["PATH"] ?? "", HOME: home } });
  git("init", "-q");
  git("add", "src");
  git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "a");
  git("archive", "--format=zip", "-o", "a.zip", "HEAD");
  git("archive", "--format=tar.gz", "-o", "a.tgz", "HEAD");
  execFileSync("tar", ["-cf", "b.tar", "--format=gnu", "src"], { cwd: root });
  const lines = [
    ...names
      .toSorted()
      .slice(0, 8)
      .map((name) => `overwrites: ${name}`),
    "overwrites 4 more files",
  ];
  const shown = async (text: string) => (await gate(text, { isAsked: true })).evidence;
  expect((await shown("unzip a.zip")).toSorted()).toEqual(lines.toSorted());
  expect((await shown("tar -xzf a.tgz")).toSorted()).toEqual(lines.toSorted());
  expect((await shown("tar -xf b.tar")).at(-1)).toBe("overwrites 4 more files");
  expect(await shown("unzip -l a.zip")).toEqual([]);
  expect(await shown("unzip a.zip -d new")).toEqual([]);
});

test("a state file that an archive brings where none was raises as well", async () => {
  rmSync(join(root, "infra/terraform.tfstate"));
  await runStep(2, "tar", "-xf", "old.tgz");
  const { raise } = await gate("terraform plan");
  expect(withoutAges([raise?.reason ?? ""])).toEqual([
    "state file /w/infra/terraform.tfstate was created N seconds ago by: tar -xf old.tgz (step 2)",
  ]);
});

test("a change by the user raises and is called so; one of mode or none at all does not", async () => {
  await runStep(1, "touch", "note.txt");
  chmodSync(join(root, "infra/terraform.tfstate"), 0o600);
  writeFileSync(join(root, "infra/terraform.tfstate"), '{"serial": 2, "resources": ["database"]}');
  expect(await gate("terraform plan")).toEqual({ evidence: [], isIrreversible: false });
  appendFileSync(join(root, "infra/terraform.tfstate"), " ");
  const { raise } = await gate("terraform plan");
  expect(withoutAges([raise?.reason ?? ""])).toEqual([
    "state file /w/infra/terraform.tfstate changed N seconds ago by: outside kedge",
  ]);
});

test("a hard reset shows branch, upstream and what the session changed", async () => {
  const git = (...words: readonly string[]) =>
    execFileSync("git", words, { cwd: root, env: { PATH: process.env["PATH"] ?? "", HOME: home } });
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", "https://user:secret@host.example/team/w.git");
  git("config", "branch.main.remote", "origin");
  git("config", "branch.main.merge", "refs/heads/main");
  await runStep(3, "cp", "infra/main.tf", "infra/copy.tf");
  const { evidence, raise } = await gate("git reset --hard", { isAsked: true });
  expect([raise, withoutAges(evidence)]).toEqual([
    undefined,
    [
      "git reset --hard: it discards uncommitted changes",
      "working directory: /w",
      "git branch: main, upstream origin/main at https://host.example/team/w.git",
      "changed in this session: infra/copy.tf, N seconds ago by: cp infra/main.tf infra/copy.tf (step 3)",
    ],
  ]);
  git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x", "--allow-empty");
  git("worktree", "add", "-q", "-b", "side", join(place, "side"));
  const text = `cd ${join(place, "side")}; git reset --hard`;
  expect((await gate(text, { isAsked: true })).evidence[2]).toBe("git branch: side, no upstream");
});

test("a removal shows what it would remove", async () => {
  mkdirSync(join(root, "build/deep"), { recursive: true });
  writeFileSync(join(root, "build/a.js"), "12345");
  writeFileSync(join(root, "build/deep/b.js"), "123");
  const { evidence } = await gate("rm -rf build missing", { isAsked: true });
  expect(withoutAges(evidence)).toEqual([
    "rm -rf build missing: it deletes directories and their contents",
    "working directory: /w",
    "target: /w/build, a directory with 2 files, 8 bytes",
    "target: /w/missing does not exist",
    "no file in that directory changed in this session, as far as known",
  ]);
});
