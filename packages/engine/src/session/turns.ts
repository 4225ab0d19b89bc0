/** One after the other by name: what opens a session, closes it or writes to it without opening it. */

export interface Turns {
  /** Begins when everything before it under this name is over, well or not. */
  take<Value>(name: string, work: () => Promise<Value>): Promise<Value>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(name, work) {
      const previous = last.get(name);
      const turn = previous === undefined ? work() : previous.then(work, work);
      last.set(name, turn);
      const over = () => {
        if (last.get(name) === turn) last.delete(name);
      };
      turn.then(over, over);
      return turn;
    },
  };
}
