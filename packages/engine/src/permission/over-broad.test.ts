/** Which allow rules permit anything at all. */
import { describe, expect, test } from "vitest";
import { rule } from "../../test/judge-cases.ts";
import { isOverBroad } from "./over-broad.ts";

describe("over-broad", () => {
  test.each([
    "*",
    "**",
    "python*",
    "python3 *",
    "node *",
    "bash*",
    "bash -c *",
    "sh -c*",
    "perl*",
    "npx*",
    "ssh *",
    "sudo *",
    "eval*",
    "xargs *",
    "find*",
    "awk *",
    "docker run*",
    "docker run *",
    "/usr/bin/python3 *",
    "?*",
  ])("%s", (pattern) => {
    expect(isOverBroad(rule("bash", pattern, "allow"))).toBe(true);
    expect(isOverBroad(rule("bash", pattern, "ask"))).toBe(false);
    expect(isOverBroad(rule("edit", pattern, "allow"))).toBe(false);
  });
});

describe("not over-broad", () => {
  test.each([
    "git status*",
    "python3 scripts/check.py*",
    "npm run lint *",
    "bash",
    "node --version",
    "ls *",
    "docker ps*",
  ])("%s", (pattern) => {
    expect(isOverBroad(rule("bash", pattern, "allow"))).toBe(false);
  });
});

test("a rule for every tool is over-broad for commands", () => {
  expect(isOverBroad(rule("*", "*", "allow"))).toBe(true);
});
