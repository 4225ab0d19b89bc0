/** Proves that a command is carried out once for its key, unless it failed. */
import { expect, test } from "vitest";
import { createOnceByKey } from "./once-by-key.ts";

const done = (value: number) => ({ ok: true, value }) as const;
const failed = { ok: false, failure: { code: "storage", message: "The disk is full.", retryable: true } } as const;

test("the same key and command give the answer of the first time, also while it is on its way", async () => {
  const once = createOnceByKey();
  let calls = 0;
  const carryOut = async () => done(++calls);
  const answers = await Promise.all([once("k", { a: 1 }, carryOut), once("k", { a: 1 }, carryOut)]);
  expect([...answers, await once("k", { a: 1 }, carryOut)]).toEqual([done(1), done(1), done(1)]);
  expect(await once("other", { a: 1 }, carryOut)).toEqual(done(2));
  expect(await once("k", { a: 2 }, carryOut)).toMatchObject({ failure: { code: "invalid_command" } });
});

test("what failed or threw may be tried again", async () => {
  const once = createOnceByKey();
  expect(await once("k", {}, async () => failed)).toEqual(failed);
  const broken = once("k", {}, async () => {
    throw new Error("broken");
  });
  await expect(broken).rejects.toThrow("broken");
  expect(await once("k", {}, async () => done(1))).toEqual(done(1));
});

test("the oldest keys are forgotten", async () => {
  const once = createOnceByKey();
  let calls = 0;
  const carryOut = async () => done(++calls);
  for (let key = 0; key <= 1000; key += 1) await once(`k${key}`, {}, carryOut);
  expect([await once("k1000", {}, carryOut), await once("k0", {}, carryOut)]).toEqual([done(1001), done(1002)]);
});
