/** Keeps away for a while whoever shows too many wrong credentials. */
import { isIPv6 } from "node:net";
import { plainAddress, wordsOfIpv6 } from "./addresses.ts";

export type LockOutLimits = {
  /** So many within the time lock the peer out. */
  readonly failuresMax: number;
  readonly windowMs: number;
  readonly lockMs: number;
};

const usual: LockOutLimits = { failuresMax: 10, windowMs: 60_000, lockMs: 60_000 };
/** The one that was heard of longest ago is forgotten when there would be more. */
const peersMax = 10_000;

export type LockOut = {
  /** How long the peer is to stay away, 0 when it is welcome. */
  remainingMs(address: string): number;
  fail(address: string): void;
};

type Record = { readonly failedAt: readonly number[]; readonly lockedUntil: number };

/** A right credential does not wipe out the wrong ones: who holds a small right must not guess a larger one for ever. */
export function createLockOut(now: () => number, limits: LockOutLimits = usual): LockOut {
  const { failuresMax, windowMs, lockMs } = limits;
  const records = new Map<string, Record>();
  return {
    remainingMs: (address) => Math.max(0, (records.get(peerOf(address))?.lockedUntil ?? 0) - now()),
    fail(address) {
      const peer = peerOf(address);
      const time = now();
      const recent = (records.get(peer)?.failedAt ?? []).filter((at) => at > time - windowMs);
      const failedAt = [...recent, time];
      const isTooMany = failedAt.length >= failuresMax;
      records.delete(peer);
      records.set(peer, isTooMany ? { failedAt: [], lockedUntil: time + lockMs } : { failedAt, lockedUntil: 0 });
      for (const oldest of records.keys()) {
        if (records.size <= peersMax) break;
        records.delete(oldest);
      }
    },
  };
}

/** One machine has a whole network of IPv6 addresses to itself; its first half names it. */
function peerOf(address: string): string {
  const plain = plainAddress(address);
  return isIPv6(plain) ? wordsOfIpv6(plain).slice(0, 4).join(":") : plain;
}
