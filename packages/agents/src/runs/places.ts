/** How many agents of one session work at the same time. Whoever comes later waits for a place. */

export interface Places {
  /** Resolves with the way to leave the place; undefined when the signal was aborted first. */
  take(parentId: string, signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** Per session and not per tree: an agent that waits for its own agents must not keep a place that they need. */
export function createPlaces(max: number): Places {
  const taken = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();

  function leave(parentId: string): void {
    const next = waiting.get(parentId)?.shift();
    if (next !== undefined) {
      next();
      return;
    }
    const left = (taken.get(parentId) ?? 1) - 1;
    if (left > 0) taken.set(parentId, left);
    else taken.delete(parentId);
    waiting.delete(parentId);
  }

  function placeOf(parentId: string): () => void {
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      leave(parentId);
    };
  }

  return {
    async take(parentId, signal) {
      if (signal.aborted) return undefined;
      const count = taken.get(parentId) ?? 0;
      if (count < max) {
        taken.set(parentId, count + 1);
        return placeOf(parentId);
      }
      const turn = Promise.withResolvers<boolean>();
      const queue = waiting.get(parentId) ?? [];
      const come = () => turn.resolve(true);
      waiting.set(parentId, [...queue, come]);
      const giveUp = () => {
        const others = waiting.get(parentId)?.filter((each) => each !== come) ?? [];
        // One whose turn came already leaves its place like any other.
        if (others.length < (waiting.get(parentId)?.length ?? 0)) {
          waiting.set(parentId, others);
          turn.resolve(false);
        }
      };
      signal.addEventListener("abort", giveUp, { once: true });
      const isIn = await turn.promise;
      signal.removeEventListener("abort", giveUp);
      if (!isIn) return undefined;
      if (!signal.aborted) return placeOf(parentId);
      leave(parentId);
      return undefined;
    },
  };
}
