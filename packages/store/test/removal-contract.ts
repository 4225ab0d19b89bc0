/** What every store promises about removal: what is removed is gone, and what stands in its place is read. */
import { randomBytes } from "node:crypto";
import type { Fact, Store } from "@kedge/protocol";
import { beforeEach, describe, expect, test } from "vitest";
import { createMemoryStore } from "../src/index.ts";
import { created, prompt } from "./sample-facts.ts";
import { appended, readAll } from "./store-site.ts";
import { conversation } from "./view-facts.ts";

const boot = "boot-1";
const hour = 3_600_000;
const secret = "hunter2-long-and-secret";
const why = { reason: "it held a secret", by: "user", boot };

async function replace(store: Store, digest: string, text: string): Promise<void> {
  const replacements = new Map([[digest, JSON.stringify({ text })]]);
  expect(await store.removeContent("ses_1", [digest], { ...why, replacements })).toMatchObject({ ok: true });
}

/** Opens an empty store; the clock is moved by the tests. */
export type OpenRemovalStore = (world: { readonly now: () => number }) => Promise<Store>;

export function removalContract(name: string, openStore: OpenRemovalStore): void {
  describe(name, () => {
    let time: number;
    beforeEach(() => {
      time = Date.now();
    });
    const open = () => openStore({ now: () => time });

    test("a replaced content reads as its replacement, counts as removed, and the chain holds", async () => {
      const store = await open();
      const [told, ...rest] = conversation(1, `the key is ${secret}`);
      const records = await appended(store, "ses_1", [created, ...(told === undefined ? [] : [told]), ...rest]);
      const digest = String(records[1]?.digest);
      expect(await store.search({ text: "hunter2", limit: 9 })).toHaveLength(1);
      await replace(store, digest, "the key is [REDACTED]");
      const [, first, ...others] = await readAll(store, "ses_1");
      expect(first).toEqual({ ...records[1], fact: { ...told, text: "the key is [REDACTED]" }, removed: true });
      expect(others.slice(0, -1)).toEqual(records.slice(2));
      expect(others.at(-1)?.fact).toEqual({
        type: "content.removed",
        digests: [digest],
        reason: why.reason,
        by: "user",
      });
      expect(await store.verify("ses_1")).toMatchObject({ valid: true, payloadsRemoved: 1 });
      expect(await store.search({ text: "hunter2", limit: 9 })).toEqual([]);
      expect(await store.session("ses_1")).toMatchObject({ title: "the key is [REDACTED]" });
      expect((await store.messages("ses_1", { limit: 9 })).messages[0]?.parts[0]).toMatchObject({
        text: "the key is [REDACTED]",
      });
      expect(await store.verify("ses_1")).toMatchObject({ valid: true, payloadsRemoved: 1 });
    });

    test("what stands in the place of a content can be replaced again, and goes with the session", async () => {
      const store = await open();
      const digest = String((await appended(store, "ses_1", [created, prompt(secret)]))[1]?.digest);
      await replace(store, digest, "half of it: hunter2");
      await replace(store, digest, "nothing of it");
      expect((await readAll(store, "ses_1"))[1]?.fact).toEqual(prompt("nothing of it"));
      expect(await store.deleteSession("ses_1", { by: "user", boot })).toMatchObject({ ok: true });
      expect((await readAll(store, "ses_1"))[1]).toMatchObject({ fact: prompt(""), removed: true });
      expect(await store.verify("ses_1")).toMatchObject({ valid: true, payloadsRemoved: 1 });
    });

    test("a replacement is exported without salt, because nothing can check it", async () => {
      const store = await open();
      const digest = String((await appended(store, "ses_1", [created, prompt(secret)]))[1]?.digest);
      await replace(store, digest, "gone");
      const payloads: unknown[] = [];
      for await (const { payload } of store.rows("ses_1")) if (payload !== undefined) payloads.push(payload);
      expect(payloads).toEqual([{ content: '{"text":"gone"}' }]);
    });

    test("a blob that no fact names goes after the grace, one that is named or was stored again stays", async () => {
      const store = await open();
      const [named, again, unnamed] = await Promise.all(
        ["named", "again", "unnamed"].map((text) => store.putBlob(Buffer.from(text))),
      );
      await appended(store, "ses_1", [created, prompt(`see ${named}`)]);
      expect(await store.collectGarbage({ graceMs: hour, isDryRun: false })).toMatchObject({ files: 0 });
      time += 2 * hour;
      expect(await store.putBlob(Buffer.from("again"))).toBe(again);
      expect(await store.collectGarbage({ graceMs: hour, isDryRun: true })).toEqual({ files: 1, bytesFreed: 7 });
      expect(await store.collectGarbage({ graceMs: hour, isDryRun: false })).toMatchObject({ files: 1 });
      expect(await Promise.all([named, again, unnamed].map((sha256) => store.blob(String(sha256))))).toEqual(
        [new Uint8Array(Buffer.from("named")), new Uint8Array(Buffer.from("again")), undefined].map(
          (bytes) => bytes && expect.objectContaining({ length: bytes.length }),
        ),
      );
      // One that was collected can be stored again.
      expect(await store.putBlob(Buffer.from("unnamed"))).toBe(unnamed);
      expect(Buffer.from((await store.blob(String(unnamed))) ?? []).toString()).toBe("unnamed");
    });

    test("storage is told with the largest sessions first", async () => {
      const store = await open();
      await appended(store, "ses_1", [created, prompt("short")]);
      await appended(store, "ses_2", [created, prompt("long ".repeat(1_000))]);
      await appended(store, "ses_3", [created]);
      await store.deleteSession("ses_3", { by: "user", boot });
      const use = await store.storageUse({ largestMax: 2 });
      expect(use).toMatchObject({ sessions: 2, filesMissing: 0 });
      expect(use.largest.map(({ sessionId, bytes }) => [sessionId, bytes > 4_000])).toEqual([
        ["ses_2", true],
        ["ses_1", false],
      ]);
      expect((await store.storageUse()).largest).toEqual([]);
    });

    test.each([0, 3, 5, 99])(
      "thinning leaves what is shown as it is, with a view made after %i facts",
      async (viewed) => {
        const store = await open();
        const [told, begun, whole, ...rest] = conversation(1, "say something long");
        const pieces = ["one ", "two ", "three "].map((text): Fact => {
          return { type: "step.progressed", stepId: "s1", appended: [{ type: "text", text: text.repeat(50) }] };
        });
        const facts = [created, told, begun, ...pieces, whole, ...rest].filter((fact) => fact !== undefined);
        await appended(store, "ses_1", facts.slice(0, viewed));
        await store.catchUp("ses_1");
        await appended(store, "ses_1", facts.slice(viewed));
        const other = createMemoryStore({ now: () => time, randomBytes, isAlive: () => true });
        await appended(other, "ses_1", facts);
        if (viewed === 99) await store.catchUp("ses_1");
        const { messages } = await other.messages("ses_1", { limit: 99 });
        expect(await store.thin("ses_1", { by: "kedge", boot })).toEqual({ ok: true, bytesFreed: expect.any(Number) });
        expect((await store.messages("ses_1", { limit: 99 })).messages).toEqual(
          messages.map((message) => ({
            ...message,
            parts: message.parts.map((part) => ({ ...part, time: expect.any(Number) })),
          })),
        );
        expect(await store.verify("ses_1")).toMatchObject({ valid: true, payloadsRemoved: 3 });
        expect(await store.thin("ses_1", { by: "kedge", boot })).toEqual({ ok: true, bytesFreed: 0 });
        await appended(store, "ses_1", conversation(2, "and more"));
        expect((await store.messages("ses_1", { limit: 99 })).messages).toHaveLength(messages.length + 2);
        expect(await store.verify("ses_1")).toMatchObject({ valid: true });
      },
    );
  });
}
