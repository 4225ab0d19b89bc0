/** The ready-made rules: which level each command and each tool has under them. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { presetNames } from "@kedge/engine";
import type { PermissionAction } from "@kedge/protocol";
import { expect, test } from "vitest";
import { readRules } from "../src/configuration/read-rules.ts";
import { explainToolCall } from "../src/explain/explain-permission.ts";

const root = "/home/dev/proj";
const around = { cwd: root, root, home: "/home/dev", kedgeHome: "/home/dev/.kedge" };
const judging = { mode: "default", isSandboxed: false, confinesLooks: true } as const;

type Row = readonly [command: string, level: PermissionAction];

function levelOf(preset: string, [tool, subject]: readonly [string, string], own: object = {}): PermissionAction {
  const read = readRules({ permission: own, presets: [preset] }, { source: "user", file: "config.json" });
  if (!read.ok) throw new Error(read.sentence);
  return explainToolCall(tool, subject, { ...around, ...judging, rules: [read.rules] }).verdict;
}

function levelsOf(preset: string, rows: readonly Row[]): readonly Row[] {
  return rows.map(([command]) => [command, levelOf(preset, ["bash", command])]);
}

const gitRows: readonly Row[] = [
  ["git status", "allow"],
  ["git diff", "allow"],
  ["git log", "allow"],
  ["git add .", "allow"],
  ["git commit -m x", "ask"],
  ["git stash", "ask"],
  ["git restore a.ts", "ask"],
  ["git checkout main", "ask"],
  ["git reset --hard", "ask"],
  ["git worktree add sub", "ask"],
  ["git clean -fd", "deny"],
  ["git status -sb", "allow"],
  ["git diff --stat HEAD~1", "allow"],
  ["git diff --output=x", "ask"],
  ["git log --output=x", "ask"],
  ["git -C src status", "ask"],
  ["git clean -n", "deny"],
  ["git -C . clean -fd", "deny"],
  ["sudo git clean -fd", "deny"],
  ["git push", "ask"],
  ["git push origin main", "ask"],
  ["git push --force", "deny"],
  ["git push -f", "deny"],
  ["git push origin main --force", "deny"],
  ["git push origin main -f", "deny"],
  ["git push -u origin main -f", "deny"],
  ["git push origin --force-with-lease main", "deny"],
  ["git push origin my-feature", "ask"],
  ["git worktree remove sub --force", "deny"],
  ["git worktree remove sub -f", "deny"],
  ["git worktree remove sub", "ask"],
  ["git rebase main", "ask"],
  ["git switch main", "ask"],
  ["git branch -D x", "ask"],
  ["git branch x -D", "ask"],
  ["git branch --delete x", "ask"],
  ["git tag -d v1", "ask"],
  ["git gc", "ask"],
  ["git prune", "ask"],
  ["git reflog expire --all", "ask"],
  ["git filter-branch HEAD", "ask"],
  ["git update-ref HEAD x", "ask"],
  ["git config user.name x", "ask"],
  ["git status; git clean -fd", "deny"],
  ["git status && git commit -m x", "ask"],
  ["npm test", "ask"],
];

test("git-safe", () => {
  expect(levelsOf("git-safe", gitRows)).toEqual(gitRows);
});

const terraformRows: readonly Row[] = [
  ...["terraform", "tofu", "terragrunt"].flatMap((program): Row[] => [
    [`${program} plan`, "ask"],
    [`${program} plan -out=x`, "ask"],
    [`${program} import a b`, "ask"],
    [`${program} apply`, "deny"],
    [`${program} apply -auto-approve`, "deny"],
    [`${program} destroy`, "deny"],
    [`cd infra && ${program} destroy -target=a`, "deny"],
  ]),
  ["terraform -chdir=infra destroy", "deny"],
  ["TF_LOG=1 terraform apply", "deny"],
  ["terraform state rm a.b", "deny"],
  ["terraform state push x", "deny"],
  ["terraform force-unlock 1", "deny"],
  ["tofu state rm a.b", "deny"],
  ["terragrunt run-all apply", "deny"],
  ["pulumi preview", "ask"],
  ["pulumi up", "deny"],
  ["pulumi destroy --yes", "deny"],
  ["pulumi stack rm dev", "deny"],
  ["kubectl delete pod a", "ask"],
  ["helm uninstall a", "ask"],
  ["aws s3api delete-bucket --bucket a", "ask"],
];

test("terraform-safe", () => {
  expect(levelsOf("terraform-safe", terraformRows)).toEqual(terraformRows);
});

const readOnlyRows: readonly Row[] = [
  ["ls -la", "allow"],
  ["cat README.md", "allow"],
  ["grep -rn foo src", "allow"],
  ["git status", "allow"],
  ["git log --oneline | head -5", "allow"],
  ["find . -name '*.ts'", "allow"],
  ["find . -name '*.ts' -delete", "deny"],
  ["git log --output=x", "deny"],
  ["sed -n 1p a.ts", "allow"],
  ["sed -i s/a/b/ a.ts", "deny"],
  ["npm install", "ask"],
  ["echo x > a.txt", "deny"],
  ["cat /etc/passwd", "ask"],
];

test("read-only", () => {
  expect(levelsOf("read-only", readOnlyRows)).toEqual(readOnlyRows);
  expect(["edit", "write", "multi_edit"].map((tool) => levelOf("read-only", [tool, "src/a.ts"]))).toEqual([
    "deny",
    "deny",
    "deny",
  ]);
  expect(["read", "grep", "glob", "list"].map((tool) => levelOf("read-only", [tool, "src"]))).toEqual([
    "allow",
    "allow",
    "allow",
    "allow",
  ]);
});

test("ci denies whatever no rule allows", () => {
  const commands: readonly Row[] = [
    ["npm test", "deny"],
    ["git push", "deny"],
    ["rm x", "deny"],
    ["make | tee a.txt", "deny"],
  ];
  expect(levelsOf("ci", commands)).toEqual(commands);
  expect(levelOf("ci", ["read", "src/a.ts"])).toBe("allow");
  expect(levelOf("ci", ["grep", "src"])).toBe("allow");
  expect(levelOf("ci", ["edit", "src/a.ts"])).toBe("deny");
  expect(levelOf("ci", ["webfetch", "https://e.example"])).toBe("deny");
  expect(levelOf("ci", ["mcp__github__search", ""])).toBe("deny");
  const own = { bash: { "npm test": "allow" } };
  expect(levelOf("ci", ["bash", "npm test"], own)).toBe("allow");
  expect(levelOf("ci", ["bash", "npm test; npm publish"], own)).toBe("deny");
});

test("own rules stand after those of a preset", () => {
  expect(levelOf("git-safe", ["bash", "git commit -m x"], { bash: { "git commit*": "allow" } })).toBe("allow");
  expect(levelOf("git-safe", ["bash", "git status"], { bash: { "git *": "ask" } })).toBe("ask");
  expect(levelOf("terraform-safe", ["bash", "terraform plan"], { bash: { "terraform plan": "allow" } })).toBe("allow");
});

test("every preset has its table here", () => {
  expect([...presetNames].sort()).toEqual(["ci", "git-safe", "read-only", "terraform-safe"]);
});

test("what git-safe denies would have deleted files that git does not know", () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "kedge-presets-")));
  try {
    mkdirSync(join(place, "new"));
    writeFileSync(join(place, "new/untracked.txt"), "mine");
    execFileSync("git", ["init", "-q"], { cwd: place });
    const run = (command: string) => {
      if (levelOf("git-safe", ["bash", command]) !== "deny") execFileSync("bash", ["-c", command], { cwd: place });
    };
    run("git clean -fd");
    expect(existsSync(join(place, "new/untracked.txt"))).toBe(true);
    execFileSync("git", ["clean", "-q", "-fd"], { cwd: place });
    expect(existsSync(join(place, "new/untracked.txt"))).toBe(false);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
