/** Proves how rules of the command line are read and ordered. */
import { expect, test } from "vitest";
import { commandLineRules } from "./read-rules.ts";

test("several rules in one argument; denials come last, so that they win", () => {
  const given = { allow: ["read, bash(echo a,b)", "edit"], deny: ["bash(rm *)"] };
  expect(commandLineRules(given)).toEqual({
    ok: true,
    rules: {
      source: "command-line",
      rules: [
        { permission: "read", pattern: "*", action: "allow" },
        { permission: "bash", pattern: "echo a,b", action: "allow" },
        { permission: "edit", pattern: "*", action: "allow" },
        { permission: "bash", pattern: "rm *", action: "deny" },
      ],
    },
  });
});

test("what is no rule is named", () => {
  expect(commandLineRules({ allow: [], deny: ["(rm"] })).toEqual({
    ok: false,
    sentence: '--deny must be a tool name, or a tool name with a pattern such as Bash(git status), got "(rm".',
  });
});
