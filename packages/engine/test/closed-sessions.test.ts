/** A session that was closed is held by nobody, whatever happened in it. */
import { collectGarbage } from "@kedge/testing";
import { expect, test } from "vitest";
import { call, calls, createHarness, createTool, type Harness, say } from "./harness.ts";

/** In a function of its own, so that no variable of the test holds the state. */
function stateOf({ engine }: Harness): WeakRef<object> {
  const [open] = engine.openSessions();
  if (open === undefined) throw new Error("no session is open");
  return new WeakRef(open.state);
}

test("nothing holds the state of a closed session, and another one takes it up again", async () => {
  const look = createTool({ name: "look", readOnly: true });
  const turns = [calls(call("c1", "look", {})), say("Looked."), say("Again.")];
  const harness = createHarness({ turns, tools: [look] });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "look");
  const state = stateOf(harness);
  await collectGarbage();
  expect(state.deref()).toBeDefined();
  expect(await harness.engine.send({ type: "session.close", sessionId })).toMatchObject({ ok: true });
  // A compiler in the background may hold it for a moment longer.
  const isHeld = async () => collectGarbage().then(() => state.deref() !== undefined);
  await expect.poll(isHeld).toBe(false);

  await harness.resume(sessionId);
  await harness.prompt(sessionId, "again");
  expect(harness.requests.at(-1)?.messages).toMatchObject([
    { role: "user", text: "look" },
    { role: "assistant" },
    { role: "tool", callId: "c1" },
    { role: "assistant" },
    { role: "user", text: "again" },
  ]);
});
