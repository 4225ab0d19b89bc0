/** Sessions whose id the client chose: made once, and never a second time. */
import { expect, test } from "vitest";
import { createHarness, say } from "./harness.ts";

const sessionId = "ses_0123456789abc";
const used = {
  ok: false,
  failure: {
    code: "invalid_command",
    message: `Session ${sessionId} already exists.`,
    recovery: "Resume it, or choose another id.",
    retryable: false,
  },
};

test("of two that want the same id at the same time one gets it, and later nobody", async () => {
  const { engine, resume, prompt, store } = createHarness({ turns: [say("one")] });
  const create = () => engine.send<"session.create">({ type: "session.create", model: "mock/model", sessionId });
  expect(await Promise.all([create(), create()])).toEqual([{ ok: true, value: { sessionId } }, used]);
  await resume(sessionId);
  await prompt(sessionId, "first");
  expect(await create()).toEqual(used);
  await engine.send({ type: "session.close", sessionId });
  expect(await create()).toEqual(used);
  expect((await store.verify(sessionId)).valid).toBe(true);
});

test.each(["ses_short", "0123456789abc", "ses_0123456789ABC", "ses_../../etc/passwd", `ses_${"a".repeat(41)}`])(
  "%s is no id that can be chosen",
  async (given) => {
    const { engine } = createHarness({ turns: [] });
    const create = { type: "session.create", model: "mock/model", sessionId: given } as const;
    expect(await engine.send<"session.create">(create)).toEqual({
      ok: false,
      failure: {
        code: "invalid_command",
        message: "A session id is ses_ followed by 10 to 40 lowercase letters and digits.",
        recovery: "Choose another id, or omit it.",
        retryable: false,
      },
    });
    expect(engine.openSessions()).toEqual([]);
  },
);

test("the id of a deleted session is not used again", async () => {
  const { engine } = createHarness({ turns: [] });
  const create = () => engine.send<"session.create">({ type: "session.create", model: "mock/model", sessionId });
  await create();
  await engine.send({ type: "session.close", sessionId });
  expect(await engine.send({ type: "session.delete", sessionId })).toMatchObject({ ok: true });
  expect(await create()).toEqual(used);
  expect(engine.openSessions()).toEqual([]);
});
