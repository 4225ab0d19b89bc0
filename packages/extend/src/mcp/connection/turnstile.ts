/** Lets a limited number of tasks run at once; the others wait for their turn. */
export type Turnstile = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function createTurnstile(atOnceMax: number): Turnstile {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
