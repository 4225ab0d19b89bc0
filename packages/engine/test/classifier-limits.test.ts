/** Auto mode at its edges: what is never classified, when it ends by itself, and what it may cost. */
import type { PermissionMode, RuleSet, Workspace } from "@kedge/protocol";
import { expect, test } from "vitest";
import { type AutoOptions, no, nonsense, openAuto, running, yes } from "./classifier/auto-session.ts";
import { readPlainCommands } from "./judge-cases.ts";

const askingRule: RuleSet = { source: "user", rules: [{ permission: "bash", pattern: "npm *", action: "ask" }] };

/** What the shell analysis finds, stated by the first word of the command. */
const analyseShell: Workspace["analyseShell"] = (command, place) => {
  const read = readPlainCommands(command, place);
  const [word] = command.split(" ");
  const outward = read.commands.map((one) => ({ ...one, outward: "sends commits" }));
  if (word === "push") return { ...read, commands: outward };
  if (word === "wipe") return { ...read, guard: "it removes the workspace" };
  return word === "assign" ? { ...read, concerns: [{ text: command, why: "it sets PATH" }] } : read;
};

type Never = {
  readonly what: string;
  readonly command: string;
  readonly mode?: PermissionMode;
  readonly rules?: readonly RuleSet[];
  readonly source: "headless" | "mode" | "guard" | "rule";
};

const never: readonly Never[] = [
  { what: "what a rule asks about", command: "npm test", rules: [askingRule], source: "headless" },
  {
    what: "what a rule denies",
    command: "npm test",
    rules: [{ source: "project", rules: [{ permission: "bash", pattern: "npm *", action: "deny" }] }],
    source: "rule",
  },
  { what: "a file of secrets", command: "read /project/.env", source: "headless" },
  { what: "a file outside of the workspace", command: "edit /elsewhere/a.ts", source: "headless" },
  { what: "an outward act", command: "push origin main", source: "headless" },
  { what: "a command that is not understood", command: "npm test | sh", source: "headless" },
  { what: "a concern", command: "assign PATH", source: "headless" },
  { what: "a guarded command", command: "wipe .", source: "headless" },
  { what: "a built-in guard that asks", command: "git reset --hard", source: "headless" },
  { what: "a built-in guard that denies", command: "git clean -fdx", source: "guard" },
  { what: "a file that affects what runs later", command: "edit /project/.envrc", source: "headless" },
  { what: "anything while planning", command: "npm test", mode: "plan", source: "mode" },
  { what: "anything in default mode", command: "npm test", mode: "default", source: "headless" },
];

test.each(never)("never classified: $what", async ({ command, mode = "auto", rules = [], source }) => {
  const { harness, ran, asked } = openAuto({
    turns: running(command),
    classifier: [yes],
    rules,
    workspace: { analyseShell },
  });
  await harness.prompt(await harness.open(mode), "Do whatever you want.");
  expect(asked).toEqual([]);
  expect(ran).toEqual([]);
  expect(harness.facts().flatMap((fact) => (fact.type === "tool.ended" ? [fact.decision] : []))).toEqual([
    expect.objectContaining({ behavior: "deny", source }),
  ]);
});

test("what a rule allows needs no classifier, but a rule for everything is none in auto mode", async () => {
  const allowing = (pattern: string): readonly RuleSet[] => [
    { source: "user", rules: [{ permission: "bash", pattern, action: "allow" }] },
  ];
  const plain = openAuto({ turns: running("npm test"), classifier: [no], rules: allowing("npm test") });
  await plain.harness.prompt(await plain.harness.open("auto"), "Go.");
  expect({ ran: plain.ran, asked: plain.asked.length }).toEqual({ ran: ["npm test"], asked: 0 });
  const broad = openAuto({ turns: running("npm test"), classifier: [no], rules: allowing("*") });
  await broad.harness.prompt(await broad.harness.open("auto"), "Go.");
  expect({ ran: broad.ran, asked: broad.asked.length }).toEqual({ ran: [], asked: 1 });
});

test("equal calls of one run are one question, and the next run asks anew", async () => {
  const again = [...running("npm test", "npm test"), ...running("npm test")];
  const { harness, ran, asked } = openAuto({ turns: again, classifier: [yes, yes] });
  const sessionId = await harness.open("auto");
  await harness.prompt(sessionId, "Test twice.");
  expect(asked).toHaveLength(1);
  await harness.prompt(sessionId, "Test twice.");
  expect(asked).toHaveLength(2);
  expect(ran).toEqual(["npm test", "npm test", "npm test"]);
});

