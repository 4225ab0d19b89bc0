/** One piece of work after another for each agent: starts, ends and messages never cross. */

interface Turns {
  take<Value>(agentId: string, work: () => Promise<Value>): Promise<Value>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(agentId, work) {
      const before = last.get(agentId) ?? Promise.resolve();
      const own = before.then(work, work);
      const settled = own.catch(() => undefined);
      last.set(agentId, settled);
      try {
        return await own;
      } finally {
        if (last.get(agentId) === settled) last.delete(agentId);
      }
    },
  };
}
