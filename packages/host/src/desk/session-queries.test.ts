/** A message is found wherever it stands in its session, and one that is nowhere is said to be. */
import { randomBytes } from "node:crypto";
import type { Fact } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { readMessage, type SessionQueryParts } from "./session-queries.ts";

const prompts = 250;

test("the first, the last and any other message of a long session", async () => {
  const store = createMemoryStore({ now: () => 1, randomBytes, isAlive: () => true });
  const place = { directory: "/p", projectId: "p", model: "m/a", mode: "default" } as const;
  const facts: readonly Fact[] = [
    { type: "session.created", ...place, kedgeVersion: "0", boot: "boot-1" },
    ...Array.from({ length: prompts }, (_, index): Fact => {
      const prompt = { promptId: `prm_${index}`, runId: "run_1", text: `words ${index}` };
      return { type: "prompt.admitted", delivery: "follow-up", ...prompt };
    }),
  ];
  await store.append("ses_1", facts, { boot: "boot-1", durable: false });
  // Of the parts only the store is asked.
  const parts = { store } as unknown as SessionQueryParts;
  const { messages } = await store.messages("ses_1", { limit: prompts + 1 });
  expect(messages).toHaveLength(prompts);
  for (const message of [messages[0], messages[99], messages[100], messages[149], messages.at(-1)]) {
    if (message === undefined) throw new Error("there are so many");
    const query = { type: "message.read", sessionId: "ses_1", messageId: message.id } as const;
    expect(await readMessage(parts, query)).toEqual({ ok: true, value: { message } });
  }
  const nowhere = { type: "message.read", sessionId: "ses_1", messageId: "msg_nowhere" } as const;
  expect(await readMessage(parts, nowhere)).toMatchObject({ ok: false, failure: { code: "not_found" } });
  const elsewhere = { type: "message.read", sessionId: "ses_2", messageId: "msg_0" } as const;
  expect(await readMessage(parts, elsewhere)).toMatchObject({ ok: false, failure: { code: "not_found" } });
});
