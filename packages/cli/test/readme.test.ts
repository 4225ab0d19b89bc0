/** The figures and keys of the README and the changelog are those of the program. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const readme = textOf("README.md");
const changelog = textOf("CHANGELOG.md");

const rows = textOf("packages/models/src/catalogue/catalogue.jsonl")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly id?: string; readonly api?: string })
  .filter(({ id }) => id !== undefined);

test("the catalogue has as many providers and APIs as both claim", () => {
  expect(readme).toContain("More than ninety providers and local servers, four APIs, and AI SDK packages for the rest");
  expect(changelog).toContain("More than ninety providers and local servers");
  expect(rows.length).toBeGreaterThan(90);
  const apis = new Set(rows.flatMap(({ api }) => (api === undefined || api === "ai-sdk" ? [] : [api])));
  expect([...apis].sort()).toEqual(["anthropic", "google", "openai-chat", "openai-responses"]);
});

test("the changelog counts themes and kinds of secrets as they are", () => {
  expect(changelog).toContain("ten themes");
  expect(
    readdirSync(join(root, "packages/tui/src/theme/builtin")).filter((name) => name.endsWith(".json")),
  ).toHaveLength(10);
  const kinds = new Set(
    textOf("packages/memory/src/redaction/secret-kinds.jsonl")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly kind: string }).kind),
  );
  for (const text of [changelog, textOf("docs/security.md")]) expect(text).toContain("ore than 130 kinds");
  expect(kinds.size).toBeGreaterThan(130);
});

test("both say of edits what the corpus shows", () => {
  const [, cases, unambiguous] = /(1,306) cases: 68 kinds [^.]*\. In (863) of them/.exec(textOf("docs/tools.md")) ?? [];
  expect([cases, unambiguous]).toEqual(["1,306", "863"]);
  expect(changelog).toContain(`of ${unambiguous} unambiguous cases, 821 are applied, and none of ${cases}`);
});

test("every key of the README's table is bound to what the table says", () => {
  const actions = textOf("docs/keybinds.md");
  const table = new Map(
    [...readme.matchAll(/^\| (`[^|]+) \| ([^|]+) \|$/gm)].map(([, key = "", what = ""]) => [key, what]),
  );
  expect([...table.keys()]).toEqual([
    "`Enter`",
    "`y` / `n`",
    "`Shift+Tab`",
    "`Esc`",
    "`/undo`, `/redo`",
    "`Ctrl+P`",
    "`?`",
  ]);
  for (const row of [
    "| `submit` | `enter` |",
    "| `permission_cycle` | `shift+tab` |",
    "| `interrupt` | `escape` |",
    "| `palette` | `ctrl+p` ",
  ])
    expect(actions).toContain(row);
  expect(actions).toContain("also ? in an empty prompt");
});

test("the comparison with other agents is dated, and each claim about them has a source", () => {
  expect(readme).toMatch(
    /as of (?:January|February|March|April|May|June|July|August|September|October|November|December) 20\d\d/,
  );
  const [table = ""] = /^\| \| kedge \| Claude Code [\s\S]*?\n\n/m.exec(readme) ?? [];
  const claims = table
    .trim()
    .split("\n")
    .slice(2)
    .filter((row) => !/^\| (?:License|Models) \|/.test(row))
    .flatMap((row) => row.split(" | ").slice(2));
  expect(claims.length).toBeGreaterThan(5);
  expect(claims.filter((claim) => !/\]\(https:\/\/|^–/.test(claim))).toEqual([]);
});
