/** How much one address or one guest may ask of a relay before it is refused. */

export type Allowance = {
  /** False when the address used up what it may in this window. */
  take(address: string, amount?: number): boolean;
};

type Window = { begun: number; used: number };

/** Old windows are dropped when this many addresses are known, so that no crowd of them fills the memory. */
const addressesMax = 10_000;

export function createAllowance(limits: {
  readonly max: number;
  readonly windowMs: number;
  readonly now: () => number;
}): Allowance {
  const { max, windowMs, now } = limits;
  const windows = new Map<string, Window>();

  function windowOf(address: string): Window {
    const time = now();
    const known = windows.get(address);
    if (known !== undefined && time - known.begun < windowMs) return known;
    if (windows.size >= addressesMax) {
      for (const [name, { begun }] of windows) if (time - begun >= windowMs) windows.delete(name);
      // Whoever comes from that many addresses at once is refused rather than forgotten.
      if (windows.size >= addressesMax) return { begun: time, used: max };
    }
    const fresh = { begun: time, used: 0 };
    windows.set(address, fresh);
    return fresh;
  }

  return {
    take(address, amount = 1) {
      const window = windowOf(address);
      if (window.used + amount > max) return false;
      window.used += amount;
      return true;
    },
  };
}
