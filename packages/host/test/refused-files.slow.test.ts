/** Nothing of a file that may not be read comes out of any way of reading, whatever the rules and the call look like. */
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PermissionRule } from "@kedge/protocol";
import { createSeededRandom, rounds, type SeededRandom } from "@kedge/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type OpenTools, openTools } from "./open-tools.ts";

let bench: OpenTools;
let root = "";

beforeEach(() => {
  bench = openTools();
  root = bench.root;
});
afterEach(() => bench.close());

const canary = "canary_7f3a";
const folders = ["", "src/", "src/deep/", "private/", "conf.d/", ".config/", "docs/"];
const names = [
  "a.ts",
  "notes.md",
  ".env",
  ".env.local",
  "server.key",
  "id_rsa",
  "data.json",
  "b.ts",
  "secret.ts",
  "Makefile",
];

/** Every file holds the canary with a number of its own, as code that all searches find. */
function makeFiles(random: SeededRandom): readonly string[] {
  const files = new Set<string>();
  while (files.size < 24) files.add(folders[random.below(folders.length)] + (names[random.below(names.length)] ?? ""));
  const all = [...files];
  for (const [index, name] of all.entries()) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `export function ${canary}_${index}_() {\n  return call(${index});\n}\n`);
  }
  return all;
}

function makeRules(files: readonly string[], random: SeededRandom): readonly PermissionRule[] {
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const patterns = () => {
    const file = pick(files);
    return pick([file, `${dirname(file)}/*`, "*.md", "src/*", "private/*", join(root, file), "*.ts", "*/secret.ts"]);
  };
  return Array.from({ length: random.below(5) }, () => ({
    permission: pick(["read", "read", "read", "view", "secret_file"]),
    pattern: patterns(),
    action: pick(["deny", "deny", "ask", "allow"] as const),
  }));
}

function callsOn(files: readonly string[], random: SeededRandom): readonly (readonly [string, object])[] {
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  const folder = pick(folders) || ".";
  return [
    ["grep", { pattern: canary }],
    ["grep", { pattern: canary, mode: "files", gitignore: false }],
    ["grep", { pattern: canary, mode: "count", path: folder }],
    ["grep", { pattern: "call\\(", paths: [pick(files), folder], context: 3 }],
    ["grep", { pattern: `${canary}[^;]*return`, path: folder }],
    ["glob", { pattern: "**/*" }],
    ["glob", { pattern: "*", path: folder }],
    ["list", {}],
    ["list", { path: folder }],
    ["read", { filePath: folder }],
    ["read", { filePath: folder, offset: 1 }],
    ["read", { filePath: pick(files) }],
    ["read", { filePath: `missing/${pick(names)}` }],
    ["read", { filePath: `${pick(files)}x` }],
    ["read", { filePath: "all.tar" }],
    ["read", { filePath: `all.tar:${pick(files)}` }],
    ["read", { filePath: "all.tar:src/nothing.ts" }],
    ["codesearch", { query: "canary" }],
    ["ast_grep", { pat: "call($A)", paths: [folder] }],
    ["ast_edit", { ops: [{ pat: "call($A)", out: "other($A)" }], paths: [folder] }],
  ];
}

/** Everything a client or a model would see of a call; nothing where it is refused. */
async function seen(session: ReturnType<OpenTools["session"]>, name: string, input: object): Promise<string> {
  const result = await session.run(name, input);
  return result === undefined ? "" : JSON.stringify([result.output, result.title, result.metadata ?? {}]);
}

test("no search, listing or reading shows anything of a file that may not be read", async () => {
  const random = createSeededRandom();
  const leaks: string[] = [];
  let shownCount = 0;
  for (let round = 0; round < rounds({ usual: 4, long: 60 }); round++) {
    bench.clear();
    const files = makeFiles(random);
    execFileSync("tar", ["-cf", join(bench.top, "all.tar"), "-C", root, "."]);
    execFileSync("mv", [join(bench.top, "all.tar"), root]);
    const rules = makeRules(files, random);
    const session = bench.session(rules);
    const { reading } = session;
    const refused = files.filter((name) => reading.of(join(root, name)).answer !== "allow");
    for (const [tool, input] of callsOn(files, random)) {
      const shown = await seen(session, tool, input);
      if (shown.includes(canary)) shownCount += 1;
      for (const name of refused) {
        const mark = `${canary}_${files.indexOf(name)}_`;
        if (!shown.includes(mark)) continue;
        leaks.push(`${tool} ${JSON.stringify(input)} shows ${name} under ${JSON.stringify(rules)}`);
      }
    }
    const listed = await seen(session, "glob", { pattern: "**/*" });
    const metadata = listed === "" ? { files: [] } : (JSON.parse(listed)[2] as { readonly files?: readonly string[] });
    leaks.push(...refused.filter((name) => metadata.files?.includes(name)).map((name) => `glob lists ${name}`));
  }
  expect(leaks).toEqual([]);
  expect(shownCount).toBeGreaterThan(0);
});

test("what is left out is counted, and the count says nothing about the content", async () => {
  for (const name of ["src/a.ts", "private/b.ts", "private/c.ts", ".env"]) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `const ${canary} = "${name}";\n`);
  }
  const session = bench.session([{ permission: "read", pattern: "private/*", action: "deny" }]);
  const note = "(3 files left out: not readable under the permission rules)";
  for (const [tool, input] of [
    ["grep", { pattern: canary }],
    ["grep", { pattern: "matches nothing" }],
    ["grep", { pattern: "b\\.ts" }],
    ["glob", { pattern: "**/*" }],
    ["list", {}],
    ["codesearch", { query: "canary" }],
  ] as const) {
    const shown = await seen(session, tool, input);
    expect([
      tool,
      shown.includes(note),
      /b\.ts|c\.ts\b|\.env/.test(shown.replace(JSON.stringify(input), "").replaceAll("b\\\\.ts", "")),
    ]).toEqual([tool, true, false]);
  }
  expect(await seen(session, "grep", { pattern: canary, include: "*.ts" })).toContain("(2 files left out");
  expect(await seen(session, "ast_grep", { pat: `const ${canary} = $A`, paths: ["."] })).toContain("(3 files left out");
  expect(await seen(session, "read", { filePath: "." })).toContain("left out");
});

test("a second name of a secret file, as hard or symbolic link, shows nothing", async () => {
  writeFileSync(join(root, ".env"), `TOKEN=${canary}\n`);
  writeFileSync(join(root, "plain.txt"), "x\n");
  linkSync(join(root, ".env"), join(root, "hard.txt"));
  symlinkSync(".env", join(root, "soft.txt"));
  const session = bench.session([]);
  for (const [tool, input] of [
    ["grep", { pattern: "TOKEN" }],
    ["grep", { pattern: "TOKEN", mode: "count" }],
    ["grep", { pattern: "TOKEN", path: "soft.txt" }],
    ["grep", { pattern: "TOKEN", path: "hard.txt" }],
    ["read", { filePath: "soft.txt" }],
    ["read", { filePath: "hard.txt" }],
    ["codesearch", { query: "token" }],
  ] as const) {
    const shown = await seen(session, tool, input);
    expect([tool, input, shown.includes(canary) || shown.includes("hard.txt")]).toEqual([tool, input, false]);
  }
});
