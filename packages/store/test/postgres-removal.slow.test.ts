/** Removal, garbage and signatures on PostgreSQL, as every store promises them. */
import { afterEach } from "vitest";
import { createPostgresBench, type PostgresBench } from "./postgres-bench.ts";
import { removalContract } from "./removal-contract.ts";
import { signedHeadsContract } from "./signed-heads-contract.ts";

const benches: PostgresBench[] = [];

afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.dispose();
});

async function newBench(): Promise<PostgresBench> {
  const bench = await createPostgresBench();
  benches.push(bench);
  return bench;
}

removalContract("postgres", async (world) => (await newBench()).open(world));
signedHeadsContract("postgres", async (journalKey) => (await newBench()).open({ journalKey }));
