/** An answer on its way to a dialog that is open already: nothing, then a value or the reason why there is none. */
import { type Failure, FailureError } from "@kedge/protocol";
import { failureText } from "../told-texts.ts";

export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

export interface Asked<Value> {
  value(): Value | undefined;
  problem(): string | undefined;
  /** Asks once more; the old value stays until the new one is there. */
  again(): void;
}

export function ask<Value>(question: () => Promise<Answer<Value>>, onAnswer: () => void): Asked<Value> {
  let value: Value | undefined;
  let problem: string | undefined;

  async function run(): Promise<void> {
    try {
      const answer = await question();
      problem = answer.ok ? undefined : failureText(answer.failure);
      if (answer.ok) value = answer.value;
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      problem = failureText(error.failure);
    }
    onAnswer();
  }

  void run();
  return { value: () => value, problem: () => problem, again: () => void run() };
}

/** For reads, which throw their failure. */
export async function readValue<Value>(read: Promise<Value>): Promise<Answer<Value>> {
  return { ok: true, value: await read };
}
