/** Leases of the SQLite store: which process may write a session. */
import type { Store } from "@kedge/protocol";
import { type IsAlive, judgeLease, leaseMs } from "../lease.ts";
import { listHeld } from "./session-list.ts";
import type { SignedHeads } from "./signed-heads.ts";
import type { Connection } from "./sqlite-connection.ts";
import { leaseEntry, sql } from "./sqlite-rows.ts";

export type LeaseParts = {
  readonly signedHeads: SignedHeads;
  readonly now: () => number;
  readonly isAlive: IsAlive;
};

export function createLeases(
  connection: Connection,
  { signedHeads, now, isAlive }: LeaseParts,
): Pick<Store, "acquireLease" | "releaseLease" | "heldSessions"> {
  return {
    async acquireLease(sessionId, holder) {
      return connection.write({ durable: false }, () => {
        const time = now();
        const current = leaseEntry(connection.get(sql.lease, sessionId));
        const outcome = judgeLease(current, holder, { now: time, isAlive });
        const { boot, pid, startedAt } = holder;
        if (outcome.ok) connection.run(sql.saveLease, sessionId, boot, pid, startedAt, time + leaseMs);
        return outcome;
      });
    },
    async releaseLease(sessionId, boot) {
      connection.write({ durable: false }, () => {
        if (leaseEntry(connection.get(sql.lease, sessionId))?.holder.boot !== boot) return;
        signedHeads.sign(sessionId);
        connection.run(sql.dropLease, sessionId, boot);
      });
    },
    heldSessions: async () => listHeld(connection, { now: now(), isAlive }),
  };
}
