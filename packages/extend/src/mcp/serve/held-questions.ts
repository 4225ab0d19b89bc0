/** Questions that wait for a client to come back with an answer, each under a word that only that client knows. */

export type HeldQuestions<Value> = {
  /** The word to come back with. Nobody waits for ever: other calls of the session wait behind the question. */
  hold(value: Value, onExpired: () => void): string;
  /** Once: a second answer to the same question finds nothing. */
  take(word: string): Value | undefined;
};

export type HeldQuestionsParts = {
  /** A word that nobody can guess. */
  readonly randomWord: () => string;
  /** Does the work after the time, unless it is called off. */
  readonly later: (work: () => void, delayMs: number) => () => void;
};

const heldMsMax = 10 * 60_000;

export function createHeldQuestions<Value>({ randomWord, later }: HeldQuestionsParts): HeldQuestions<Value> {
  const held = new Map<string, { readonly value: Value; readonly callOff: () => void }>();
  return {
    hold(value, onExpired) {
      const word = randomWord();
      const callOff = later(() => {
        if (held.delete(word)) onExpired();
      }, heldMsMax);
      held.set(word, { value, callOff });
      return word;
    },
    take(word) {
      const found = held.get(word);
      held.delete(word);
      found?.callOff();
      return found?.value;
    },
  };
}
