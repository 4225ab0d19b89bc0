/** The classifier of one run: asks once for equal calls, and gives up when it fails again and again. */
import type { Cost, Usage } from "@kedge/protocol";
import type { Classification, ClassifierParts } from "./classify-call.ts";
import type { ClassifiedCall } from "./describe-call.ts";

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

type Asked = { readonly answer: Promise<Classification>; readonly signal: AbortSignal };

export function createRunClassifier(parts: ClassifierParts, { onCost }: RunClassifierOptions): RunClassifier {
  const questions = new Map<string, Asked>();
  let failuresInRow = 0;

  async function ask(call: ClassifiedCall, signal: AbortSignal): Promise<Classification> {
    // Loaded with the first question: few runs are in auto mode.
    const { classifyCall } = await import("./classify-call.ts");
    const answer = await classifyCall(call, parts, signal);
    onCost(answer.cost, answer.usage);
    if (!answer.isFailure) failuresInRow = 0;
    // Whoever stopped it says nothing about the model.
    else if (!signal.aborted) failuresInRow += 1;
    return answer;
  }

  return {
    async classify(call, signal) {
      // What the user said meanwhile belongs to the question.
      const key = JSON.stringify(call);
      const known = questions.get(key);
      if (known !== undefined) {
        const shared = await known.answer;
        const wasStopped = shared.isFailure && known.signal.aborted;
        if (!wasStopped || signal.aborted) return shared;
      }
      const asked: Asked = { answer: ask(call, signal), signal };
      questions.set(key, asked);
      const answer = await asked.answer;
      // A failure is no answer; the next equal call asks again.
      if (answer.isFailure && questions.get(key) === asked) questions.delete(key);
      return answer;
    },
    hasGivenUp: () => failuresInRow >= failuresInRowMax,
  };
}
