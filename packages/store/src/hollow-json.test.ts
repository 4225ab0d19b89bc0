/** What was taken out comes back in its place, whatever it is, and texts that are not whole are noticed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom } from "@kedge/testing";
import { afterAll, expect, test } from "vitest";
import { foldFiles } from "./fold-files.ts";
import { fillIn, hollowed } from "./hollow-json.ts";

const folder = mkdtempSync(join(tmpdir(), "kedge-hollow-"));
const files = foldFiles(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const long = "a long text that is worth being kept apart from all the others, because it is that long";

/** As a file gives it back. */
function written(value: unknown): unknown {
  const { json, latin, wide } = hollowed(value);
  files.write("one", [json, latin, wide]);
  const texts = [...files.texts("one")];
  expect(texts).toEqual([json, latin, wide]);
  const parsed: unknown = JSON.parse(json);
  expect(fillIn(parsed, { latin, wide })).toBe(true);
  return parsed;
}

test.each<readonly [string, unknown]>([
  ["short strings", { a: "short", b: ["", "\u0002"] }],
  ["long strings at every depth", [{ a: long, b: { c: [long, { d: `${long}!` }] } }, [[long]]]],
  ["letters of other alphabets", [`${long} ü`, `${long} …`, `${long} 漢字`, `${long} 🚢`, long, "…"]],
  ["strings that begin like marks", ["\u0000", "\u00003", "\u0001", "\u000112 and more", "\u0000…", `\u0000${long}`]],
  ["halves of characters", [`${long}\ud83d`, `\ude00${long}`, "\ud83d", `\u0001\ud83d${long}`]],
  ["line breaks and quotes", [`${long}\n"${long}"\r\n\\`]],
  ["members named by numbers", { b: long, 2: `${long}2`, 1: `${long}1` }],
  ["other values", { a: 1, b: true, c: null, d: [], e: {}, f: -0.5 }],
])("%s", (_, value) => {
  expect(written(value)).toStrictEqual(value);
});

test("long texts are apart", () => {
  expect(hollowed([long, `${long}…`, "short"])).toEqual({
    json: JSON.stringify([`\u0000${long.length}`, `\u0001${long.length + 1}`, "short"]),
    latin: long,
    wide: `${long}…`,
  });
});

test("random values", () => {
  const random = createSeededRandom();
  const letters = ["a", "b", "\u0000", "\u0001", "é", "…", "漢", "🚢", "\ud83d", "\u0002", "\n", '"', "\\"];
  const text = () => Array.from({ length: random.below(120) }, () => letters[random.below(letters.length)]).join("");
  const value = (depth: number): unknown => {
    const kind = random.below(depth > 3 ? 2 : 4);
    if (kind === 0) return text();
    if (kind === 1) return random.below(1000);
    const values = Array.from({ length: random.below(5) }, () => value(depth + 1));
    return kind === 2 ? values : Object.fromEntries(values.map((inner, index) => [`${text()}${index}`, inner]));
  };
  for (let round = 0; round < 300; round += 1) {
    const whole = [value(0), value(0)];
    expect(written(whole)).toEqual(whole);
  }
});

test("texts of other values are noticed", () => {
  const { json, latin, wide } = hollowed([long, `${long}…`]);
  expect(fillIn(JSON.parse(json), { latin: latin.slice(1), wide })).toBe(false);
  expect(fillIn(JSON.parse(json), { latin, wide: `${wide}x` })).toBe(false);
  expect(fillIn(JSON.parse("[]"), { latin, wide })).toBe(false);
});
