/** `kedge workflow`: lists workflows and their runs, runs one to its end, and resumes one that was cut off. */
import { join } from "node:path";
import {
  endText,
  findWorkflows,
  newsText,
  openWorkflowRecords,
  readArguments,
  resultText,
  runLines,
  type WorkflowRecord,
  type WorkflowStart,
  type WorkflowWatch,
  workflowData,
  workflowLines,
} from "@kedge/host/workflows";
import { type Json, showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSession } from "../opening/open-session.ts";
import { openSettings } from "../opening/open-settings.ts";
import { type Started, startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { workflowTexts } from "../texts/work.ts";

export async function runWorkflowCommand(words: readonly string[], flags: Flags): Promise<number> {
  const [action = "list", name, ...rest] = words;
  const wanted = { list: 0, runs: 0, show: 1, run: 1, resume: 1 }[action];
  const fits = wanted === 0 ? name === undefined : wanted === 1 && name !== undefined;
  if (!fits || (rest.length > 0 && action !== "run")) {
    writeNotice(workflowTexts.usage);
    return exitCodes.usage;
  }
  if (action === "run" || action === "resume") {
    return start({ isResumed: action === "resume", name: name ?? "", args: rest.join(" ") }, flags);
  }
  return look(action, name ?? "", flags);
}

async function look(action: string, name: string, flags: Flags): Promise<number> {
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings, {});
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const { home, project, configuration } = opened;
  const records = openWorkflowRecords(join(home.data, "workflows"));
  if (action === "list") {
    const { disabledSources } = configuration.instructions;
    const { userDirectory } = surroundings;
    const found = findWorkflows({ home, root: project.root, userDirectory, disabledSources, now: Date.now });
    return print(workflowData(found), workflowLines(found), flags);
  }
  if (action === "runs") {
    const here = { records, isRunning: () => false };
    return print({ runs: [...records.list()] }, runLines(here), flags);
  }
  const record = records.find(name);
  if (record === undefined) {
    writeNotice(unknownRun(name));
    return exitCodes.error;
  }
  const text = record.result === undefined ? endText(record) : resultText(record.result);
  return print({ run: record }, text, flags);
}

function unknownRun(name: string): string {
  return workflowTexts.noRun(name);
}

function print(data: Json, text: string, { json }: Flags): number {
  writeResult(json ? `${JSON.stringify(data)}\n` : `${showTerminalControls(text)}\n`);
  return exitCodes.success;
}

type Wish = { readonly isResumed: boolean; readonly name: string; readonly args: string };

async function start(wish: Wish, flags: Flags): Promise<number> {
  const outcome = await startKedge(flags, readSurroundings(), { interactive: false });
  if (!outcome.ok) {
    writeDiagnostic(failureText(outcome.failure));
    return outcome.isUsage ? exitCodes.usage : exitCodes.error;
  }
  const ending = new AbortController();
  const signals = onEndSignal(() => ending.abort());
  try {
    return await follow(wish, outcome.started, flags, ending.signal);
  } finally {
    await outcome.started.kedge.close();
    signals[Symbol.dispose]();
  }
}

async function follow(
  { isResumed, name, args }: Wish,
  started: Started,
  flags: Flags,
  signal: AbortSignal,
): Promise<number> {
  const { kedge } = started;
  const workflows = await kedge.workflows();
  const before = isResumed ? workflows.records.find(name) : undefined;
  const isUnknown = isResumed && before === undefined;
  const refusal = isUnknown ? unknownRun(name) : workflows.refusal(before?.name ?? name);
  const session = refusal ?? (await sessionFor(before, started, flags));
  if (typeof session === "string") {
    writeNotice(session);
    return exitCodes.error;
  }
  const watch: WorkflowWatch = { signal, onNews: (news) => writeDiagnostic(newsText(news)) };
  const begun: WorkflowStart = isResumed
    ? workflows.resume(name, watch)
    : workflows.run({ name, args: readArguments(args), sessionId: session.sessionId }, watch);
  if (!begun.ok) {
    writeNotice(begun.sentence);
    return exitCodes.error;
  }
  writeDiagnostic(workflowTexts.begun(begun.record.name, begun.record.runId));
  return report(await begun.ended, flags);
}

function report(record: WorkflowRecord, flags: Flags): number {
  const { status, result } = record;
  if (flags.json) writeResult(`${JSON.stringify({ run: record })}\n`);
  else if (status === "completed") writeResult(`${showTerminalControls(resultText(result ?? null))}\n`);
  if (status === "completed") return exitCodes.success;
  writeNotice(endText(record));
  return status === "stopped" ? exitCodes.interrupted : exitCodes.error;
}

/** That of the run, or a new one; a sentence where there is none. */
async function sessionFor(before: WorkflowRecord | undefined, started: Started, flags: Flags) {
  const { kedge, configuration, cwd, mode, isModeNamed } = started;
  const choice =
    before === undefined ? ({ kind: "new" } as const) : ({ kind: "named", name: before.sessionId } as const);
  const opened = await openSession(kedge.client, {
    ...{ choice, directory: cwd, mode, isModeNamed, model: flags.model, defaultModel: configuration.model },
  });
  return opened.ok ? { sessionId: opened.sessionId } : opened.failure.message;
}
