/** A store of its own for each test of a contract, in a world whose clock and processes the test moves. */
import { randomBytes } from "node:crypto";
import type { Fact, FactRecord, Store } from "@kedge/protocol";
import { afterEach, beforeEach } from "vitest";

/** The world a store is opened in; tests move its clock and end its processes. */
export type StoreWorld = { time: number; readonly dead: Set<number>; randomBytes: (size: number) => Uint8Array };

export type OpenedForTest = { readonly store: Store; readonly dispose: () => Promise<void> };

export type OpenStore = (world: StoreWorld) => Promise<OpenedForTest>;

export const startTime = 1_700_000_000_000;
export const writer = { boot: "boot-1", durable: false };

export async function readAll(store: Store, sessionId: string, afterSeq = 0): Promise<readonly FactRecord[]> {
  const records: FactRecord[] = [];
  for await (const record of store.read(sessionId, afterSeq)) records.push(record);
  return records;
}

export async function appended(
  store: Store,
  sessionId: string,
  facts: readonly Fact[],
): Promise<readonly FactRecord[]> {
  const outcome = await store.append(sessionId, facts, writer);
  if (!outcome.ok) throw new Error("the lease was lost");
  return outcome.records;
}

export type StoreSite = { readonly store: Store; readonly world: StoreWorld };

/** Opens a store before each test of the suite around it. */
export function useStore(open: OpenStore): () => StoreSite {
  let world: StoreWorld;
  let opened: OpenedForTest;

  beforeEach(async () => {
    world = { time: startTime, dead: new Set(), randomBytes };
    opened = await open(world);
  });
  afterEach(() => opened.dispose());
  return () => ({ store: opened.store, world });
}

export function validReport(sessionId: string, records: number, payloadsRemoved: number) {
  return { sessionId, valid: true, records, payloadsRemoved, truncated: false };
}
