/**
 * Keeps a server that floods kedge from keeping it busy: beyond a number a second its notices are passed over, and so are
 * its requests, whose answers would pile up in front of a server that never reads them.
 */

const perSecondMax = 100;

/** True for a message that is to be read. Answers always are. */
export function createFloodGuard(onFlood: () => void): (message: unknown) => boolean {
  const left = { notices: perSecondMax, requests: perSecondMax };
  let timer: NodeJS.Timeout | undefined;
  return (message) => {
    if (typeof message !== "object" || message === null || !("method" in message)) return true;
    const kind = "id" in message ? "requests" : "notices";
    if (timer === undefined) {
      timer = setTimeout(() => {
        timer = undefined;
        left.notices = perSecondMax;
        left.requests = perSecondMax;
      }, 1_000);
      timer.unref();
    }
    left[kind] -= 1;
    if (left[kind] === -1) onFlood();
    return left[kind] >= 0;
  };
}
