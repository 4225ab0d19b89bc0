/** `--model`: gives the recorded prompts to another model in a throw-away worktree, and holds both results side by side. */
import { tmpdir } from "node:os";
import type { SessionResult } from "@kedge/host/replay";
import type { Fact, FactOf, PermissionMode, RunOptions, RunResult } from "@kedge/protocol";
import type { Flags } from "../../arguments/flags.ts";
import { exitCodeOf, exitCodes } from "../../exit-codes.ts";
import { failureText } from "../../failure-text.ts";
import { runPrompt } from "../../headless/run-prompt.ts";
import { openSession } from "../../opening/open-session.ts";
import { type Started, startKedge } from "../../opening/start-kedge.ts";
import { readSurroundings } from "../../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../../output.ts";
import { type Column, countText, tableText, usdText } from "../../text-table.ts";
import { rerunTexts } from "../../texts/sessions.ts";
import { failed } from "../session-action.ts";
import { type Source, treesOf } from "./find-source.ts";

export async function rerunPrompts(source: Source, model: string, flags: Flags): Promise<number> {
  const { records } = source;
  const { firstTree, makeWorktree, resultOfSession } = await import("@kedge/host/replay");
  const recorded = records.map(({ fact }) => fact);
  const parts = { temporaryDirectory: tmpdir(), ...(await treesOf(source)) };
  const { directory, hasFiles } = await makeWorktree(firstTree(records), parts);
  if (!hasFiles) writeDiagnostic(rerunTexts.startsEmpty);
  const permissionMode = cappedMode(flags.permissionMode ?? modeOf(recorded));
  const { skipPermissions: _, ...kept } = flags;
  const outcome = await startKedge(
    { ...kept, model, permissionMode },
    { ...readSurroundings(), cwd: directory },
    { interactive: false },
  );
  if (!outcome.ok) return failed(outcome.failure, outcome.isUsage ? exitCodes.usage : exitCodes.error);
  const { started } = outcome;
  try {
    const choice = {
      choice: { kind: "new" },
      directory,
      mode: started.mode,
      isModeNamed: true,
      model,
      defaultModel: undefined,
    } as const;
    const opened = await openSession(started.kedge.client, choice);
    if (!opened.ok) return failed(opened.failure);
    const { facts, last } = await runAll(recorded, opened.sessionId, started);
    const results = [resultOfSession(recorded), resultOfSession(facts)] as const;
    if (flags.json) {
      const { sessionId } = opened;
      writeResult(`${JSON.stringify({ sessionId, directory, recorded: results[0], rerun: results[1] })}\n`);
    } else {
      writeResult(tableText(columns, rowsOf(results)));
      writeDiagnostic(rerunTexts.result(directory, opened.sessionId));
    }
    if (last?.failure !== undefined) writeDiagnostic(failureText(last.failure));
    return last === undefined ? exitCodes.success : exitCodeOf(last, { failOnDeny: false });
  } finally {
    await started.kedge.close();
  }
}

/** One after the other, whatever was said in between then: another model is at another place by that time. */
async function runAll(
  recorded: readonly Fact[],
  sessionId: string,
  started: Started,
): Promise<{ readonly facts: readonly Fact[]; readonly last: RunResult | undefined }> {
  const prompts = recorded.filter((fact) => fact.type === "prompt.admitted");
  const facts: Fact[] = [];
  let last: RunResult | undefined;
  for (const { text: prompt, attachments = [], runId } of prompts) {
    const options = { ...optionsOf(runId, prompts), ...started.runOptions };
    last = await runPrompt(started.kedge.client, {
      ...{ sessionId, prompt, attachments, options },
      onFact: ({ fact }) => facts.push(fact),
      onNotice: (text) => writeNotice(text),
      onRetry: () => {},
    });
    if (last.reason !== "completed") break;
  }
  return { facts, last };
}

/** What the run was given then, but for its fallback: nobody wants to compare with a third model. */
function optionsOf(runId: string, prompts: readonly FactOf<"prompt.admitted">[]): RunOptions {
  const { fallbackModel: _, ...options } = prompts.find((prompt) => prompt.runId === runId)?.options ?? {};
  return options;
}

function modeOf(facts: readonly Fact[]): PermissionMode {
  const created = facts.find((fact) => fact.type === "session.created");
  return created?.mode ?? "default";
}

/** Nobody looks on, so nothing is let through beyond edits of files. */
function cappedMode(mode: PermissionMode): PermissionMode {
  return mode === "auto" || mode === "bypass" ? "accept-edits" : mode;
}

type Row = { readonly what: string; readonly recorded: string; readonly rerun: string };

const columns: readonly Column<Row>[] = [
  { title: "", align: "left", text: ({ what }) => what },
  { title: rerunTexts.recorded, align: "right", text: ({ recorded }) => recorded },
  { title: rerunTexts.now, align: "right", text: ({ rerun }) => rerun },
];

function rowsOf([recorded, rerun]: readonly [SessionResult, SessionResult]): readonly Row[] {
  const row = (what: string, text: (result: SessionResult) => string): Row => ({
    what,
    recorded: text(recorded),
    rerun: text(rerun),
  });
  return [
    row("model", ({ model }) => model),
    row("turns", ({ turns }) => countText(turns)),
    row("tokens", ({ tokens }) => countText(tokens)),
    row("cost", ({ usd, isEstimated: estimated }) => usdText({ usd, estimated })),
    row(rerunTexts.filesChanged, ({ filesChanged }) => countText(filesChanged)),
    row("ends", ({ ends }) => ends.join(", ")),
  ];
}
