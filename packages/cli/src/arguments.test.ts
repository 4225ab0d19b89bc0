/** Proves what each command line means, and that every flag of the help exists and the other way round. */
import { expect, test } from "vitest";
import { parseArguments } from "./arguments.ts";
import { flagNames } from "./flags.ts";
import { helpText } from "./help.ts";

const invocation = (...argv: string[]) => {
  const parsed = parseArguments(argv);
  return parsed.ok ? parsed.invocation : parsed.sentence;
};

test("a prompt after -p, --print or run is headless, wherever the flags stand", () => {
  const headless = { kind: "headless", prompt: "fix it", flags: { print: true, model: "a/b" } };
  expect(invocation("-p", "fix it", "--model", "a/b")).toEqual(headless);
  expect(invocation("--model=a/b", "--print", "fix", "it")).toEqual(headless);
  expect(invocation("run", "-m", "a/b", "fix it")).toEqual({ ...headless, flags: { model: "a/b" } });
});

test("every kind of value is read", () => {
  const argv = ["-p", "x", "--output-format", "json", "--max-turns", "3", "--max-budget-usd", "0.5", "--max-steps=2"];
  const rules = [
    "--allow",
    "bash(git *)",
    "--allowed-tools",
    "read",
    "--deny=edit",
    "--config",
    "a",
    "--settings",
    "b",
  ];
  expect(invocation(...argv, ...rules, "--permission-mode", "plan", "-c", "--fail-on-deny")).toEqual({
    kind: "headless",
    prompt: "x",
    flags: {
      print: true,
      outputFormat: "json",
      maxTurns: 3,
      maxBudgetUsd: 0.5,
      maxSteps: 2,
      allow: ["bash(git *)", "read"],
      deny: ["edit"],
      settings: ["a", "b"],
      permissionMode: "plan",
      continue: true,
      failOnDeny: true,
    },
  });
});

test("commands", () => {
  expect(invocation()).toEqual({ kind: "console", prompt: "", flags: {} });
  expect(invocation("explain this code")).toEqual({ kind: "console", prompt: "explain this code", flags: {} });
  expect(invocation("--", "demo")).toEqual({ kind: "console", prompt: "demo", flags: {} });
  expect(invocation("-p", "--", "--help me")).toEqual({
    kind: "headless",
    prompt: "--help me",
    flags: { print: true },
  });
  expect(invocation("demo", "--yes")).toEqual({ kind: "demo", flags: { yes: true } });
  expect(invocation("undo")).toEqual({ kind: "undo", flags: {} });
  expect(invocation("session", "show", "ses_1")).toEqual({
    kind: "session",
    action: "show",
    words: ["ses_1"],
    flags: {},
  });
  expect(invocation("session", "list", "--json")).toEqual({
    kind: "session",
    action: "list",
    words: [],
    flags: { json: true },
  });
  expect(invocation("-p", "x", "--help")).toEqual({ kind: "help" });
});

test("what is wrong is said in one sentence", () => {
  expect(invocation("-p", "x", "--max-turn", "3")).toBe("Unknown flag --max-turn. Did you mean --max-turns?");
  expect(invocation("--zzzzzzzzzz")).toBe("Unknown flag --zzzzzzzzzz.");
  expect(invocation("-p", "x", "--max-turns", "0")).toBe('--max-turns must be a whole number above 0, found "0".');
  expect(invocation("-p", "x", "--max-budget-usd", "")).toBe('--max-budget-usd must be a number above 0, found "".');
  expect(invocation("-p", "x", "--output-format", "xml")).toBe(
    '--output-format must be one of text, json, stream-json, found "xml".',
  );
  expect(invocation("-p", "x", "--model")).toBe("--model needs a value: --model <provider/model>.");
  expect(invocation("--json=yes")).toBe("--json takes no value.");
  expect(invocation("session", "sow")).toBe("Unknown session command sow. Did you mean show?");
  expect(invocation("session")).toBe(
    "kedge session needs one of list, search, show, tree, label, fork, rename, archive, delete, export, import, scrub, prune, replay, verify.",
  );
  expect(invocation("-c", "-r", "x")).toBe("--continue and --resume cannot be used together.");
});

test("the help names every flag, and no other", () => {
  const inHelp = new Set(helpText().match(/(?<![\w-])--?[a-z][a-z-]*/g));
  expect([...inHelp].sort()).toEqual([...flagNames].sort());
});
