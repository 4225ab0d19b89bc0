/** Three hundred definitions with the slips of real collections: each loads or is named, and none stops the others. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDefinitions } from "../src/definitions/index.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kedge-definitions-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content: string | Buffer): string {
  const whole = join(root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, content);
  return whole;
}

const search = (kind: "skill" | "command", folder = "skills", source = "claude") =>
  ({ kind, place: { source, tier: "project", folder: join(root, folder) }, root }) as const;

const body = "Do it.\n";
const slips: readonly (readonly [slip: string, text: (name: string) => string | Buffer, note: RegExp | undefined])[] = [
  ["fine", (name) => `---\nname: ${name}\ndescription: Does it.\n---\n${body}`, undefined],
  ["bare", () => body, /frontmatter/],
  ["colon", (name) => `---\nname: ${name}\ndescription: Use when: it fails\n---\n${body}`, /colon/],
  ["long", (name) => `---\nname: ${name}\ndescription: ${"x".repeat(3_000)}\n---\n${body}`, /characters/],
  ["other", (name) => `---\nname: my-${name}\ndescription: x\n---\n${body}`, /differs/],
  ["bom", (name) => `\ufeff---\nname: ${name}\ndescription: x\n---\n${body}`, undefined],
  ["crlf", (name) => `---\r\nname: ${name}\r\ndescription: x\r\n---\r\n${body}`, undefined],
  ["tabs", (name) => `---\nname: ${name}\ndescription: x\nallowed-tools:\n\t- Read\n---\n${body}`, /tabs/],
  ["twice", (name) => `---\nname: ${name}\ndescription: x\ndescription: y\n---\n${body}`, /duplicated/],
  ["string", (name) => `---\nname: ${name}\ndescription: x\nallowed-tools: Read, Grep\n---\n${body}`, undefined],
  ["latin", (name) => Buffer.from(`---\nname: ${name}\ndescription: caf\xe9\n---\n${body}`, "latin1"), /UTF-8/],
  ["open", (name) => `---\nname: ${name}\ndescription: x\n\n${body}`, /close the frontmatter/],
  ["spaces", () => `---\nname: My Great Skill\ndescription: x\n---\n${body}`, /is read as/],
];

test("every file loads or is named with file, line and remedy", () => {
  const expected = new Map<string, RegExp | undefined>();
  for (let index = 0; index < 290; index += 1) {
    const [slip, text, note] = slips[index % slips.length] ?? slips[0] ?? expect.fail();
    const name = `${slip}-${index}`;
    expected.set(put(`skills/${name}/SKILL.md`, text(name)), note);
  }
  const bad = [
    put("skills/empty/SKILL.md", ""),
    put("skills/large/SKILL.md", "x".repeat(5 * 1024 * 1024)),
    put("skills/binary/SKILL.md", "a\0b"),
    put("skills/directory/SKILL.md/x", "x").replace(/\/x$/, ""),
  ];
  mkdirSync(join(root, "skills/pipe"));
  execFileSync("mkfifo", [join(root, "skills/pipe/SKILL.md")]);
  mkdirSync(join(root, "skills/out"));
  symlinkSync("/etc/hosts", join(root, "skills/out/SKILL.md"));
  mkdirSync(join(root, "skills/gone"));
  symlinkSync("nowhere.md", join(root, "skills/gone/SKILL.md"));
  bad.push(...["pipe", "out", "gone"].map((name) => join(root, `skills/${name}/SKILL.md`)));

  const { used, hidden, refused } = findDefinitions([search("skill")]);
  const loaded = new Map([...used, ...hidden.map(({ definition }) => definition)].map((each) => [each.file, each]));
  expect([...loaded.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [file, note] of expected) {
    const notes = loaded.get(file)?.notes ?? [];
    if (note === undefined) expect(notes, file).toEqual([]);
    else expect(notes, file).toContainEqual({ line: expect.any(Number), text: expect.stringMatching(note) });
    expect(loaded.get(file)?.body, file).toBe("Do it.");
    expect(loaded.get(file)?.description, file).not.toBe("");
  }
  expect(refused.map(({ file }) => file).sort()).toEqual(bad.sort());
  for (const { why, remedy, line } of refused)
    expect([why, remedy, line]).toEqual([expect.stringMatching(/./), expect.stringMatching(/\.$/), 1]);
});

test("directories of commands are namespaces, and what is no command is left alone", () => {
  put("commands/db/migrate.md", "Migrate.");
  put("commands/review.prompt.md", "Review.");
  put("commands/README.md", "About these.");
  put("commands/script.sh", "exit 1");
  expect(findDefinitions([search("command", "commands")]).used.map(({ name }) => name)).toEqual([
    "db:migrate",
    "review",
  ]);
});

test("of two with one name the first place wins, and the other is named", () => {
  const winner = put("a/x/SKILL.md", "---\ndescription: first\n---\nx");
  const loser = put("b/x/SKILL.md", "---\ndescription: second\n---\nx");
  const { used, hidden } = findDefinitions([search("skill", "a", "native"), search("skill", "b", "claude")]);
  expect(used.map(({ file }) => file)).toEqual([winner]);
  expect(hidden.map(({ definition, why }) => [definition.file, why])).toEqual([
    [loser, "project native has the same name"],
  ]);
});

test("a folder that two agents share by a link is read once", () => {
  put("a/x/SKILL.md", "---\ndescription: first\n---\nx");
  symlinkSync("a", join(root, "b"));
  expect(findDefinitions([search("skill", "a"), search("skill", "b")])).toMatchObject({
    hidden: [],
    used: [{ name: "x" }],
  });
});
