/** Keeps a server that floods kedge with notices from keeping it busy: beyond a number a second they are passed over. */

const perSecondMax = 100;

/** True for a message that is to be read. Requests and answers always are. */
export function createFloodGuard(onFlood: () => void): (message: unknown) => boolean {
  let left = perSecondMax;
  let timer: NodeJS.Timeout | undefined;
  return (message) => {
    const isNotice = typeof message === "object" && message !== null && !("id" in message) && "method" in message;
    if (!isNotice) return true;
    if (timer === undefined) {
      timer = setTimeout(() => {
        timer = undefined;
        left = perSecondMax;
      }, 1_000);
      timer.unref();
    }
    left -= 1;
    if (left === -1) onFlood();
    return left >= 0;
  };
}
