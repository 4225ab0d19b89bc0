/** Runs the store contract on the store in memory. */
import { storeContract } from "../test/store-contract.ts";
import type { OpenStore } from "../test/store-site.ts";
import { redactForTest, viewContract } from "../test/view-contract.ts";
import { createMemoryStore } from "./memory-store.ts";

const open: OpenStore = async (world) => ({
  store: createMemoryStore({
    now: () => world.time,
    randomBytes: (size) => world.randomBytes(size),
    isAlive: (holder) => !world.dead.has(holder.pid),
    redact: redactForTest,
  }),
  dispose: async () => {},
});

storeContract("memory", open);
viewContract("memory", open);
