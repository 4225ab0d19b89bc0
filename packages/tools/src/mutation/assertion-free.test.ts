/** Tests that check nothing are found in every language, and those that check are left alone. */
import { expect, test } from "vitest";
import { createGrammars } from "../syntax/grammars.ts";
import { findAssertionFreeTests } from "./assertion-free.ts";

const grammars = createGrammars();

test.each([
  ["a.test.ts", 'test("runs", () => { price(1); });\ntest("checks", () => { expect(price(1)).toBe(2); });\n', [1]],
  ["a.test.js", 'it("checks", () => { assert.equal(f(), 1); });\nit.only("runs", () => f());\n', [2]],
  [
    "test_a.py",
    "def test_runs():\n    f()\n\ndef test_checks():\n    assert f() == 1\n\ndef helper():\n    f()\n",
    [1],
  ],
  ["a_test.go", "package a\nfunc TestRuns(t *testing.T) { F() }\nfunc TestChecks(t *testing.T) { t.Error(1) }\n", [2]],
  ["ATest.java", "class A {\n@Test void runs() { f(); }\n@Test void checks() { assertEquals(1, f()); }\n}\n", [2]],
  ["lib.rs", "#[test]\nfn runs() { f(); }\n#[test]\nfn checks() { assert_eq!(f(), 1); }\nfn other() { f(); }\n", [2]],
  ["notes.txt", "test", []],
])("%s", async (path, text, lines) => {
  const found = await findAssertionFreeTests(grammars, { path, text });
  expect(found.map(({ line }) => line)).toEqual(lines);
});
