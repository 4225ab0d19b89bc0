/** Runs the store contract on the store in memory. */
import { storeContract } from "../test/store-contract.ts";
import { createMemoryStore } from "./memory-store.ts";

storeContract("memory", async (world) => ({
  store: createMemoryStore({
    now: () => world.time,
    randomBytes: (size) => world.randomBytes(size),
    isAlive: (holder) => !world.dead.has(holder.pid),
  }),
  dispose: async () => {},
}));