/** What happened, without what every run has. */
function storyOf({ harness }: ReturnType<typeof openAuto>): readonly string[] {
  return harness.facts().flatMap((fact) => {
    switch (fact.type) {
      case "mode.changed":
        return [`mode ${fact.mode}`];
      case "tool.started":
        return [`${fact.callId} allowed by ${fact.decision?.source}`];
      case "tool.ended":
        return [`${fact.callId} ${fact.outcome}`];
      case "run.ended":
        return [`run ${fact.reason}`];
      default:
        return [];
    }
  });
}

const failing: AutoOptions = {
  turns: running("make a", "make b", "make c", "make d"),
  classifier: [nonsense, nonsense, nonsense, yes],
};

test("three failures in a row end auto mode with a notice, and nothing is classified afterwards", async () => {
  const session = openAuto(failing);
  await session.harness.prompt(await session.harness.open("auto"), "Make everything.");
  expect(storyOf(session)).toEqual([
    "c1 refused",
    "c2 refused",
    "mode default",
    "c3 refused",
    "c4 refused",
    "run completed",
  ]);
  expect(session.asked).toHaveLength(3);
  expect(session.harness.signals().filter((signal) => signal.type === "notice")).toEqual([
    {
      type: "notice",
      sessionId: "ses_1",
      text:
        "Switched to default mode: the classifier failed three times in a row: " +
        "the classifier returned no valid answer",
    },
  ]);
});

test("an answer between failures keeps auto mode", async () => {
  const session = openAuto({ ...failing, classifier: [nonsense, nonsense, no, nonsense] });
  await session.harness.prompt(await session.harness.open("auto"), "Make everything.");
  expect(storyOf(session)).toEqual(["c1 refused", "c2 refused", "c3 refused", "c4 refused", "run completed"]);
  expect(session.asked).toHaveLength(4);
});

test("a classifier without a model of its own is the model that works", async () => {
  const { harness } = openAuto({
    turns: [running("npm test")[0] ?? [], yes, running()[0] ?? []],
    classifier: [],
    parts: { autoMode: { allow: [], softDeny: [], environment: [] } },
  });
  await harness.prompt(await harness.open("auto"), "Test.");
  expect(harness.facts().flatMap((fact) => (fact.type === "tool.started" ? [fact.decision] : []))).toEqual([
    expect.objectContaining({ source: "classifier", classifier: { model: "mock/model", latencyMs: 1, usd: 0.0002 } }),
  ]);
});

test("the user's lines of the settings reach the classifier", async () => {
  const { harness, asked } = openAuto({
    turns: running("npm test"),
    classifier: [yes],
    parts: {
      autoMode: { allow: ["OWN ALLOW"], softDeny: ["OWN DENY"], environment: ["OWN PLACE"], model: "mock/judge" },
    },
  });
  await harness.prompt(await harness.open("auto"), "Test.");
  expect(asked[0]?.system).toMatch(
    /ALLOWED\n- OWN ALLOW\n[\s\S]*ASK FIRST\n- OWN DENY\n[\s\S]*ABOUT THIS PLACE\n- OWN PLACE$/,
  );
});

test("what the classifier costs counts against the money of the run", async () => {
  // A step costs 0.00015, a question 0.0002; an answer of 1,000 tokens must stay affordable.
  const budgetUsdMax = 0.0054;
  const commands = ["npm run a", "npm run b", "npm run c", "npm run d"];
  const session = openAuto({ turns: running(...commands), classifier: [yes, yes, yes, yes] });
  await session.harness.prompt(await session.harness.open("auto"), "Make.", { budgetUsdMax });
  expect(storyOf(session)).toEqual([
    "c1 allowed by classifier",
    "c1 completed",
    "c2 allowed by classifier",
    "c2 completed",
    "run error_max_budget",
  ]);
  const free = openAuto({
    turns: running(...commands),
    classifier: [],
    rules: [{ source: "user", rules: [{ permission: "bash", pattern: "npm run *", action: "allow" }] }],
  });
  await free.harness.prompt(await free.harness.open("auto"), "Make.", { budgetUsdMax });
  expect(free.ran).toEqual(["npm run a", "npm run b", "npm run c"]);
});
