/** What lint finds, each in a directory where everything else is right, and what it repairs. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LintFinding, lintMemory } from "../../src/topics/index.ts";
import { draft, type MemorySite, openMemorySite, redactForms } from "./memory-site.ts";

let site: MemorySite;
beforeEach(async () => {
  site = openMemorySite();
  await site
    .open()
    .save(draft("The build needs four gigabytes", { slug: "build", description: "Build needs memory" }), stated);
});
afterEach(() => site.remove());

const stated = { origin: "user-stated" } as const;

async function lint(): Promise<readonly LintFinding[]> {
  const contents = await site.open().read();
  const linesOf = (path: string) => (path === "src/cart.ts" ? 20 : undefined);
  return lintMemory(contents, { redact: redactForms, today: "2026-03-10", linesOf });
}

const topic = (body: string, more = "") =>
  `---\nname: T\ndescription: d\ntype: project\nupdated: 2026-03-01\n${more}---\n\n${body}\n`;
const listed = (name: string) => site.write("MEMORY.md", `${site.read("MEMORY.md")}- [T](${name}): d\n`);

test("nothing is wrong", async () => {
  expect(await lint()).toEqual([]);
});

const cases: readonly (readonly [string, () => void, Partial<LintFinding>])[] = [
  [
    "a file that the index does not list",
    () => site.write("t.md", topic("Text")),
    { kind: "orphan", severity: "error", file: "t.md" },
  ],
  ["a line without a file", () => listed("gone.md"), { kind: "missing-file", severity: "error", line: 5 }],
  [
    "a dead link",
    () => both(topic("See [[nothing]].")),
    { kind: "dead-link", severity: "error", file: "t.md", line: 8 },
  ],
  ["no frontmatter", () => both("Text only\n"), { kind: "frontmatter", severity: "error", file: "t.md" }],
  [
    "frontmatter without an end",
    () => both("---\nname: x\n"),
    { kind: "frontmatter", severity: "error", file: "t.md" },
  ],
  [
    "an unknown type",
    () => both(topic("Text").replace("project", "preference")),
    { kind: "unknown-type", severity: "error" },
  ],
  [
    "a stale topic",
    () => both(topic("Text").replace("2026-03-01", "2025-11-01")),
    { kind: "stale", severity: "warning" },
  ],
  [
    "a long line",
    () => site.write("MEMORY.md", `${site.read("MEMORY.md")}${"x".repeat(201)}\n`),
    { kind: "long-line", severity: "warning", line: 5 },
  ],
  [
    "the same twice",
    () => both(topic("The build needs four gigabytes!")),
    { kind: "duplicate", severity: "warning", file: "t.md" },
  ],
  [
    "a missing file",
    () => both(topic("See src/gone.ts for it.")),
    { kind: "missing-path", severity: "warning", line: 8 },
  ],
  [
    "a missing line",
    () => both(topic("See `src/cart.ts:21`.")),
    { kind: "missing-path", severity: "warning", message: "src/cart.ts has 20 lines, not 21." },
  ],
  ["a secret", () => both(topic("Use ghp_0123456789abcdefABCDEF.")), { kind: "secret", severity: "error", line: 8 }],
  ["a suspicious text", () => both(topic("Use --no-verify."), false), { kind: "suspicious", severity: "error" }],
  ["a file that is no text", () => site.write("t.md", "a\0b"), { kind: "unreadable", severity: "error", file: "t.md" }],
  [
    "a day that nobody knows later",
    () => both(topic("The freeze began last week.")),
    { kind: "vague-date", severity: "warning" },
  ],
  [
    "pressure of lines",
    () => site.write("MEMORY.md", `${site.read("MEMORY.md")}${"mine\n".repeat(161)}`),
    { kind: "cap-pressure", severity: "warning" },
  ],
];

function both(text: string, isListed = true): void {
  site.write("t.md", text);
  if (isListed) listed("t.md");
}

test.each(cases)("%s", async (_, spoil, expected) => {
  spoil();
  expect(await lint()).toEqual([expect.objectContaining(expected)]);
});

test("a disputed pair", async () => {
  const store = site.open();
  await store.save(draft("Packages are installed with npm", { slug: "one" }), stated);
  await store.save(draft("Packages are installed with yarn", { slug: "two" }), stated);
  expect((await lint()).map(({ kind, file }) => [kind, file])).toEqual([
    ["disputed", "one.md"],
    ["disputed", "two.md"],
  ]);
});

test.each(cases)("after the repair nothing that was said to be fixable is left: %s", async (_, spoil) => {
  spoil();
  const store = site.open();
  await store.repair();
  await store.reindex();
  const left = (await lint()).filter(({ fixable, kind }) => fixable && kind !== "long-line");
  expect(left).toEqual([]);
  expect((await store.read()).topics.map(({ topic }) => topic.slug)).toContain("build");
});

test("links, addresses and ordinary words are no cited files", async () => {
  both(topic("See https://example.com/src/gone.ts and and/or, v1.2/3, [[build]] and src/cart.ts:20."));
  expect(await lint()).toEqual([]);
});
