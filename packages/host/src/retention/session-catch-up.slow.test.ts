/** Proves what is done after runs and at the end: trees are pinned, search is kept up to date, and no failure matters. */
import { randomBytes } from "node:crypto";
import { type Fact, FailureError, noUsage, runWithoutSteps, type SnapshotCleanup, type Store } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import { expect, test } from "vitest";
import { type CatchUpParts, createSessionCatchUp } from "./session-catch-up.ts";

const holder = { boot: "boot-1", pid: 1, startedAt: "" };
const options = { boot: holder.boot, durable: false };
const tree = (digit: string) => digit.repeat(40);

const created: Fact = {
  type: "session.created",
  directory: "/p",
  projectId: "p",
  model: "m/a",
  mode: "default",
  kedgeVersion: "0",
  boot: holder.boot,
};
const started: Fact = {
  ...{ type: "step.started", stepId: "s1", runId: "r1", turn: 1, source: "main", model: "m/a", requestId: "q" },
  prompts: [],
  reminders: [],
};
const whole: Fact = {
  ...{ type: "step.ended", stepId: "s1", outcome: "answered", content: [{ type: "text", text: "half and half" }] },
  ...{ usage: noUsage, cost: { usd: 0, estimated: false }, durationMs: 1 },
};
const ended: Fact = { type: "run.ended", runId: "r1", ...runWithoutSteps("completed", "") };
const changed: Fact = {
  ...{ type: "files.changed", stepId: "s1", before: tree("a"), after: tree("b"), files: [], uncovered: [] },
};
const reverted: Fact = {
  ...{ type: "session.reverted", promptId: "p1", snapshot: tree("c"), files: [] },
  restores: [{ tree: tree("d"), paths: [] }],
};

function world(pin: SnapshotCleanup["pin"], more: Pick<CatchUpParts, "transcripts"> = {}) {
  const memory = createMemoryStore({ now: () => 1, randomBytes, isAlive: () => true });
  const snapshots: SnapshotCleanup = {
    pin,
    unpin: async () => {},
    cleanup: async () => ({ kind: "skipped" }),
    sizeBytes: async () => 0,
  };
  const caughtUp: string[] = [];
  const store: Store = {
    ...memory,
    async catchUp(sessionId) {
      caughtUp.push(sessionId);
      await memory.catchUp(sessionId);
    },
  };
  return { ...createSessionCatchUp({ store, snapshots, ...more }), caughtUp: () => caughtUp };
}

test("every tree that a fact names is pinned once", async () => {
  const pinned: string[] = [];
  const catchUp = world(async (name, owner) => void pinned.push(`${owner} ${name[0]}`));
  const { store } = catchUp;
  await store.append("ses_1", [created, started, whole, changed, ended], options);
  expect(pinned).toEqual([]);
  await catchUp.close();
  expect(pinned).toEqual(["ses_1 a", "ses_1 b"]);
  await store.append("ses_1", [changed, reverted], options);
  await catchUp.close();
  expect(pinned).toEqual(["ses_1 a", "ses_1 b", "ses_1 c", "ses_1 d"]);
});

test("a pin that fails ends nothing: the rest is done, and the failure stays its own", async () => {
  const written: string[] = [];
  const write = async (sessionId: string) => void written.push(sessionId);
  const files = { write, writeOutdated: async () => {}, rewrite: async () => {} };
  const fail = () => {
    throw new FailureError({ code: "storage", message: "The disk is full.", retryable: false });
  };
  const catchUp = world(fail, { transcripts: { load: async () => files, projectId: "p" } });
  await catchUp.store.append("ses_1", [created, started, whole, changed, ended], options);
  await catchUp.close();
  expect(written).toEqual(["ses_1"]);
});

test("at the end nothing is brought up to date: whoever searches next does that", async () => {
  const catchUp = world(async () => {});
  await catchUp.store.append("ses_1", [created, ended], options);
  await catchUp.close();
  expect(catchUp.caughtUp()).toEqual([]);
});

test("after a run it waits for a moment in which nobody needs anything", async () => {
  const catchUp = world(async () => {});
  await catchUp.store.append("ses_1", [created, ended], options);
  expect(catchUp.caughtUp()).toEqual([]);
  await expect.poll(catchUp.caughtUp).toEqual(["ses_1"]);
});

test("a session that never ran is left alone", async () => {
  const catchUp = world(async () => {});
  await catchUp.store.append("ses_1", [created], options);
  await catchUp.close();
  expect(catchUp.caughtUp()).toEqual([]);
});

test("transcripts are written after runs, and what others left out of date is looked for once", async () => {
  const done: string[] = [];
  const files = {
    write: async (sessionId: string) => void done.push(`write ${sessionId}`),
    writeOutdated: async (projectId: string) => void done.push(`outdated ${projectId}`),
    rewrite: async () => {},
  };
  const load = async () => {
    done.push("load");
    return files;
  };
  const catchUp = world(async () => {}, { transcripts: { load, projectId: "p" } });
  await catchUp.store.append("ses_1", [created], options);
  await catchUp.close();
  expect(done).toEqual([]);
  await catchUp.store.append("ses_1", [started, whole, ended], options);
  await catchUp.store.append("ses_2", [created, ended], options);
  expect(done).toEqual([]);
  await catchUp.close();
  expect(done).toEqual(["load", "write ses_1", "write ses_2", "outdated p"]);
  await catchUp.store.append("ses_1", [ended], options);
  await catchUp.close();
  expect(done.slice(4)).toEqual(["write ses_1"]);
});

test("the end waits for what the idle moment began", async () => {
  const done: string[] = [];
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const files = {
    write: async () => {
      begun.resolve();
      await goOn.promise;
      done.push("written");
    },
    writeOutdated: async () => {},
    rewrite: async () => {},
  };
  const catchUp = world(async () => {}, { transcripts: { load: async () => files, projectId: "p" } });
  await catchUp.store.append("ses_1", [created, ended], options);
  await begun.promise;
  const closed = catchUp.close().then(() => done.push("closed"));
  goOn.resolve();
  await closed;
  expect(done).toEqual(["written", "closed"]);
});
