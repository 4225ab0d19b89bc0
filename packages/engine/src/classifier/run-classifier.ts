/** The classifier of one run: asks once for equal calls, and gives up when it fails again and again. */
import type { Cost, Usage } from "@kedge/protocol";
import { type Classification, type ClassifiedCall, type ClassifierParts, classifyCall } from "./classify-call.ts";

export interface RunClassifier {
  classify(call: ClassifiedCall, signal: AbortSignal): Promise<Classification>;
  /** True after three failures in a row: then a person answers again. */
  hasGivenUp(): boolean;
}

export type RunClassifierOptions = {
  /** Told what each question cost. */
  readonly onCost: (cost: Cost, usage: Usage) => void;
};

const failuresInRowMax = 3;

export function createRunClassifier(parts: ClassifierParts, { onCost }: RunClassifierOptions): RunClassifier {
  const answers = new Map<string, Promise<Classification>>();
  let failuresInRow = 0;

  async function ask(call: ClassifiedCall, signal: AbortSignal): Promise<Classification> {
    const answer = await classifyCall(call, parts, signal);
    onCost(answer.cost, answer.usage);
    failuresInRow = answer.isFailure && !signal.aborted ? failuresInRow + 1 : 0;
    return answer;
  }

  return {
    async classify(call, signal) {
      // What the user said meanwhile belongs to the question.
      const key = JSON.stringify(call);
      const known = answers.get(key);
      if (known !== undefined) return known;
      const asked = ask(call, signal);
      answers.set(key, asked);
      const answer = await asked;
      // A failure is no answer; the next equal call asks again.
      if (answer.isFailure) answers.delete(key);
      return answer;
    },
    hasGivenUp: () => failuresInRow >= failuresInRowMax,
  };
}
