/** Decides who may write a session; the stores only keep what is decided here. */
import type { AppendOutcome, LeaseHolder, LeaseOutcome } from "@kedge/protocol";

/** A holder that has not renewed for this long has lost its lease. */
export const leaseMs = 30_000;

export type Lease = { readonly holder: LeaseHolder; readonly expiresAt: number };

/** Whether the process that a holder names still runs on this machine. */
export type IsAlive = (holder: LeaseHolder) => boolean;

export function judgeLease(
  current: Lease | undefined,
  holder: LeaseHolder,
  world: { readonly now: number; readonly isAlive: IsAlive },
): LeaseOutcome {
  if (current === undefined || current.holder.boot === holder.boot || !isHeld(current, world)) return { ok: true };
  return { ok: false, holder: current.holder, expiresAt: current.expiresAt };
}

export function isHeld(
  { holder, expiresAt }: Lease,
  world: { readonly now: number; readonly isAlive: IsAlive },
): boolean {
  return expiresAt > world.now && world.isAlive(holder);
}

/** A writer may go on while nobody else took the lease, even if its own renewal came late. */
export function lostLease(current: Lease | undefined, boot: string): Extract<AppendOutcome, { ok: false }> | undefined {
  if (current === undefined || current.holder.boot === boot) return undefined;
  return { ok: false, reason: "lease-lost", holder: current.holder };
}
