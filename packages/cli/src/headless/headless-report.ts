/** Prints how a headless run ended, in the chosen format, and says so with the exit code. */
import { type Failure, type RunResult, runWithoutSteps } from "@kedge/protocol";
import type { Flags, OutputFormat } from "../arguments/flags.ts";
import { exitCodeOf, exitCodes } from "../exit-codes.ts";
import { failureSentence } from "../failure-text.ts";
import { openJsonLines, writeAnswer, writeNotice } from "../output.ts";
import { reportTexts } from "../texts/headless.ts";
import { resultObject } from "./result-object.ts";

export type Printing = {
  readonly format: OutputFormat;
  readonly flags: Flags;
  /** The last line of another form of `stream-json`. */
  readonly resultLine?: (result: RunResult) => object;
};

export function report(sessionId: string | undefined, result: RunResult, printing: Printing): number {
  const { format, flags, resultLine = (ended: RunResult) => resultObject(sessionId, ended) } = printing;
  const written = format === "text" ? writeAnswer(finalText(result)) : openJsonLines()(resultLine(result));
  // Whoever closed the pipe has seen enough and is told nothing more.
  if (written === "reader-gone") return exitCodes.success;
  for (const sentence of diagnostics(result)) writeNotice(sentence);
  return exitCodeOf(result, { failOnDeny: flags.failOnDeny === true });
}

function finalText({ text, structured }: RunResult): string {
  const answer = structured === undefined ? text : JSON.stringify(structured);
  return answer === "" || answer.endsWith("\n") ? answer : `${answer}\n`;
}

function diagnostics({ reason, failure, denials, budget }: RunResult): readonly string[] {
  const denied = denials.map(({ tool, reason: why, allow }) => reportTexts.denied(tool, why, allow));
  switch (reason) {
    case "completed":
      return denied;
    case "aborted":
      return [...denied, reportTexts.interrupted];
    case "error_max_turns":
      return [...denied, reportTexts.turnLimit];
    case "error_max_budget":
      if (failure !== undefined) return [...denied, failureSentence(failure)];
      return [...denied, budget === "tokens" ? reportTexts.tokenLimit : reportTexts.costLimit];
    case "error_max_structured_output_retries":
      return [...denied, reportTexts.noStructuredAnswer];
    case "stopped_by_hook":
      return [...denied, reportTexts.stoppedByHook];
    case "error_during_execution":
      return [...denied, failure === undefined ? reportTexts.failed : failureSentence(failure)];
  }
}

/** For what failed before or beside the loop, which then has no result of its own. */
export function failedResult(failure: Failure): RunResult {
  return runWithoutSteps("error_during_execution", "", failure);
}
