/** Proves what each command line means. */
import { expect, test } from "vitest";
import { parseArguments } from "./arguments.ts";

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
  expect(invocation("-p", "x", "--max-turns", "0")).toBe('--max-turns must be a positive integer, got "0".');
  expect(invocation("-p", "x", "--max-budget-usd", "")).toBe('--max-budget-usd must be a positive number, got "".');
  expect(invocation("-p", "x", "--output-format", "xml")).toBe(
    '--output-format must be one of text, json, stream-json, got "xml".',
  );
  expect(invocation("-p", "x", "--model")).toBe("--model needs a value: --model <provider/model>.");
  expect(invocation("--json=yes")).toBe("--json does not take a value.");
  expect(invocation("session", "sow")).toBe("Unknown session command sow. Did you mean show?");
  expect(invocation("session")).toBe(
    "kedge session needs an action: list, search, show, tree, label, fork, rename, archive, delete, export, import, scrub, prune, replay, verify.",
  );
  expect(invocation("-c", "-r", "x")).toBe("--continue and --resume cannot be combined.");
});

test("a guess is made only where one is near", () => {
  expect(invocation("--bogus")).toBe("Unknown flag --bogus.");
  expect(invocation("--permision-mode")).toBe("Unknown flag --permision-mode. Did you mean --permission-mode?");
  expect(invocation("zebra")).toBe("Unknown command zebra. To send it as a prompt, put it after --.");
  expect(invocation("sesion")).toBe(
    "Unknown command sesion. Did you mean session? To send it as a prompt, put it after --.",
  );
  expect(invocation("stat")).toBe("Unknown command stat. Did you mean stats? To send it as a prompt, put it after --.");
  expect(invocation("reo")).toBe("Unknown command reo. Did you mean redo? To send it as a prompt, put it after --.");
});

test("several words are a prompt, unless they are a command but for a slip", () => {
  expect(invocation("fix", "the", "parser")).toEqual({ kind: "console", prompt: "fix the parser", flags: {} });
  expect(invocation("sesion", "list")).toBe("Unknown command sesion. Did you mean session? Put a prompt in quotes.");
  expect(invocation("sesion", "handling")).toEqual({ kind: "console", prompt: "sesion handling", flags: {} });
});

test("other spellings", () => {
  expect(invocation("journal", "verify", "last")).toEqual({
    kind: "session",
    action: "verify",
    words: ["last"],
    flags: {},
  });
  expect(invocation("journal", "list")).toBe("Unknown journal command list.");
  expect(invocation("resume", "ses_1", "go", "on")).toEqual({
    kind: "console",
    prompt: "go on",
    flags: { resume: "ses_1" },
  });
  expect(invocation("resume")).toEqual({ kind: "console", prompt: "", flags: { pickSession: true } });
  expect(invocation("resume", "x", "-c")).toBe("kedge resume cannot be combined with --continue or --resume.");
});

test("--resume may stand without a name where somebody can be asked", () => {
  expect(invocation("--resume")).toEqual({ kind: "console", prompt: "", flags: { pickSession: true } });
  expect(invocation("--resume", "--model", "a/b")).toEqual({
    kind: "console",
    prompt: "",
    flags: { pickSession: true, model: "a/b" },
  });
  expect(invocation("--resume", "ses_1")).toEqual({ kind: "console", prompt: "", flags: { resume: "ses_1" } });
  const sentence = "--resume needs an id or a title here. List sessions with kedge session list.";
  expect(invocation("-p", "x", "--resume")).toBe(sentence);
  expect(invocation("undo", "--resume")).toBe(sentence);
  expect(invocation("-c", "--resume")).toBe("--continue and --resume cannot be combined.");
});

test("flags that need another", () => {
  expect(invocation("--fork-session")).toBe("--fork-session needs --continue or --resume.");
  expect(invocation("-c", "--fork-session")).toEqual({
    kind: "console",
    prompt: "",
    flags: { continue: true, forkSession: true },
  });
  expect(invocation("--input-format", "stream-json")).toBe("--input-format stream-json needs -p.");
  expect(invocation("-p", "--input-format", "stream-json")).toEqual({
    kind: "headless",
    prompt: "",
    flags: { print: true, inputFormat: "stream-json" },
  });
});

test("help about everything, a command, an action", () => {
  expect(invocation("--help")).toEqual({ kind: "help" });
  expect(invocation("help")).toEqual({ kind: "help" });
  expect(invocation("fix this", "--help")).toEqual({ kind: "help" });
  expect(invocation("models", "anthropic", "--help")).toEqual({ kind: "command-help", topic: ["models"] });
  expect(invocation("session", "export", "-h")).toEqual({ kind: "command-help", topic: ["session", "export"] });
  expect(invocation("help", "session", "export")).toEqual({ kind: "command-help", topic: ["session", "export"] });
  expect(invocation("help", "modles")).toBe("Unknown command modles. Did you mean models?");
});

test("tools, directories and the id of a new session", () => {
  expect(invocation("-p", "x", "--tools", "read, grep", "--tools=bash", "--add-dir", "a", "--add-dir", "../b")).toEqual(
    {
      kind: "headless",
      prompt: "x",
      flags: { print: true, tools: ["read", "grep", "bash"], addDir: ["a", "../b"] },
    },
  );
  expect(invocation("hi there", "--session-id", "ses_0123456789")).toEqual({
    kind: "console",
    prompt: "hi there",
    flags: { sessionId: "ses_0123456789" },
  });
});

test.each([
  [["--tools", "read,,grep"], '--tools must be a comma-separated list of tool names, got "read,,grep".'],
  [["--tools", ""], '--tools must be a comma-separated list of tool names, got "".'],
  [["--add-dir"], "--add-dir needs a value: --add-dir <path>."],
  [
    ["--session-id", "ses_UPPER12345"],
    '--session-id must be ses_ followed by 10 to 40 lowercase letters and digits, got "ses_UPPER12345".',
  ],
  [
    ["-c", "--session-id", "ses_0123456789"],
    "--session-id is for new sessions and cannot be combined with --continue or --resume.",
  ],
  [
    ["session", "list", "--session-id", "ses_0123456789"],
    "--session-id is for new sessions. Name a stored session as an argument instead.",
  ],
])("%j is refused", (argv, sentence) => {
  expect(invocation(...argv)).toBe(sentence);
});
