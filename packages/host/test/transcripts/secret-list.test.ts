/** Proves how the user's list of secrets is read, and that a broken one is named with its line and never passed over. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createExportRedactor, readSecrets } from "../../src/transcripts/index.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kedge-secrets-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function redacted(text: string): Promise<string> {
  const secrets = await readSecrets(home);
  if (!secrets.ok) return secrets.sentence;
  const redactor = createExportRedactor({ redact: (each) => each, environment: {}, secrets: secrets.entries });
  return redactor.ok ? redactor.redact(text) : redactor.sentence;
}

const yaml = `# mine
- type: plain
  content: 12345678
- { type: regex, content: 'proj-[a-z]+', flags: i, replacement: "[project]" }
- type: plain
  content: hunter2
  mode: replace
`;

test("YAML is read, and every text is a text", async () => {
  writeFileSync(join(home, "secrets.yml"), yaml);
  expect(await readSecrets(home)).toEqual({
    ok: true,
    entries: [
      { type: "plain", content: "12345678" },
      { type: "regex", content: "proj-[a-z]+", flags: "i", replacement: "[project]" },
      { type: "plain", content: "hunter2", mode: "replace" },
    ],
  });
  expect(await redacted("12345678 PROJ-x hunter2")).toBe("[REDACTED:secret] [project] *******");
});

test("JSON is read as well, and several files count together", async () => {
  writeFileSync(join(home, "secrets.json"), JSON.stringify([{ type: "plain", content: 'a"b\\c' }], undefined, "\t"));
  writeFileSync(join(home, "secrets.yaml"), "- {type: plain, content: second}");
  expect(await redacted('a"b\\c second')).toBe("[REDACTED:secret] [REDACTED:secret]");
});

test.each(["", "# nothing yet\n", "[]"])("an empty list is none: %j", async (text) => {
  writeFileSync(join(home, "secrets.yml"), text);
  expect(await readSecrets(home)).toEqual({ ok: true, entries: [] });
});

test("without a file there are none", async () => {
  expect(await readSecrets(home)).toEqual({ ok: true, entries: [] });
});

test.each([
  ["- type: plain\n  content: 'half\n", 3, "it is not valid YAML"],
  ["a: b\n", 1, "it must be a list of entries with type and content"],
  ["- just words\n", 1, "an entry must have type and content"],
  ["\n- type: plain\n  content: ok\n- type: word\n  content: x\n", 4, "type must be plain or regex"],
  ["- type: plain\n  content: ''\n", 1, "content must be a non-empty string"],
  ["- type: plain\n  content: [a]\n", 1, "content must be a non-empty string"],
  [
    "- {type: plain, content: x}\n- {type: regex, content: '(x'}\n",
    2,
    "content and flags are not a valid regular expression",
  ],
  ["- {type: regex, content: x, flags: qq}\n", 1, "content and flags are not a valid regular expression"],
  ["- {type: plain, content: x, mode: hide}\n", 1, "mode must be obfuscate or replace"],
  ["- {type: plain, content: x, replacement: [y]}\n", 1, "replacement and flags must be strings"],
  ["- {type: plain, content: x, flag: i}\n", 1, 'an entry has no "flag", only type, content, mode, replacement, flags'],
])("a broken file is named with its line: %j", async (text, line, why) => {
  const path = join(home, "secrets.yml");
  writeFileSync(path, text);
  expect(await readSecrets(home)).toEqual({
    ok: false,
    sentence: `Cannot use the secret list (${path}, line ${line}): ${why}. Fix it and try again.`,
  });
});

test("a file that is too large, or is none, is named", async () => {
  const path = join(home, "secrets.yml");
  writeFileSync(path, `# ${"x".repeat(1024 * 1024)}`);
  expect(await redacted("")).toBe(
    `Cannot use the secret list (${path}): it is larger than 1024 kB. Fix it and try again.`,
  );
});
