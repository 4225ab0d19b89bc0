/** In auto mode, what acts outside of the machine is left to a model only if the user asked for it in this run. */
import type { AnalyseShell } from "@kedge/protocol";
import { expect, test } from "vitest";
import { openAuto, running, yes } from "./classifier/auto-session.ts";
import { say } from "./harness.ts";
import { readPlainCommands } from "./judge-cases.ts";

const analyseShell: AnalyseShell = (command, place) => {
  const { commands, ...rest } = readPlainCommands(command, place);
  const isPush = (text: string) => text.startsWith("git push");
  return {
    ...rest,
    commands: commands.map((one) => (isPush(one.text) ? { ...one, outward: "it is sent elsewhere" } : one)),
  };
};

const open = (turns: ReturnType<typeof running>) =>
  openAuto({ classifier: [yes, yes], turns, workspace: { analyseShell } });

const cases: readonly (readonly [said: string, command: string, ran: boolean])[] = [
  ["Fix it and git push", "git push", true],
  ["Fix it and git push", "git push elsewhere", false],
  ["Fix it and git push", "git push; git push elsewhere", false],
  ["Fix it", "git push", false],
  ["Fix it, but do not git push", "git push", false],
  ["Fix it", "npm test", true],
];

test.each(cases)("after %j: %s", async (said, command, isRun) => {
  const { harness, ran, asked } = open(running(command));
  const sessionId = await harness.open("auto");
  await harness.prompt(sessionId, said);
  expect({ ran, asked: asked.length }).toEqual({ ran: isRun ? [command] : [], asked: isRun ? 1 : 0 });
});

test("what was asked for in an earlier run is not asked for in this one", async () => {
  const { harness, ran, asked } = open([say("Later."), ...running("git push")]);
  const sessionId = await harness.open("auto");
  await harness.prompt(sessionId, "git push when I say so");
  await harness.prompt(sessionId, "Go on with the tests");
  expect({ ran, asked: asked.length }).toEqual({ ran: [], asked: 0 });
});
