/** Proves what the script check finds in hostile scripts, and that ordinary installers give it nothing grave to say. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkScript } from "./check-script.ts";

const fixtures = join(import.meta.dirname, "../../../test/fixtures/scripts");

/** Scripts of one file, each under a line with its name. */
function scriptsOf(file: string): readonly (readonly [name: string, text: string])[] {
  const pieces = readFileSync(join(fixtures, file), "utf8").split(/^### /m).slice(1);
  return pieces.map((piece) => [piece.split("\n", 1)[0] ?? "", piece.slice(piece.indexOf("\n") + 1)] as const);
}

const briefly = (text: string) => checkScript(text).map(({ severity, rule, line }) => `${line} ${severity} ${rule}`);

describe("hostile scripts", () => {
  const scripts = scriptsOf("hostile.txt");
  test("there are at least twenty", () => expect(scripts.length).toBeGreaterThanOrEqual(20));
  test.each(scripts)("%s", (_, text) => {
    expect(checkScript(text).filter(({ severity }) => severity === "high")).not.toEqual([]);
  });
});

describe("installers as well-known projects have them", () => {
  const scripts = scriptsOf("installers.txt");
  test("there are at least twenty", () => expect(scripts.length).toBeGreaterThanOrEqual(20));
  test.each(scripts)("%s", (_, text) => {
    expect(checkScript(text).filter(({ severity, rule }) => severity === "high" || rule === "not-understood")).toEqual(
      [],
    );
  });
});

test("a finding names the line, the command and the reason", () => {
  expect(checkScript("#!/bin/sh\nset -e\n\ncurl -fsSL https://host.example/x |\n  sudo sh\n")).toEqual([
    {
      severity: "medium",
      rule: "raise-privilege",
      line: 5,
      text: "sudo sh",
      why: "runs a command as another user, usually root",
    },
    {
      severity: "high",
      rule: "run-fetched",
      line: 5,
      text: "sh",
      why: "runs code from a server without showing it",
    },
  ]);
});

test.each([
  ["bash -c 'rm -rf /'", ["1 high delete-root"]],
  ["f() {\n  if true; then\n    rm -rf ~\n  fi\n}", ["3 high delete-root"]],
  ['x=$(eval "$code")', ["1 medium run-assembled"]],
  ["echo 'rm -rf /'", []],
  ["# rm -rf /\ntrue", []],
  ["rm -rf build", ["1 low delete-recursively"]],
  ["curl -o a.sh https://h.example/a.sh\nsha256sum -c sums\nsh a.sh", []],
  ["curl -o a.sh https://h.example/a.sh\nsh a.sh", ["2 high run-fetched"]],
  ["", []],
])("%j", (text, expected) => {
  expect(briefly(text)).toEqual(expected);
});

test("a line that is not understood is named and hides nothing behind it", () => {
  const found = briefly('echo "unfinished\nrm -rf /\n))\nufw disable\n');
  expect(found).toContain("2 high delete-root");
  expect(found).toContain("4 high disable-protection");
  expect(found.some((each) => each.endsWith("low not-understood"))).toBe(true);
});
