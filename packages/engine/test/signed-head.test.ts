/** A session is signed when a run has ended and when it is given free: never for a turn, never before a request. */
import { FailureError, type JournalKey, type Store } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, type Harness, say } from "./harness.ts";

/** A key that everybody could make up, with the number of each record it was asked to sign. */
function recordingKey(requests: () => number): { readonly key: JournalKey; readonly asked: string[] } {
  const asked: string[] = [];
  const key: JournalKey = {
    sign(text) {
      asked.push(`record ${text.split("\n")[2]} after ${requests()} requests`);
      return { keyId: "key", signature: text };
    },
    check: (text, { signature }) => (signature === text ? "valid" : "wrong"),
  };
  return { key, asked };
}

const world = { now: () => 1000, randomBytes: (size: number) => new Uint8Array(size), isAlive: () => false };

test("the head is signed after the run and not in it, and again when the session is given free", async () => {
  let harness: Harness | undefined;
  const { key, asked } = recordingKey(() => harness?.requests.length ?? 0);
  const look = createTool({ name: "look", readOnly: true });
  harness = createHarness({
    turns: [calls(call("a", "look", {})), say("Done."), say("Again.")],
    tools: [look],
    store: createMemoryStore({ ...world, journalKey: key }),
  });
  const sessionId = await harness.open();
  const first = await harness.prompt(sessionId, "go");
  // Whoever asks for something once the run is over waits until it is put away.
  const moded = await harness.engine.send({ type: "mode.change", sessionId, mode: "plan" });
  expect(moded).toMatchObject({ ok: true });
  expect(asked).toEqual([`record ${first.seq} after 2 requests`]);
  const second = await harness.prompt(sessionId, "again");
  await harness.engine.close();
  expect(asked).toEqual([`record ${first.seq} after 2 requests`, `record ${second.seq} after 3 requests`]);
  expect(await harness.store.verify(sessionId)).toMatchObject({
    valid: true,
    signature: "valid",
    signedSeq: second.seq,
  });
});

test("a disk that refuses the signature does not spoil the run", async () => {
  const memory = createMemoryStore(world);
  const store: Store = {
    ...memory,
    signHead: async () => {
      throw new FailureError({ code: "storage", message: "The disk is full.", retryable: false });
    },
  };
  const harness = createHarness({ turns: [say("Done.")], store });
  const sessionId = await harness.open();
  expect((await harness.prompt(sessionId, "go")).fact).toMatchObject({ reason: "completed", text: "Done." });
  await harness.engine.close();
  expect(harness.signals().filter(({ type }) => type === "run.unrecorded")).toEqual([]);
});
