/**
 * Keeps a server small over hours. V8 takes what it is given: with its own limits the heap was at 115 MB after 600 tool
 * calls and the process at 220 MB, of which a collection would have freed most; with these flags they were at 43 and
 * 153 MB (`scripts/soak.ts`). Set once the server listens, because loading is slower with them.
 */
import { setFlagsFromString } from "node:v8";

export function keepServerSmall(): void {
  // The room for what is short-lived does not grow, and the rest grows by less before it is collected.
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--optimize-for-size");
  // A compiler in the background that waits for a collection would keep the process from ending, for ever.
  setFlagsFromString("--no-concurrent-sparkplug");
}
