/** Tampering with a PostgreSQL database, and with what its server keeps beside the chains. */
import { rounds } from "@kedge/testing";
import { afterEach, describe, expect, test } from "vitest";
import { behindPostgres } from "./forged-chain.ts";
import { createPostgresBench, type PostgresBench } from "./postgres-bench.ts";
import { created, sampleFacts } from "./sample-facts.ts";
import { appended, validReport } from "./store-site.ts";
import { type ForgedPlace, tamperingContract } from "./tampering-contract.ts";
import { conversation } from "./view-facts.ts";

const benches: PostgresBench[] = [];

afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.dispose();
});

async function newBench(from?: PostgresBench): Promise<PostgresBench> {
  const bench = await createPostgresBench({}, from?.database);
  benches.push(bench);
  return bench;
}

async function placeOf(bench: PostgresBench): Promise<ForgedPlace> {
  return {
    open: (journalKey) => bench.open({ journalKey }),
    behind: behindPostgres(bench.database),
    copy: async () => placeOf(await newBench(bench)),
  };
}

tamperingContract("postgres", rounds({ usual: 3, long: 20 }), async () => placeOf(await newBench()));

describe("the listing and the derived tables", () => {
  test.each([
    ["UPDATE kedge.session SET title = '\"another\"'", 7, "the session's listing does not match its records"],
    ["UPDATE kedge.part SET data = replace(data, 'quiet', 'loud')", 7, "message msg_p1"],
    ["DELETE FROM kedge.message WHERE place = 2", 7, "message msg_p1"],
    ["UPDATE kedge.usage SET output = output + 1", 7, "the usage"],
    ["INSERT INTO kedge.todo VALUES (1, 0, '{}')", 7, "the todos"],
    [
      "UPDATE kedge.part SET words = NULL WHERE key = (SELECT min(key) FROM kedge.part WHERE words IS NOT NULL)",
      7,
      "the search",
    ],
  ])("are compared with the records: %s", async (change, seq, what) => {
    const bench = await newBench();
    const store = await bench.open();
    await appended(store, "ses_1", [created, ...conversation(1, "a quiet day")]);
    await store.catchUp("ses_1");
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 7, 0));
    await bench.database.query(change);
    const isListing = what.startsWith("the session");
    const said = isListing ? what : `the projection differs from its records: ${what}`;
    expect((await store.verify("ses_1")).problem).toEqual({ seq, what: said });
  });

  test("a torn last record is a truncation, and reading it fails with a sentence", async () => {
    const bench = await newBench();
    const store = await bench.open();
    await appended(store, "ses_1", sampleFacts);
    await bench.database.query("UPDATE kedge.fact SET data = substr(data, 1, 5) WHERE pos = 7");
    const problem = { seq: 7, what: "the last record is incomplete" };
    expect(await store.verify("ses_1")).toMatchObject({ valid: false, truncated: true, problem });
    await expect(store.messages("ses_1", { limit: 1 })).rejects.toThrow("Record 7 of session ses_1 is damaged.");
  });
});
