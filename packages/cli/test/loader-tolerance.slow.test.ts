/** Three hundred skills, commands, agents and styles with the slips of real collections, through the real program. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench;
afterEach(() => bench.close());

function put(path: string, content: string | Buffer): string {
  const whole = join(bench.home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, content);
  return whole;
}

const body = "Do it well.\n";

type Slip = readonly [name: string, text: (name: string) => string | Buffer, expected: "loads" | "noted" | "refused"];

/** As they lie in public collections: written by hand, converted, saved by other systems, cut off. */
const slips: readonly Slip[] = [
  ["fine", (name) => `---\nname: ${name}\ndescription: Does it.\n---\n${body}`, "loads"],
  ["bare", () => body, "noted"],
  ["colon", (name) => `---\nname: ${name}\ndescription: Use when: it fails: often\n---\n${body}`, "noted"],
  ["quote", (name) => `---\nname: ${name}\ndescription: "Says "hello" to all"\n---\n${body}`, "noted"],
  [
    "examples",
    (name) =>
      `---\nname: ${name}\ndescription: Use it. Examples: <example>user: "x" assistant: "y"</example>\n---\n${body}`,
    "noted",
  ],
  ["folded", (name) => `---\nname: ${name}\ndescription: >-\n  One line\n  and another\n---\n${body}`, "loads"],
  ["list", (name) => `---\nname: ${name}\ndescription: x\ntags:\n  - one\n  - two\n---\n${body}`, "loads"],
  ["bom", (name) => `\ufeff---\nname: ${name}\ndescription: x\n---\n${body}`, "loads"],
  ["crlf", (name) => `---\r\nname: ${name}\r\ndescription: x\r\n---\r\n${body}`, "loads"],
  ["twice", (name) => `---\nname: ${name}\ndescription: x\ndescription: y\n---\n${body}`, "noted"],
  ["open", (name) => `---\nname: ${name}\ndescription: x\n\n${body}`, "noted"],
  ["latin", (name) => Buffer.from(`---\nname: ${name}\ndescription: caf\xe9\n---\n${body}`, "latin1"), "noted"],
  ["blank", (name) => `\n\n---\nname: ${name}\ndescription: x\n---\n${body}`, "loads"],
  ["empty", () => "", "refused"],
  ["binary", () => "a\0b\0c", "refused"],
];

type Row = {
  readonly name: string;
  readonly status: string;
  readonly file?: string;
  readonly why?: string;
  readonly notes: readonly string[];
};

const kinds = [
  { kind: "skill", path: (name: string) => `skills/${name}/SKILL.md`, list: ["skills", "list", "--json"] },
  { kind: "command", path: (name: string) => `commands/group/${name}.md`, list: ["commands", "list", "--json"] },
  { kind: "agent", path: (name: string) => `agents/${name}.md`, list: ["agents", "list", "--json"] },
] as const;

test("each loads or is named with file, line and remedy, and none stops the others", async () => {
  bench = await openWorkbench([{ text: "Done." }]);
  const written = new Map<string, { readonly kind: string; readonly slip: Slip }>();
  for (let index = 0; index < 300; index += 1) {
    const { kind, path } = kinds[index % kinds.length] ?? expect.fail();
    const slip = slips[Math.floor(index / kinds.length) % slips.length] ?? expect.fail();
    const name = `${slip[0]}-${index}`;
    written.set(put(path(name), slip[1](name)), { kind, slip });
  }
  for (const { kind, list } of kinds) {
    const ran = await bench.run(list);
    expect(ran.code, ran.stderr).toBe(0);
    const rows = new Map((JSON.parse(ran.stdout) as readonly Row[]).map((row) => [row.file, row]));
    for (const [file, { kind: of, slip }] of written) {
      if (of !== kind) continue;
      const row = rows.get(file) ?? expect.fail(`${kind} ${file} is not listed`);
      const [name, , expected] = slip;
      expect([file, row.status], name).toEqual([file, expected === "refused" ? "refused" : "used"]);
      if (expected === "noted" || expected === "refused") expect(row.notes.join("\n"), file).toMatch(/line \d+/);
      if (expected === "refused") expect(row.why, file).toMatch(/\. .+\.$/);
    }
  }
  const ran = await bench.run(["-p", "hi"]);
  expect([ran.code, ran.stdout]).toEqual([0, "Done.\n"]);
});
