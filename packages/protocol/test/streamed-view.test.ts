/** What a client shows of a text that is stored while it streams. */
import { applyViewEvent, recordsOf } from "@kedge/testing";
import { expect, test } from "vitest";
import {
  beginTelling,
  emptyCollection,
  type Fact,
  messagesOf,
  tellFact,
  tellSignal,
  type ViewEvent,
} from "../src/index.ts";
import { answering, sessionId, stepEnded } from "./view-changes.ts";

test("a text that is stored while it streams is never shorter, longer or other than what was said", async () => {
  const telling = beginTelling(sessionId);
  const client = emptyCollection();
  const facts: Fact[] = [];
  const take = (events: readonly ViewEvent[]) => {
    for (const event of events) applyViewEvent(client, sessionId, event);
    const shown = messagesOf(client).flatMap(({ role, parts }) => (role === "assistant" ? parts : []));
    return shown.map((part) => (part.type === "text" || part.type === "reasoning" ? part.text : part.type));
  };
  const store = async (...added: readonly Fact[]) => {
    facts.push(...added);
    const events: ViewEvent[] = [];
    for (const record of recordsOf(facts, sessionId)) events.push(...(await tellFact(telling, record, () => [])));
    return take(events);
  };
  const say = (text: string) => take(tellSignal(telling, { type: "text.delta", sessionId, stepId: "stp_2", text }, 5));
  const progressed = (text: string): Fact => {
    return { type: "step.progressed", stepId: "stp_2", appended: [{ type: "text", text }] };
  };
  expect(await store(...answering)).toEqual(["step-start"]);
  expect([say("One"), say(" two")]).toEqual([
    ["step-start", "One"],
    ["step-start", "One two"],
  ]);
  expect(await store(progressed("One"))).toEqual(["step-start", "One two"]);
  expect(say(" three")).toEqual(["step-start", "One two three"]);
  expect(await store(progressed(" two three"))).toEqual(["step-start", "One two three"]);
  expect(say(" four")).toEqual(["step-start", "One two three four"]);
  // The answer broke off, and less of it counts than was shown.
  const ended = stepEnded("stp_2", [{ type: "text", text: "One two three" }]);
  expect(await store(ended)).toEqual(["step-start", "One two three", "step-finish"]);
});
