/** Proves that every change of a file which instructs later sessions is reported, with whether a person said yes to it. */
import type { Json, PermissionMode, RuleSet, SteeringChange } from "@kedge/protocol";
import { expect, test } from "vitest";
import { answerAll, bash, edit, openWorksite, working } from "./worksite.ts";

type Work = readonly (readonly [tool: string, input: Json])[];

async function changesOf(
  work: Work,
  given: {
    readonly mode?: PermissionMode;
    readonly rules?: readonly RuleSet[];
    readonly interactive?: boolean;
    readonly isInstruction?: (path: string) => boolean;
    readonly recentInstructions?: (since: number) => readonly string[];
    readonly replies?: Parameters<typeof answerAll>[2];
  },
): Promise<readonly SteeringChange[]> {
  const { mode = "default", rules = [], interactive = false, isInstruction, recentInstructions, replies = [] } = given;
  const changes: SteeringChange[] = [];
  const steeringChanged = (change: SteeringChange) => changes.push(change);
  const parts = {
    steeringChanged,
    ...(isInstruction !== undefined && { isInstruction }),
    ...(recentInstructions !== undefined && { recentInstructions }),
  };
  const { harness } = openWorksite({ turns: working(...work), rules, interactive, parts });
  const sessionId = await harness.open(mode);
  const running = harness.prompt(sessionId, "Go");
  await answerAll(harness, sessionId, replies);
  await running;
  return changes;
}

const agents = "/project/AGENTS.md";
const certain = (isAccepted: boolean, path = agents) => ({ path, isAccepted, isCertain: true });

test("bypass asks nobody, so nobody accepted it; ordinary files are not reported", async () => {
  const work: Work = [edit("AGENTS.md", "+x"), edit("src/a.ts", "+x"), bash("touch CLAUDE.md")];
  expect(await changesOf(work, { mode: "bypass" })).toEqual([
    certain(false),
    { path: "/project/CLAUDE.md", isAccepted: false, isCertain: false },
  ]);
});

test("a yes to the question about the file accepts it; a no changes nothing", async () => {
  const ask = { mode: "accept-edits", interactive: true } as const;
  expect(await changesOf([edit("AGENTS.md", "+x")], { ...ask, replies: ["once"] })).toEqual([certain(true)]);
  expect(await changesOf([edit("AGENTS.md", "+x")], { ...ask, replies: [{ rejectWith: "no" }] })).toEqual([]);
});

test("without a person only a rule of the user for this very file accepts it", async () => {
  const allow = (pattern: string): readonly RuleSet[] => [
    { source: "user", rules: [{ permission: "edit", pattern, action: "allow" }] },
  ];
  expect(await changesOf([edit("AGENTS.md", "+x")], { rules: allow("AGENTS.md") })).toEqual([certain(true)]);
  expect(await changesOf([edit("AGENTS.md", "+x")], { rules: allow("*") })).toEqual([]);
});

test("a file that others include counts like them, without a question of its own", async () => {
  const isInstruction = (path: string) => path === "/project/docs/style.md";
  const work: Work = [edit("docs/style.md", "+x")];
  const path = "/project/docs/style.md";
  expect(await changesOf(work, { mode: "accept-edits", isInstruction })).toEqual([certain(false, path)]);
  const asked = { interactive: true, isInstruction, replies: ["once"] } as const;
  expect(await changesOf(work, asked)).toEqual([certain(true, path)]);
});

test("what a command changed where no snapshot looks is reported, and asked for after commands alone", async () => {
  const asked: number[] = [];
  const recentInstructions = (since: number) => {
    asked.push(since);
    return ["/home/dev/.claude/CLAUDE.md"];
  };
  const work: Work = [bash("sh make.sh"), edit("src/a.ts", "+x")];
  expect(await changesOf(work, { mode: "bypass", recentInstructions })).toEqual([
    certain(false, "/home/dev/.claude/CLAUDE.md"),
  ]);
  expect(asked).toEqual([expect.any(Number)]);
});
