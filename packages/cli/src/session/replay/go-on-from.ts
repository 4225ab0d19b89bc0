/** `--until`: opens a live session from a fact on, in a throw-away worktree. */
import { tmpdir } from "node:os";
import type { RunOptions } from "@kedge/protocol";
import { exitCodes } from "../../exit-codes.ts";
import { writeDiagnostic, writeResult } from "../../output.ts";
import { version } from "../../start/build-facts.ts";
import { replayTexts } from "../../texts/sessions.ts";
import { failed } from "../session-action.ts";
import { type ReplayContext, type Source, treesOf } from "./find-source.ts";

export async function goOnFrom(source: Source, { started, flags }: ReplayContext): Promise<number> {
  const { openSessionUntil, optionsAfter } = await import("@kedge/host/replay");
  const records = source.records.slice(0, flags.until);
  const opened = await openSessionUntil(records, {
    store: started.kedge.store,
    kedgeVersion: version,
    now: () => Date.now(),
    temporaryDirectory: tmpdir(),
    ...(await treesOf(source)),
  });
  if (!opened.ok) return failed(opened.failure);
  const { sessionId, directory, hasFiles } = opened;
  const options = optionsAfter(records);
  if (flags.json) {
    writeResult(`${JSON.stringify({ sessionId, directory, hasFiles, ...(options !== undefined && { options }) })}\n`);
    return exitCodes.success;
  }
  writeResult(`${sessionId}\n${directory}\n`);
  if (!hasFiles) writeDiagnostic(replayTexts.directoryEmpty);
  const words = ["kedge", "--resume", sessionId, ...wordsOf(options ?? {})];
  writeDiagnostic(replayTexts.continueWith(directory, words.join(" ")));
  return exitCodes.success;
}

/** The words of the command line that give a run these options. Those without a flag are in the configuration. */
export function wordsOf(options: RunOptions): readonly string[] {
  const { turnsMax, budgetUsdMax, stepsMax, answerSchema, reasoning, fallbackModel } = options;
  const given = [
    ["--max-turns", turnsMax],
    ["--max-budget-usd", budgetUsdMax],
    ["--max-steps", stepsMax],
    ["--json-schema", answerSchema === undefined ? undefined : quoted(JSON.stringify(answerSchema))],
    ["--effort", reasoning?.effort],
    ["--fallback-model", fallbackModel === undefined ? undefined : quoted(fallbackModel)],
  ] as const;
  return given.flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]));
}

/** Text of a record is typed into a shell by whoever follows the line. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
