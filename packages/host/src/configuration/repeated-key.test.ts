/** Proves that a key that stands twice in one object makes a settings file broken, at any depth, in every format and spelling. */
import { createSeededRandom, type SeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { parseSettings } from "./setting-file.ts";

type Written = { readonly text: string; readonly key?: string; readonly line?: number };

const names = ["permission", "bash", "rm *", "a:b", "deny", "{", "}", "//", "1", "__proto__"];

/** Objects in each other, one key per line; with `twice` the last object has its first key again, spelled in another way. */
function write(random: SeededRandom, format: string, twice: boolean): Written {
  const depth = 1 + random.below(6);
  const lines: string[] = [];
  const isYaml = format === "yaml";
  const note = () => (format === "jsonc" ? ['/* "permission": { */', "", '// "bash": 1'][random.below(3)] : "");
  let key = "";
  for (let level = 0; level < depth; level += 1) {
    const keys = random.shuffle(names).slice(0, 2 + random.below(3));
    const indent = "  ".repeat(level);
    if (!isYaml) lines.push(`${indent}{`);
    const entries = keys.map(
      (name) => `${indent}${JSON.stringify(name)}: ${random.below(2) === 0 ? 1 : '"a, \\"b\\": c"'}`,
    );
    if (level === depth - 1 && twice) {
      key = keys[0] ?? "";
      entries.push(`${indent}${escaped(random, key)}: "again"`);
    }
    const end = level === depth - 1 ? "" : `${indent}"next":`;
    lines.push(
      ...entries.map((entry, at) =>
        isYaml ? entry : `${entry}${at < entries.length - 1 || end ? "," : ""} ${note()}`,
      ),
    );
    if (end !== "") lines.push(end);
  }
  const line = lines.length;
  if (!isYaml) lines.push("}".repeat(depth));
  return { text: lines.join("\n"), ...(twice ? { key, line } : {}) };
}

function escaped(random: SeededRandom, key: string): string {
  const at = random.below(key.length);
  const code = key.charCodeAt(at).toString(16).padStart(4, "0");
  return `"${key.slice(0, at)}\\u${code}${key.slice(at + 1)}"`;
}

test.each(["json", "jsonc", "yaml"])("in %s", async (format) => {
  const random = createSeededRandom();
  for (let round = 0; round < 150; round += 1) {
    const plain = write(random, format, false);
    const context = `seed ${random.seed}, round ${round}:\n`;
    expect(await parseSettings(plain.text, `kedge.${format}`), context + plain.text).toMatchObject({ ok: true });
    const { text, key = "", line } = write(random, format, true);
    const parsed = await parseSettings(text, `kedge.${format}`);
    expect(parsed, context + text).toMatchObject({ ok: false });
    expect(!parsed.ok && parsed.where, context + text).toMatch(new RegExp(`^line ${line}, `));
    expect(!parsed.ok && parsed.where, context + text).toContain(JSON.stringify(key));
  }
});

test.each(["1: a\n'1': b", "&x a: 1\n*x : 2", "? [a]\n: 1\n? [a]\n: 2", "a: { b: 1, b: 2 }", "- {a: 1, a: 2}"])(
  "in YAML a key that only looks different is the same: %j",
  async (text) => expect(await parseSettings(text, "kedge.yml")).toMatchObject({ ok: false }),
);

test("the same key in different objects is no repetition", async () => {
  const text = '{"a": {"b": 1}, "c": [{"b": 1}, {"b": "b"}, "b", "b"], "b": "a"}';
  expect(await parseSettings(text, "kedge.json")).toEqual({ ok: true, value: JSON.parse(text) });
});
