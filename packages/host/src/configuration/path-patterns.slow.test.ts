/** Proves that the globs match the files that git's own reading of the pattern matches, and that doubt gives none. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge } from "@kedge/engine";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exactPathPatterns } from "./path-patterns.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "kedge-patterns-"));
  execFileSync("git", ["init", "-q"], { cwd: directory });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const names = ["a", "a.ts", "b.ts", ".env", ".env.local", "src", "secrets", "x.ts"];
const files = names.flatMap((first) => [
  first,
  ...names.flatMap((second) => [
    `${first}/${second}`,
    ...["a.ts", "secrets", ".env"].map((third) => `${first}/${second}/${third}`),
  ]),
]);

function ignoredByGit(pattern: string): readonly string[] {
  writeFileSync(join(directory, ".gitignore"), `${pattern}\n`);
  const { stdout } = spawnSync("git", ["check-ignore", "--no-index", "--stdin"], {
    ...{ cwd: directory, input: files.join("\n"), encoding: "utf8" },
  });
  return stdout.split("\n").filter((line) => line !== "");
}

function deniedByRules(patterns: readonly string[]): readonly string[] {
  const rules = patterns.map((pattern) => ({ permission: "edit", pattern, action: "deny" as const }));
  return files.filter((file) => {
    const path = join(directory, file);
    const need = { permission: "edit", patterns: [file], always: [], access: "write" as const, paths: [path] };
    const call = { tool: "edit", needs: [need], readOnly: false, cwd: directory };
    const lookAtPath = () => ({ place: "inside" as const, otherNames: [] });
    const context = { rules: [{ source: "user" as const, rules }], grants: [], mode: "default" as const, lookAtPath };
    return judge(call, { ...context, root: directory }).verdict === "deny";
  });
}

const exact = [
  ...[
    "secrets",
    ".env",
    "*.ts",
    ".env*",
    "src/**",
    "src/",
    "/src",
    "/src/**",
    "src/a.ts",
    "src/*",
    "src/a*",
    "**/.env",
  ],
  ...["**/*.ts", "src/**/*.ts", "src/**/secrets", "**/src/**", "**/secrets/", "a/b.ts", "**/.env*", "src/**/.env*"],
];

test.each(exact)("%s", (pattern) => {
  const globs = exactPathPatterns(pattern, { layer: "project", action: "deny" });
  expect(deniedByRules(globs ?? [])).toEqual(ignoredByGit(pattern));
  expect(globs).toBeDefined();
});

test.each(["src/*.ts", "a?b", "[ab].ts", "!src/a.ts", "src/**/a*b/c", "src/*/a.ts", "/*.ts", "a\\*b", "../x", ""])(
  "nothing means %s exactly",
  (pattern) => {
    expect(exactPathPatterns(pattern, { layer: "project", action: "allow" })).toBeUndefined();
  },
);

test.each([
  ["//etc/passwd", "user", ["/etc/passwd", "/etc/passwd/**"]],
  ["~/.ssh/**", "project", ["~/.ssh/**"]],
  ["/rules/**", "user", ["~/.claude/rules/**"]],
  ["/rules/**", "local", ["rules/**"]],
] as const)("%s of the %s layer", (pattern, layer, expected) => {
  expect(exactPathPatterns(pattern, { layer, action: "allow" })).toEqual(expected);
});
