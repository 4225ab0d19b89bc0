/** What every store promises about sessions as a whole: listing, removal of content, verification; and about blobs. */
import { randomBytes } from "node:crypto";
import type { Fact, LeaseHolder } from "@kedge/protocol";
import { createSeededRandom } from "@kedge/testing";
import { expect, test } from "vitest";
import { created, prompt, sampleFacts } from "./sample-facts.ts";
import { appended, readAll, type StoreSite, startTime, validReport } from "./store-site.ts";

const nothing = { ok: true, records: [], position: 0 };
const second: LeaseHolder = { boot: "boot-2", pid: 102, startedAt: "2" };

export function sessionContract(site: () => StoreSite): void {
  test("lists sessions newest first, by directory and by project", async () => {
    const { store, world } = site();
    await appended(store, "ses_1", [{ ...created, directory: "/a", projectId: "p" } as Fact, prompt("first")]);
    world.time += 1;
    await appended(store, "ses_2", [{ ...created, directory: "/b", projectId: "p" } as Fact]);
    world.time += 1;
    await appended(store, "ses_3", [{ ...created, directory: "/a", projectId: "q" } as Fact]);
    world.time += 1;
    await appended(store, "ses_1", [{ type: "model.changed", model: "mock/large" }]);
    const ids = async (filter: { directory?: string; projectId?: string; limit: number }) =>
      (await store.sessions(filter)).map((summary) => summary.sessionId);
    expect(await ids({ limit: 10 })).toEqual(["ses_1", "ses_3", "ses_2"]);
    expect(await ids({ limit: 2 })).toEqual(["ses_1", "ses_3"]);
    expect(await ids({ directory: "/a", limit: 10 })).toEqual(["ses_1", "ses_3"]);
    expect(await ids({ projectId: "p", limit: 10 })).toEqual(["ses_1", "ses_2"]);
    expect(await ids({ directory: "/b", projectId: "q", limit: 10 })).toEqual([]);
    const summary = {
      sessionId: "ses_1",
      isArchived: false,
      projectId: "p",
      directory: "/a",
      title: "first",
      model: "mock/large",
      createdAt: startTime,
      updatedAt: startTime + 3,
      lastSeq: 3,
    };
    expect(await store.session("ses_1")).toEqual(summary);
    expect((await store.sessions({ limit: 1 }))[0]).toEqual(summary);
    expect(await store.session("ses_9")).toBeUndefined();
  });

  test("takes the title from the first prompt", async () => {
    const { store } = site();
    const title = async () => (await store.session("ses_1"))?.title;
    await appended(store, "ses_1", [created]);
    expect(await title()).toBe("");
    await appended(store, "ses_1", [prompt(`  ${"ä".repeat(60)}\nmore`), prompt("other")]);
    expect(await title()).toBe("ä".repeat(50));
  });

  test("removes content but not records, and with it the title it gave", async () => {
    const { store, world } = site();
    const records = await appended(store, "ses_1", sampleFacts);
    const digests = [records[1]?.digest, records[3]?.digest].map(String);
    world.time += 1;
    const outcome = await store.removeContent("ses_1", [...digests, "0".repeat(64)], {
      reason: "secret",
      by: "user",
      boot: "boot-1",
    });
    expect(outcome.ok && outcome.records.map((record) => record.fact)).toEqual([
      { type: "content.removed", digests, reason: "secret", by: "user" },
    ]);
    const after = await readAll(store, "ses_1");
    expect(after[1]).toEqual({ ...records[1], fact: { ...records[1]?.fact, text: "" }, removed: true });
    expect(after[3]).toEqual({ ...records[3], fact: { ...records[3]?.fact, content: [] }, removed: true });
    expect(after.filter((_, index) => index !== 1 && index !== 3)).toEqual([
      ...records.filter((_, index) => index !== 1 && index !== 3),
      ...(outcome.ok ? outcome.records : []),
    ]);
    expect((await store.session("ses_1"))?.title).toBe("");
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 8, 2));
    await appended(store, "ses_1", [{ type: "mode.changed", mode: "plan" }]);
    expect((await store.session("ses_1"))?.title).toBe("");
    expect(await store.verify("ses_1")).toEqual(validReport("ses_1", 9, 2));
    expect(await store.removeContent("ses_1", digests, { reason: "again", by: "user", boot: "boot-1" })).toEqual(
      nothing,
    );
  });

  test("refuses to remove content without the lease", async () => {
    const { store } = site();
    const [, record] = await appended(store, "ses_1", sampleFacts);
    await store.acquireLease("ses_1", second);
    const why = { reason: "secret", by: "user", boot: "boot-1" };
    expect(await store.removeContent("ses_1", [String(record?.digest)], why)).toEqual({
      ok: false,
      reason: "lease-lost",
      holder: second,
    });
    expect((await readAll(store, "ses_1"))[1]).toEqual(record);
  });

  test("stays valid whatever content is removed", async () => {
    const { store } = site();
    const { seed, next: random } = createSeededRandom();
    for (let round = 0; round < 10; round += 1) {
      const sessionId = `ses_${round}`;
      const facts = Array.from({ length: 1 + Math.floor(random() * 30) }, () => {
        return sampleFacts[Math.floor(random() * sampleFacts.length)] as Fact;
      });
      const records = await appended(store, sessionId, facts);
      const sealed = records.flatMap((record) => record.digest ?? []);
      const chosen = sealed.filter(() => random() < 0.4);
      await store.removeContent(sessionId, chosen, { reason: "thinning", by: "test", boot: "boot-1" });
      const count = records.length + (chosen.length === 0 ? 0 : 1);
      expect(await store.verify(sessionId), `seed ${seed}`).toEqual(validReport(sessionId, count, chosen.length));
    }
  });

  test("says of an unknown session that it does not exist", async () => {
    const { store } = site();
    expect(await store.verify("ses_9")).toEqual({
      sessionId: "ses_9",
      valid: false,
      records: 0,
      payloadsRemoved: 0,
      truncated: false,
      problem: { seq: 0, what: "no session with this id" },
    });
  });

  test("stores the same bytes once and gives them back", async () => {
    const { store } = site();
    const bytes = randomBytes(3000);
    const sha256 = await store.putBlob(bytes);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await store.putBlob(Uint8Array.from(bytes))).toBe(sha256);
    expect(Buffer.from((await store.blob(sha256)) ?? [])).toEqual(bytes);
    expect(await store.blob("f".repeat(64))).toBeUndefined();
    expect(await store.blob("../../etc/passwd")).toBeUndefined();
  });
}
