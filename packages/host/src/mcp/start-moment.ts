/** When servers are loaded: behind the first answer, a moment after a session in which nobody asks, or once they are needed. */

/** Loading the protocol takes as long as making a request, so that the first one goes before; a short run needs neither. */
const afterAnswerMs = 50;
/** For a session in which nobody asks anything yet. */
const idleMs = 1_000;

export function createStartMoment() {
  const due = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  let isAsked = false;
  const dueIn = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(due.resolve, delayMs).unref();
  };
  return {
    /** Nobody waits for it any longer. */
    hurry: due.resolve,
    wait(): Promise<void> {
      if (!isAsked && timer === undefined) dueIn(idleMs);
      return due.promise;
    },
    /** A first request is being made, which goes before however long it takes. */
    asked() {
      isAsked = true;
      clearTimeout(timer);
    },
    answered: () => dueIn(afterAnswerMs),
  };
}
