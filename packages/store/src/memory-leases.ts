/** Leases of the store in memory: which process may write a session. */
import type { Store } from "@kedge/protocol";
import { type IsAlive, isHeld, judgeLease, type Lease, leaseMs } from "./lease.ts";
import type { MemorySignatures } from "./memory-signatures.ts";

export type MemoryLeases = Pick<Store, "acquireLease" | "releaseLease" | "heldSessions"> & {
  of(sessionId: string): Lease | undefined;
};

export type MemoryLeaseParts = {
  readonly signatures: MemorySignatures;
  readonly now: () => number;
  readonly isAlive: IsAlive;
};

export function createMemoryLeases({ signatures, now, isAlive }: MemoryLeaseParts): MemoryLeases {
  const leases = new Map<string, Lease>();
  return {
    of: (sessionId) => leases.get(sessionId),
    async acquireLease(sessionId, holder) {
      const time = now();
      const outcome = judgeLease(leases.get(sessionId), holder, { now: time, isAlive });
      if (outcome.ok) leases.set(sessionId, { holder: { ...holder }, expiresAt: time + leaseMs });
      return outcome;
    },
    async releaseLease(sessionId, boot) {
      if (leases.get(sessionId)?.holder.boot !== boot) return;
      signatures.sign(sessionId);
      leases.delete(sessionId);
    },
    async heldSessions() {
      const world = { now: now(), isAlive };
      return [...leases].flatMap(([sessionId, lease]) => (isHeld(lease, world) ? sessionId : [])).sort();
    },
  };
}
