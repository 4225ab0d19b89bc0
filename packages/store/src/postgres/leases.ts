/** Who writes a session, on whichever machine: a process elsewhere cannot be looked at, so there only time counts. */
import type { LeaseHolder, LeaseOutcome } from "@kedge/protocol";
import { type IsAlive, isHeld, judgeLease, type Lease, leaseMs } from "../lease.ts";
import type { Connection, Queries, Row } from "./postgres-connection.ts";
import type { SignedHeads } from "./signed-heads.ts";

const sql = {
  lease: "SELECT * FROM kedge.lease WHERE session_id = $1",
  leases: "SELECT * FROM kedge.lease ORDER BY session_id",
  save: `INSERT INTO kedge.lease (session_id, machine, boot, pid, started_at, expires) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (session_id) DO UPDATE SET machine = excluded.machine, boot = excluded.boot, pid = excluded.pid,
      started_at = excluded.started_at, expires = excluded.expires`,
  drop: "DELETE FROM kedge.lease WHERE session_id = $1 AND boot = $2",
} as const;

type StoredLease = Lease & { readonly machine: string };

/** The time of the server, because machines disagree about theirs by more than a lease lasts. */
export type SharedClock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The same moment as this machine tells it. */
  here(time: number): number;
};

export type LeaseWorld = { readonly clock: SharedClock; readonly machine: string; readonly isAlive: IsAlive };

export type Leases = {
  acquire(sessionId: string, holder: LeaseHolder): Promise<LeaseOutcome>;
  release(sessionId: string, boot: string): Promise<void>;
  held(): Promise<readonly string[]>;
};

async function leaseOf(queries: Queries, sessionId: string): Promise<StoredLease | undefined> {
  const [row] = await queries.rows(sql.lease, [sessionId]);
  return row && leaseEntry(row);
}

/** Undefined for a row that was joined to none. */
export function leaseEntry(row: Row): StoredLease | undefined {
  if (typeof row["boot"] !== "string") return undefined;
  // The types of the columns are those of the schema.
  return {
    holder: { boot: row["boot"], pid: row["pid"] as number, startedAt: row["started_at"] as string },
    expiresAt: row["expires"] as number,
    machine: row["machine"] as string,
  };
}

export function createLeases(
  connection: Connection,
  signedHeads: Pick<SignedHeads, "sign">,
  { clock, machine, isAlive }: LeaseWorld,
): Leases {
  const worldOf = (lease: StoredLease | undefined) => ({
    now: clock.now(),
    isAlive: (holder: LeaseHolder) => lease?.machine !== machine || isAlive(holder),
  });
  const write = <Result>(sessionId: string, work: (queries: Queries) => Promise<Result>) =>
    connection.write({ durable: false, locks: [{ of: "chain", sessionId }] }, work);

  return {
    acquire: (sessionId, holder) =>
      write(sessionId, async (queries) => {
        const current = await leaseOf(queries, sessionId);
        const world = worldOf(current);
        const outcome = judgeLease(current, holder, world);
        if (!outcome.ok) return { ...outcome, expiresAt: clock.here(outcome.expiresAt) };
        const { boot, pid, startedAt } = holder;
        await queries.rows(sql.save, [sessionId, machine, boot, pid, startedAt, world.now + leaseMs]);
        return outcome;
      }),
    release: (sessionId, boot) =>
      write(sessionId, async (queries) => {
        if ((await leaseOf(queries, sessionId))?.holder.boot !== boot) return;
        await signedHeads.sign(queries, sessionId);
        await queries.rows(sql.drop, [sessionId, boot]);
      }),
    /** A lease that nobody gave back stays in its table until somebody takes it, so each one is judged. */
    async held() {
      return (await connection.rows(sql.leases)).flatMap((row) => {
        const lease = leaseEntry(row);
        return lease !== undefined && isHeld(lease, worldOf(lease)) ? [row["session_id"] as string] : [];
      });
    },
  };
}
