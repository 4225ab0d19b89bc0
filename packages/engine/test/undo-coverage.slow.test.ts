/** What a call touches beyond the files git sees: rules for ignored files against git itself, targets, commands. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Need } from "@kedge/protocol";
import { createMachineLook } from "@kedge/store";
import { createSeededRandom } from "@kedge/testing";
import { afterEach, expect, test } from "vitest";
import { createUndoCoverage } from "../src/call/files/undo-coverage.ts";
import { coverageRows, heldForCommands } from "../src/call/files/undo-coverage-commands.ts";
import { readIgnoreRules } from "../src/call/files/undo-coverage-ignore.ts";
import { readPlainCommands } from "./judge-cases.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(files: { readonly [path: string]: string } = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-undo-coverage-")));
  folders.push(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

const readText = (path: string) => readFile(path, "utf8").catch(() => undefined);

test("whatever git ignores may be ignored, and most of what it does not is told apart", async () => {
  const random = createSeededRandom();
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const words = ["a", "b", "build", "x.log", "é", "a b", "[c]", "d.e", "\\f", "g\\h", "-i", "{j}", " k", "\tl", "m\nn"];
  const path = () => Array.from({ length: 1 + random.below(4) }, () => pick(words)).join("/");
  const pieces = [...words, "*", "**", "*.log", "?", "[ab]", "[!a]", "b*", "\\[c\\]", "*.e", "a\\ b"];
  const rule = () => {
    const body = Array.from({ length: 1 + random.below(3) }, () => pick(pieces)).join("/");
    return `${pick(["", "", "", "/", "!"])}${body}${pick(["", "", "/", "/**", " "])}`;
  };
  const root = newFolder();
  execFileSync("git", ["init", "-q"], { cwd: root });
  let [ignored, extra, seen] = [0, 0, 0];
  for (let round = 0; round < 40 || ignored <= 50; round += 1) {
    const top = Array.from({ length: 1 + random.below(4) }, rule);
    const inner = Array.from({ length: random.below(3) }, rule);
    const exclude = Array.from({ length: random.below(2) }, rule);
    mkdirSync(join(root, "a"), { recursive: true });
    writeFileSync(join(root, ".gitignore"), `# rules\n${top.join("\n")}\n`);
    writeFileSync(join(root, "a/.gitignore"), inner.join("\r\n"));
    writeFileSync(join(root, ".git/info/exclude"), exclude.join("\n"));
    const paths = Array.from({ length: 20 }, path);
    const input = paths.map((one) => `${one}\0`).join("");
    const asked = spawnSync("git", ["check-ignore", "-z", "--no-index", "--stdin"], { cwd: root, input });
    const known = new Set(asked.stdout.toString().split("\0"));
    for (const one of paths) {
      const may = (await readIgnoreRules(root, [one], readText)).mayMatch(one);
      if (known.has(one) && !may) expect({ seed: random.seed, one, top, inner, exclude }).toBe("found");
      seen += 1;
      if (known.has(one)) ignored += 1;
      else if (may) extra += 1;
    }
  }
  expect(extra).toBeLessThan(seen / 2);
});

function write(...paths: readonly string[]): Need {
  return { permission: "edit", patterns: [...paths], always: [], access: "write", paths };
}

function coverageAt(root: string) {
  const workspace = {
    ...{ cwd: root, root, projectId: "p", home: "/home/dev", kedgeHome: "/home/dev/.kedge" },
    lookAtPath: () => ({ place: "inside" as const, otherNames: [] }),
    analyseShell: readPlainCommands,
    isProtected: () => false,
  };
  return createUndoCoverage({ workspace, machine: createMachineLook({ monotonicMs: () => performance.now() }) });
}

const rules = { ".gitignore": "build/\n.env\n", "build/a.js": "", ".env": "", "src/a.ts": "" };

const named: readonly (readonly [string, readonly string[], object])[] = [
  ["a file that git sees", ["src/a.ts"], {}],
  ["a new file", ["src/new.ts"], {}],
  ["an ignored file", [".env"], { also: [".env"] }],
  ["a new file in an ignored folder", ["build/x/new.js"], { also: ["build/x/new.js"] }],
  ["files of both kinds", ["src/a.ts", "build/a.js"], { also: ["build/a.js"] }],
  ["the rules", [".gitignore"], { also: "all-ignored" }],
  ["a file behind a link", ["out/a.js"], { also: ["build/a.js"] }],
  ["a link itself", ["env-link"], { also: [".env"] }],
  ["a file outside", ["../elsewhere/.env"], {}],
  ["a file of git itself", [".git/config"], {}],
];

test.each(named)("%s", async (_, paths, held) => {
  const root = newFolder(rules);
  symlinkSync("build", join(root, "out"));
  symlinkSync(".env", join(root, "env-link"));
  expect(await coverageAt(root)([write(...paths.map((path) => join(root, path)))])).toEqual(held);
});

test("without rules nothing is asked for", async () => {
  const root = newFolder({ "src/a.ts": "" });
  expect(await coverageAt(root)([write(join(root, "src/a.ts"), join(root, ".env"))])).toEqual({});
});

const destroying: readonly (readonly [string, object])[] = [
  ["git status", {}],
  ["git reset HEAD~1", {}],
  ["git reset --hard HEAD~1", { also: "all-ignored", refs: "noted" }],
  ["git checkout -- src", { also: "all-ignored" }],
  ["git restore .", { also: "all-ignored" }],
  ["git clean -fdx", { also: "all-ignored" }],
  ["git clean -n", {}],
  ["git stash", {}],
  ["git stash drop", { refs: "noted" }],
  ["git stash clear", { refs: "noted" }],
  ["git stash pop", { also: "all-ignored", refs: "noted" }],
  ["git branch new", {}],
  ["git branch -D old", { refs: "noted" }],
  ["git worktree remove ../w", { also: "all-ignored", refs: "noted" }],
  ["git gc --prune=now", { refs: "kept" }],
  ["git reflog expire --expire=now --all", { refs: "kept" }],
  ["git update-ref -d refs/heads/x", { refs: "noted" }],
];

test.each(destroying)("%s", (command, held) => {
  const analysed = { text: command, otherTexts: [], isTransparent: false, riskyOptions: [], readOnly: false };
  const analysis = { commands: [analysed], files: [], concerns: [], readOnly: false, looksAt: "files" } as const;
  expect(heldForCommands(analysis, command)).toEqual(held);
});

test("the table says something in every row", () => {
  expect(coverageRows.filter(({ also, refs }) => also === undefined && refs === undefined)).toEqual([]);
});
