/** How reproductions must fail, and what is no failure of a bug, in the words of many programs. */
import { expect, test } from "vitest";
import { readSignature, whyNotAsNamed } from "./failure-signature.ts";

function named(text: string) {
  const read = readSignature(text);
  if (!read.ok) throw new Error(read.failure.message);
  return read.value;
}

const run = (tail: string, exitCode = 1) => ({ exitCode, tail, isTimedOut: false, durationMs: 1, digest: "" });

test.each([
  ["exit 3", "boom", 3],
  ["exit code 3", "", 3],
  ["ZeroDivisionError", "Traceback\nZeroDivisionError: division by zero", 1],
  ["Unexpected end of JSON", "SyntaxError: Unexpected end of JSON input\n    at JSON.parse (<anonymous>)", 1],
  ["NaN !== 0", "✖ total of nothing\n  NaN !== 0", 1],
])("%s: a failure as named", (signature, tail, exitCode) => {
  expect(whyNotAsNamed(run(tail, exitCode), named(signature))).toBeUndefined();
});

test.each([
  ["python import", "ModuleNotFoundError: No module named 'x'"],
  ["node import", "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/x/y.ts'"],
  ["node export", "SyntaxError: The requested module './a.ts' does not provide an export named 'b'"],
  ["python syntax", '  File "t.py", line 1\nSyntaxError: invalid syntax'],
  ["node syntax", "/x/t.js:1\nSyntaxError: Unexpected token '}'\n    at wrapSafe (node:internal)"],
  ["go build", "FAIL\texample.com/x [build failed]"],
  ["rust", "error[E0425]: cannot find value"],
  ["typescript", "a.ts(1,2): error TS2322: Type"],
  ["c", "main.c:3:5: error: expected ';'"],
  ["java", "Cart.java:3: error: ';' expected"],
  ["pytest collection", "ERROR collecting tests/test_x.py"],
  ["no tests", "collected 0 items"],
  ["no go tests", "?   \texample.com/x\t[no test files]"],
  ["missing program", "/bin/sh: 1: pytest: not found"],
  ["missing script", 'npm error Missing script: "test"'],
  ["no network", "getaddrinfo EAI_AGAIN registry.example"],
])("%s is no failure of the bug", (_, tail) => {
  expect(whyNotAsNamed(run(tail), named("exit 1"))).toMatch(/^it fails because of /);
});

test("what passed, ran out of time or failed otherwise is told apart", () => {
  const signature = named("boom: 3");
  expect(whyNotAsNamed(run("boom: 3", 0), signature)).toBe("it passes");
  expect(whyNotAsNamed({ ...run("boom: 3"), isTimedOut: true }, signature)).toBe("it timed out");
  expect(whyNotAsNamed(run("bang"), signature)).toBe('its output does not contain "boom: 3"');
  expect(whyNotAsNamed(run("x", 3), named("exit 2"))).toBe("its exit code is 3, not 2");
  expect(whyNotAsNamed(run("x", 127), named("exit 127"))).toContain("a program that is missing");
});

test.each(["", "E", "Error", "failed", "AssertionError", "exit 0", "ImportError: x", "SyntaxError: x"])(
  "%j names no bug",
  (text) => {
    expect(readSignature(text).ok).toBe(false);
  },
);
