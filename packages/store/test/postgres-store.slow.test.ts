/** Runs the store contract on PostgreSQL. */
import { createPostgresBench } from "./postgres-bench.ts";
import { storeContract } from "./store-contract.ts";
import type { OpenStore } from "./store-site.ts";
import { redactForTest, viewContract } from "./view-contract.ts";

const open: OpenStore = async (world) => {
  const bench = await createPostgresBench({
    now: () => world.time,
    randomBytes: (size) => world.randomBytes(size),
    isAlive: (holder) => !world.dead.has(holder.pid),
    redact: redactForTest,
  });
  return { store: await bench.open(), dispose: bench.dispose };
};

storeContract("postgres", open);
viewContract("postgres", open);
