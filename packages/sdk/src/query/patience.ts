/** How long a query whose program wants it to end still waits for the end of its run. */
import { endMsMax } from "./end-run.ts";

export type Patience = {
  /** Aborted when the wish is older than the limit. */
  readonly spent: AbortSignal;
  close(): void;
};

/** While the program itself holds the query up, the end may be waiting to be read, and no time is counted as over. */
export function createPatience(wish: AbortSignal | undefined, isHeldUp: () => boolean): Patience {
  const spent = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    timer = setTimeout(() => (isHeldUp() ? begin() : spent.abort()), endMsMax);
  };
  wish?.addEventListener("abort", begin, { once: true });
  return {
    spent: spent.signal,
    close() {
      wish?.removeEventListener("abort", begin);
      clearTimeout(timer);
    },
  };
}
