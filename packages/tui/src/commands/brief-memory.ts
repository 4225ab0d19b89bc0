/** Keeps answers for a moment, so that typing does not ask the same again with every key. */
import { type Failure, FailureError } from "@kedge/protocol";

/** Gives back what was loaded under the same name a moment ago, or loads it. A failure is not kept. */
export type Remember = <Value>(name: string, load: () => Promise<Value>) => Promise<Value>;

const keptMs = 2_000;

export function createBriefMemory(now: () => number): Remember {
  const kept = new Map<string, { readonly value: unknown; readonly until: number }>();

  function forget(): void {
    const time = now();
    for (const [name, { until }] of kept) if (until <= time) kept.delete(name);
  }

  return async <Value>(name: string, load: () => Promise<Value>): Promise<Value> => {
    forget();
    const known = kept.get(name);
    // A name always stands for the same question, and so for the same kind of value.
    if (known !== undefined) return known.value as Value;
    const value = await load();
    kept.set(name, { value, until: now() + keptMs });
    return value;
  };
}

type Answered<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Failure };

/** For what is remembered: a failure is thrown, so that a question that was cut off is not kept as an empty answer. */
export function answered<Value>(answer: Answered<Value>): Value {
  if (answer.ok) return answer.value;
  throw new FailureError(answer.failure);
}

/** For lists that others complete: without an answer there is nothing to offer now. */
export async function orNothing<Item>(items: Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await items;
  } catch (error) {
    if (error instanceof FailureError) return [];
    throw error;
  }
}
