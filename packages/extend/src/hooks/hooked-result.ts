/** What hooks make of the result of a call: another text, another outcome, notes beside it, the end of the run. */
import type { AfterCall } from "@kedge/protocol";
import { dialects } from "./dialects/dialects.ts";
import { type Folded, foldAnswers } from "./fold-answers.ts";
import type { Answered, Fired } from "./hook-set.ts";
import { rewrittenOutput } from "./rewritten-output.ts";

export type ResultParts = {
  /** What the hooks of the call said before it ran. */
  readonly noted: readonly string[];
  /** What a hook says is data. */
  readonly asData: (said: Folded["context"][number]) => string;
  /** Runs one hook again, on what those before it left. */
  readonly fireAgain: (shown: string, hook: Answered["hook"]) => Promise<Fired>;
};

export async function hookedResult(fired: Fired, { noted, asData, fireAgain }: ResultParts): Promise<AfterCall> {
  const folded = foldAnswers(fired);
  const withheld = fired.failures.find(({ hook, isBlocking }) => isBlocking || hook.redacts);
  if (withheld !== undefined) {
    const text = `The result of this call is withheld, because the hook ${withheld.hook.name} failed: ${withheld.problem}.`;
    return { output: text, by: `hook ${withheld.hook.name}` };
  }
  const rewritten = await rewrittenOutput(fired, fireAgain);
  const hidden = fired.answers.find(
    ({ hook, answer }) => answer.decision === "deny" && dialects[hook.dialect].blockHidesResult,
  );
  const isError = fired.answers.findLast(({ answer }) => answer.isError !== undefined);
  const said = [
    ...noted,
    ...folded.context.map(asData),
    ...(folded.decision === "deny" && hidden === undefined ? [asData({ by: folded.by, text: folded.reason })] : []),
    ...(isError === undefined
      ? []
      : [`[hook ${isError.hook.name}: ${isError.answer.isError ? "counts as failed" : "counts as completed"}]`]),
  ];
  const shown = hidden === undefined ? rewritten : { output: folded.reason, by: folded.by };
  return {
    ...shown,
    ...(isError?.answer.isError !== undefined && { isError: isError.answer.isError }),
    ...(said.length > 0 && { note: said.join("\n") }),
    ...(folded.stop !== undefined && { endRun: folded.stop }),
  };
}
