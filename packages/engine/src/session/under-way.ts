/** Counts the commands that are being carried out in each session, so that none is closed meanwhile. */

export type UnderWay = {
  during<Value>(sessionId: string, work: () => Value | Promise<Value>): Promise<Value>;
  has(sessionId: string): boolean;
};

export function createUnderWay(): UnderWay {
  const counts = new Map<string, number>();
  return {
    async during(sessionId, work) {
      counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (counts.get(sessionId) ?? 1) - 1;
        if (left === 0) counts.delete(sessionId);
        else counts.set(sessionId, left);
      }
    },
    has: (sessionId) => counts.has(sessionId),
  };
}
