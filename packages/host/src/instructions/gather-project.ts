/** What a repository looks like from outside, by names alone: no text of a file is taken over, so none can give orders. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { plainName } from "@kedge/memory/instructions";
import { isJsonObject } from "@kedge/protocol";

export type ProjectFinding = { readonly title: string; readonly names: readonly string[] };

const manifests: readonly string[] = [
  ...[
    "package.json",
    "pnpm-workspace.yaml",
    "deno.json",
    "tsconfig.json",
    "pyproject.toml",
    "setup.py",
    "requirements.txt",
  ],
  ...["Cargo.toml", "go.mod", "pom.xml", "build.gradle", "build.gradle.kts", "Gemfile", "composer.json", "mix.exs"],
  ...["CMakeLists.txt", "Makefile", "justfile", "Taskfile.yml", "Dockerfile", "docker-compose.yml", "flake.nix"],
];
const lockFiles: readonly string[] = [
  ...["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "uv.lock", "poetry.lock", "Cargo.lock", "go.sum"],
];
const checks: readonly string[] = [
  ...[
    "biome.json",
    ".eslintrc.json",
    "eslint.config.js",
    ".prettierrc",
    "ruff.toml",
    ".flake8",
    "mypy.ini",
    ".golangci.yml",
  ],
  ...[
    "vitest.config.ts",
    "jest.config.js",
    "pytest.ini",
    "tox.ini",
    ".pre-commit-config.yaml",
    "rustfmt.toml",
    ".editorconfig",
  ],
];
const documents: readonly string[] = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs"];
const otherInstructions: readonly string[] = [
  ...["CLAUDE.md", "GEMINI.md", "KEDGE.md", ".cursorrules", ".cursor/rules", ".windsurfrules", ".clinerules"],
  ...[".github/copilot-instructions.md", ".github/instructions", ".claude/CLAUDE.md"],
];
const ciPlaces: readonly string[] = [
  ".github/workflows",
  ".gitlab-ci.yml",
  ".circleci",
  "azure-pipelines.yml",
  "Jenkinsfile",
];

const namesMax = 40;
const leftOut: ReadonlySet<string> = new Set(["node_modules", "vendor", "target", "dist", "build", "coverage"]);

export function gatherProject(root: string): readonly ProjectFinding[] {
  const present = (paths: readonly string[]) => paths.filter((path) => existsSync(join(root, path)));
  const findings: readonly ProjectFinding[] = [
    { title: "Manifests", names: present(manifests) },
    { title: "Lock files", names: present(lockFiles) },
    { title: "Scripts in package.json", names: scriptsOf(root) },
    { title: "Targets in Makefile", names: targetsOf(root) },
    { title: "Checks and formatters", names: present(checks) },
    {
      title: "CI",
      names: present(ciPlaces).flatMap((path) => [path, ...namesIn(root, path).map((name) => `${path}/${name}`)]),
    },
    { title: "Directories", names: directoriesOf(root) },
    { title: "Documents", names: present(documents) },
    { title: "Instructions for other agents", names: present(otherInstructions) },
  ];
  return findings
    .filter(({ names }) => names.length > 0)
    .map(({ title, names }) => ({ title, names: shortened(names).map(plainName) }));
}

function shortened(names: readonly string[]): readonly string[] {
  return names.length <= namesMax ? names : [...names.slice(0, namesMax), `and ${names.length - namesMax} more`];
}

/** The names only: what they run is for the model to read in the file. */
function scriptsOf(root: string): readonly string[] {
  const manifest = textOf(root, "package.json");
  try {
    const value: unknown = manifest === "" ? undefined : JSON.parse(manifest);
    return isJsonObject(value) && isJsonObject(value["scripts"]) ? Object.keys(value["scripts"]) : [];
  } catch {
    // A manifest that is no JSON has no scripts that anybody could run.
    return [];
  }
}

function targetsOf(root: string): readonly string[] {
  return [...textOf(root, "Makefile").matchAll(/^([A-Za-z][\w.-]{0,60}):(?!=)/gm)].map(([, name = ""]) => name);
}

/** Two levels. */
function directoriesOf(root: string): readonly string[] {
  return directoriesIn(root, "").flatMap((name) => [
    name,
    ...directoriesIn(root, name).map((each) => `${name}/${each}`),
  ]);
}

function directoriesIn(root: string, path: string): readonly string[] {
  return namesIn(root, path).filter(
    (name) => !name.startsWith(".") && !leftOut.has(name) && isDirectory(join(root, path, name)),
  );
}

function namesIn(root: string, path: string): readonly string[] {
  try {
    return readdirSync(join(root, path)).sort();
  } catch {
    return [];
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const bytesMax = 1024 * 1024;

function textOf(root: string, name: string): string {
  const path = join(root, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= bytesMax ? readFileSync(path, "utf8") : "";
}
