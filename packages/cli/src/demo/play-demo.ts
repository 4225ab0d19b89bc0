/** Plays the demo step by step and checks the result of each step, so that it cannot look better than it is. */
import { createInterface } from "node:readline/promises";
import {
  type FactRecord,
  type PermissionReply,
  type PermissionRequest,
  type RunReason,
  stripTerminalControls,
} from "@kedge/protocol";
import { changesText } from "../commands/undo-command.ts";
import { answerHint, factText, questionText } from "../console/console-view.ts";
import { parsePermissionAnswer } from "../console/permission-answer.ts";
import { failureText } from "../failure-text.ts";
import type { ConnectedKedge } from "../opening/start-kedge.ts";
import { writeResult } from "../output.ts";
import { demoTexts } from "../texts/demo.ts";
import { type BrokenProject, prompt } from "./broken-project.ts";

export type DemoParts = {
  readonly kedge: ConnectedKedge;
  readonly project: BrokenProject;
  /** True when no person is there to answer the permission questions. */
  readonly answersItself: boolean;
};

/** True when every step did what it says. */
export async function playDemo(parts: DemoParts): Promise<boolean> {
  const { kedge, project } = parts;
  const { client } = kedge;
  say(demoTexts.opening);

  heading(demoTexts.project);
  say(`   ${project.directory}`);
  if (!check(demoTexts.testFails, !project.testPasses())) return false;

  heading(demoTexts.promptIs(prompt));
  const created = await client.send<"session.create">({
    type: "session.create",
    mode: "default",
    model: "scripted/model",
  });
  if (!created.ok) return check(failureText(created.failure), false);
  const { sessionId } = created.value;
  const { reason, tools } = await runPrompt(parts, sessionId);
  if (!check(demoTexts.completed, reason === "completed")) return false;
  if (!check(demoTexts.worked, tools.join(" ") === "read edit bash")) return false;

  heading(demoTexts.changes);
  say(indented(project.diff()));
  if (!check(demoTexts.sourceChanged, project.readSource() !== project.original)) return false;
  if (!check(demoTexts.testPasses, project.testPasses())) return false;

  heading(demoTexts.undo);
  const undone = await client.send<"session.undo">({ type: "session.undo", sessionId });
  if (!undone.ok) return check(failureText(undone.failure), false);
  say(indented(changesText(undone.value.files)));
  if (!check(demoTexts.sourceRestored, project.readSource() === project.original)) return false;
  if (!check(demoTexts.testFailsAgain, !project.testPasses())) return false;

  heading(demoTexts.journal);
  const { valid, records } = await client.verify(sessionId);
  if (!check(demoTexts.chainIntact(records), valid && records > 0)) return false;
  say(demoTexts.closing);
  return true;
}

type DemoRun = {
  readonly reason: RunReason /** Those whose calls succeeded, in order. */;
  readonly tools: readonly string[];
};

/** Shows the run as it happens and answers its questions. */
async function runPrompt(parts: DemoParts, sessionId: string): Promise<DemoRun> {
  const { client } = parts.kedge;
  const stop = new AbortController();
  const tools: string[] = [];
  const submitted = await client.send<"prompt.submit">({
    type: "prompt.submit",
    sessionId,
    text: prompt,
    delivery: "follow-up",
    options: {},
  });
  if (!submitted.ok) {
    say(failureText(submitted.failure));
    return { reason: "error_during_execution", tools };
  }
  for await (const event of client.events(sessionId, 0, stop.signal)) {
    if (event.kind === "signal") continue;
    const { fact }: FactRecord = event.record;
    if (fact.type === "run.ended") {
      stop.abort();
      say(indented(factText(fact)));
      return { reason: fact.reason, tools };
    }
    if (fact.type === "tool.ended" && fact.outcome === "completed") tools.push(fact.tool);
    if (fact.type === "permission.asked") {
      say(indented(questionText(fact)));
      const answer = await answerTo(fact, parts);
      const { requestId } = fact;
      await client.send<"permission.answer">({ type: "permission.answer", sessionId, requestId, ...answer });
    } else say(indented(factText(fact)));
  }
  return { reason: "aborted", tools };
}

async function answerTo(
  request: PermissionRequest,
  { answersItself }: DemoParts,
): Promise<{ readonly reply: PermissionReply; readonly message?: string }> {
  if (answersItself) {
    say(`   ${answerHint(request)}y (demo)`);
    return { reply: "once" };
  }
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    for (;;) {
      const answer = parsePermissionAnswer(await reader.question(`   ${answerHint(request)}`), request);
      if (answer !== undefined) return answer;
    }
  } finally {
    reader.close();
  }
}

function heading(text: string): void {
  writeResult(`\n${text}\n`);
}

function check(what: string, isTrue: boolean): boolean {
  writeResult(isTrue ? demoTexts.ok(what) : demoTexts.failed(what));
  return isTrue;
}

function say(text: string): void {
  const line = stripTerminalControls(text).trimEnd();
  if (line !== "") writeResult(`${line}\n`);
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `   ${line}`)
    .join("\n");
}
