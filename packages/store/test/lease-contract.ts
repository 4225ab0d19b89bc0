/** What every store promises about leases: one process writes a session. */
import type { LeaseHolder } from "@kedge/protocol";
import { expect, test } from "vitest";
import { created, prompt } from "./sample-facts.ts";
import { appended, readAll, type StoreSite, startTime, writer } from "./store-site.ts";

const first: LeaseHolder = { boot: "boot-1", pid: 101, startedAt: "1" };
const second: LeaseHolder = { boot: "boot-2", pid: 102, startedAt: "2" };

export function leaseContract(site: () => StoreSite): void {
  test("refuses a second holder and names the first", async () => {
    const { store } = site();
    expect(await store.acquireLease("ses_1", first)).toEqual({ ok: true });
    const refused = { ok: false, holder: first, expiresAt: startTime + 30_000 };
    expect(await store.acquireLease("ses_1", second)).toEqual(refused);
    expect(await store.acquireLease("ses_2", second)).toEqual({ ok: true });
    await store.releaseLease("ses_1", second.boot);
    expect(await store.acquireLease("ses_1", second)).toEqual(refused);
    await store.releaseLease("ses_1", first.boot);
    expect(await store.acquireLease("ses_1", second)).toEqual({ ok: true });
  });

  test("lets a holder renew, and gives an expired lease to the next", async () => {
    const { store, world } = site();
    await store.acquireLease("ses_1", first);
    world.time += 29_000;
    expect(await store.acquireLease("ses_1", first)).toEqual({ ok: true });
    world.time += 29_999;
    expect((await store.acquireLease("ses_1", second)).ok).toBe(false);
    world.time += 1;
    expect(await store.acquireLease("ses_1", second)).toEqual({ ok: true });
  });

  test("takes over from a holder that no longer lives", async () => {
    const { store, world } = site();
    await store.acquireLease("ses_1", first);
    world.dead.add(first.pid);
    expect(await store.acquireLease("ses_1", second)).toEqual({ ok: true });
  });

  test("names the sessions that a living process holds", async () => {
    const { store, world } = site();
    expect(await store.heldSessions()).toEqual([]);
    await store.acquireLease("ses_2", second);
    await store.acquireLease("ses_1", first);
    await store.acquireLease("ses_3", first);
    await store.releaseLease("ses_3", first.boot);
    expect(await store.heldSessions()).toEqual(["ses_1", "ses_2"]);
    world.dead.add(first.pid);
    expect(await store.heldSessions()).toEqual(["ses_2"]);
    world.time += 30_000;
    expect(await store.heldSessions()).toEqual([]);
  });

  test("refuses to append once another process holds the lease", async () => {
    const { store, world } = site();
    await store.acquireLease("ses_1", first);
    await appended(store, "ses_1", [created]);
    world.time += 30_000;
    await store.acquireLease("ses_1", second);
    expect(await store.append("ses_1", [prompt("late")], writer)).toEqual({
      ok: false,
      reason: "lease-lost",
      holder: second,
    });
    expect(await readAll(store, "ses_1")).toHaveLength(1);
  });
}
