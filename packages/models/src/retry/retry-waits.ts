/** Keeps who waits for the next attempt, by conversation, so that a person who does not want to wait can end it. */

export interface RetryWaits {
  /** From the moment an attempt is announced until it begins or nobody wants it any more. */
  enter(conversationId: string): RetryWait;
  /** Ends the waits of the conversation; false where nothing waits. */
  hasten(conversationId: string): boolean;
}

export type RetryWait = {
  /** Aborted when the wait is to end before its time. */
  readonly hastened: AbortSignal;
  readonly leave: () => void;
};

export function createRetryWaits(): RetryWaits {
  const waiting = new Map<string, Set<AbortController>>();
  return {
    enter(conversationId) {
      const controller = new AbortController();
      const others = waiting.get(conversationId) ?? new Set();
      waiting.set(conversationId, others.add(controller));
      return {
        hastened: controller.signal,
        leave() {
          others.delete(controller);
          if (others.size === 0 && waiting.get(conversationId) === others) waiting.delete(conversationId);
        },
      };
    },
    hasten(conversationId) {
      const controllers = waiting.get(conversationId);
      if (controllers === undefined) return false;
      waiting.delete(conversationId);
      for (const controller of controllers) controller.abort();
      return true;
    },
  };
}
