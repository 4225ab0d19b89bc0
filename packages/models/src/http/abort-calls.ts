/** Calls on abort, by one listener for each signal: adding and removing one with each exchange costs more than sending it. */

const callsOf = new WeakMap<AbortSignal, Set<() => void>>();

/** The calls that this signal makes when it is aborted, for whoever adds one and deletes it afterwards. */
export function abortCalls(signal: AbortSignal): Set<() => void> {
  const known = callsOf.get(signal);
  if (known !== undefined) return known;
  const calls = new Set<() => void>();
  callsOf.set(signal, calls);
  signal.addEventListener("abort", () => callAll(calls), { once: true });
  return calls;
}

function callAll(calls: Set<() => void>): void {
  for (const call of [...calls]) call();
  calls.clear();
}
