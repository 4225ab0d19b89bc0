/** A run is remembered once, behind its end and in the same transaction, also one that a crash cut off; nothing of it can spoil a run. */
import type { Fact, FactOf } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import type { EngineShared } from "../src/parts.ts";
import { createHarness, say } from "./harness.ts";

const world = { now: () => 1000, randomBytes: (size: number) => new Uint8Array(size), isAlive: () => false };

function recordingLearner() {
  const ended: FactOf<"run.ended">[] = [];
  const learn: NonNullable<EngineShared["learn"]> = async (state, fact) => {
    // What is remembered comes from the state of a run that is not over yet.
    expect(state.runId).toBe(fact.runId);
    ended.push(fact);
    return { type: "memory.lesson_extracted", id: `les_${ended.length}`, outcome: "succeeded", lesson: "x" };
  };
  return { ended, learn };
}

test("the lesson stands behind the end of its run, appended with it", async () => {
  const { learn, ended } = recordingLearner();
  const store = createMemoryStore(world);
  const appended: string[][] = [];
  const harness = createHarness({
    turns: [say("One."), say("Two.")],
    parts: { learn },
    store: {
      ...store,
      append(sessionId, facts, options) {
        appended.push(facts.map(({ type }) => type));
        return store.append(sessionId, facts, options);
      },
    },
  });
  const sessionId = await harness.open();
  await harness.prompt(sessionId, "go");
  await harness.prompt(sessionId, "again");
  expect(ended.map(({ text }) => text)).toEqual(["One.", "Two."]);
  expect(appended.filter((types) => types.includes("run.ended"))).toEqual(
    Array(2).fill(["run.ended", "memory.lesson_extracted"]),
  );
});

test("a lesson that cannot be kept is told, and the run ends as it did", async () => {
  const learn = () => Promise.reject(new Error("The disk is full"));
  const harness = createHarness({ turns: [say("Done.")], parts: { learn } });
  const sessionId = await harness.open();
  expect((await harness.prompt(sessionId, "go")).fact).toMatchObject({ reason: "completed", text: "Done." });
  expect(harness.facts().at(-1)?.type).toBe("run.ended");
  expect(harness.signals().flatMap((signal) => (signal.type === "notice" ? [signal.text] : []))).toEqual([
    "Could not save a lesson from this run: Error: The disk is full.",
  ]);
});

test("a run that a crash cut off is remembered by the process that closes it", async () => {
  const store = createMemoryStore(world);
  const created: Fact = {
    ...{ type: "session.created", directory: "/p", projectId: "p", model: "mock/model", mode: "default" },
    ...{ kedgeVersion: "1", boot: "boot-0" },
  };
  const admitted: Fact = {
    ...{ type: "prompt.admitted", promptId: "prm_1", runId: "run_1", delivery: "steer", text: "go" },
  };
  await store.append("ses_1", [created, admitted], { boot: "boot-0", durable: false });
  const { learn, ended } = recordingLearner();
  const harness = createHarness({ turns: [], store, parts: { learn } });
  await harness.resume("ses_1");
  expect(ended).toMatchObject([{ runId: "run_1", reason: "aborted" }]);
  const types: string[] = [];
  for await (const { fact } of store.read("ses_1", 0)) types.push(fact.type);
  expect(types.slice(-3)).toEqual(["session.resumed", "run.ended", "memory.lesson_extracted"]);
});
