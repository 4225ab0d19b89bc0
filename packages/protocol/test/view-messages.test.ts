/** What facts about prompts, records, summaries and the tree change in the messages of the view. */

import { recordsOf } from "@kedge/testing";
import { expect, test } from "vitest";
import { collectView, type Fact, type FactOf, type MessageRow, messagesOf, noUsage } from "../src/index.ts";
import {
  answering,
  call,
  cost,
  created,
  lastRows,
  partChange,
  prompt,
  sessionId,
  stepEnded,
  stepStarted,
  toolEnded,
  toolStarted,
} from "./view-changes.ts";

const queued: MessageRow = {
  id: "msg_1",
  sessionId,
  role: "user",
  createdAt: 1010,
  model: "mock/one",
  isQueued: true,
};
const answered: readonly Fact[] = [...answering, stepEnded("stp_2", [{ type: "text", text: "Yes." }])];

const compaction: FactOf<"context.compacted"> = {
  type: "context.compacted",
  compactionId: "cmp_3",
  trigger: "manual",
  strategy: "summary",
  summary: "All of it.",
  shortSummary: "All.",
  restored: ["A file."],
  frames: [{ name: "1.png", mediaType: "image/png", base64: "AA" }],
  firstKeptId: "stp_2",
  files: { read: [], modified: [] },
  itemsReplaced: 2,
  tokensBefore: 100,
  tokensAfter: 10,
  boundary: { mode: "default" },
  model: "mock/two",
  usage: noUsage,
  cost,
};

test("a prompt said during a run says whether the run takes it in or it waits for the end", () => {
  const said = { ...prompt("prm_9", "run_9"), delivery: "steer" } as Fact;
  expect(lastRows(...answering, said)).toContainEqual({
    kind: "message",
    message: expect.objectContaining({ id: "msg_9", isQueued: true, delivery: "steer" }),
  });
});

test("an admitted prompt is a message that waits, with its words and its files", () => {
  const media = { name: "a.png", mediaType: "image/png", base64: "AA" };
  expect(lastRows(created, { ...prompt("prm_1", "run_1"), attachments: [media] } as Fact)).toEqual([
    { kind: "message", message: queued },
    partChange({ type: "text", text: "Do it.", id: "prt_1.00000", messageId: "msg_1", time: 1010 }),
    partChange({ type: "file", media, id: "prt_1.00001", messageId: "msg_1", time: 1010 }),
  ]);
});

test("a prompt that was not rewritten by its user stays shown, with what it became", () => {
  const rewritten: Fact = {
    type: "prompt.revised",
    promptId: "prm_1",
    text: "Rather that.",
    by: "hook a.json Stop[0]",
  };
  const text = "Rewritten by hook a.json Stop[0]:\nRather that.";
  expect(lastRows(created, prompt("prm_1", "run_1"), rewritten)).toEqual([
    partChange({
      type: "text",
      text,
      isSynthetic: true,
      revisedBy: "hook a.json Stop[0]",
      id: "prt_1.00001",
      messageId: "msg_1",
      time: 1020,
    }),
  ]);
});

test("a prompt that waits is revised and withdrawn, one that was seen is not", () => {
  const revised: Fact = { type: "prompt.revised", promptId: "prm_1", text: "Rather that." };
  const withdrawn: Fact = { type: "prompt.withdrawn", promptId: "prm_1" };
  expect(lastRows(created, prompt("prm_1", "run_1"), revised)).toEqual([
    partChange({ type: "text", text: "Rather that.", id: "prt_1.00000", messageId: "msg_1", time: 1010 }),
  ]);
  expect(lastRows(created, prompt("prm_1", "run_1"), withdrawn)).toEqual([
    { kind: "message-removed", messageId: "msg_1" },
  ]);
  expect(lastRows(...answering, revised)).toEqual([
    { kind: "refused", seq: 4, why: "prm_1 is not a queued prompt and cannot be revised" },
  ]);
  expect(lastRows(...answering, withdrawn)).toEqual([
    { kind: "refused", seq: 4, why: "prm_1 is not a queued prompt and cannot be withdrawn" },
  ]);
});

test("a text of record is a message of its own at the leaf", () => {
  const added: Fact = {
    type: "message.added",
    messageId: "msg_3",
    kind: "handoff",
    text: "So far.",
    usage: noUsage,
    cost,
  };
  expect(lastRows(...answered, added)).toEqual([
    {
      kind: "message",
      message: { id: "msg_3", sessionId, role: "user", createdAt: 1040, treeParent: "msg_2", usage: noUsage, cost },
    },
    partChange({ type: "text", text: "So far.", isSynthetic: true, id: "prt_3.00000", messageId: "msg_3", time: 1040 }),
  ]);
});

test("a compaction is a boundary and the summary that answers it", () => {
  const part = { messageId: "msg_3", time: 1040 };
  expect(lastRows(...answered, compaction)).toEqual([
    { kind: "message", message: { id: "msg_3", sessionId, role: "user", createdAt: 1040, treeParent: "msg_2" } },
    partChange({
      type: "compaction",
      trigger: "manual",
      shortSummary: "All.",
      tokensBefore: 100,
      tokensAfter: 10,
      itemsReplaced: 2,
      firstKeptId: "msg_2",
      boundary: { mode: "default" },
      id: "prt_3.00000",
      ...part,
    }),
    partChange({ type: "text", text: "A file.", isSynthetic: true, id: "prt_3.00001", ...part }),
    partChange({
      type: "file",
      media: { name: "1.png", mediaType: "image/png", base64: "AA" },
      id: "prt_3.00002",
      ...part,
    }),
    {
      kind: "message",
      message: {
        id: "msg_3.summary",
        sessionId,
        role: "assistant",
        treeParent: "msg_3",
        parentId: "msg_3",
        model: "mock/two",
        isSummary: true,
        createdAt: 1040,
        completedAt: 1040,
        stopReason: "end",
        usage: noUsage,
        cost,
      },
    },
    partChange({
      type: "text",
      text: "All of it.",
      id: "prt_3.summary.00000",
      messageId: "msg_3.summary",
      time: 1040,
    }),
  ]);
});

test("what follows a compaction hangs at its summary and answers its boundary", () => {
  const { firstKeptId: _, ...keepsNothing } = compaction;
  expect(lastRows(...answered, keepsNothing, stepStarted("stp_4", "run_1"))[0]).toEqual({
    kind: "message",
    message: {
      id: "msg_4",
      sessionId,
      role: "assistant",
      treeParent: "msg_3.summary",
      parentId: "msg_3",
      model: "mock/one",
      createdAt: 1050,
    },
  });
});

test("a compaction whose content was removed is still shown", () => {
  // A cast on purpose: a removed object is absent, whatever the type of the fact says.
  const { boundary: _, frames: __, ...left } = compaction;
  const removed = { ...left, summary: "", shortSummary: "", restored: [] } as unknown as Fact;
  expect(lastRows(...answered, removed)[1]).toMatchObject({ part: { type: "compaction", boundary: {} } });
});

test("the report of a return to a checkpoint hangs at the checkpoint", () => {
  const atCheckpoint: readonly Fact[] = [
    ...answering,
    { type: "checkpoint.opened", stepId: "stp_2", callId: "call_1", goal: "Look." },
    stepEnded("stp_2", [call("call_1")]),
    toolStarted("stp_2", "call_1"),
    toolEnded("stp_2", "call_1", "completed"),
    stepStarted("stp_3", "run_1"),
    stepEnded("stp_3", [{ type: "text", text: "Dead end." }]),
  ];
  const rewound: Fact = { type: "conversation.rewound", stepId: "stp_3", report: "Nothing there.", files: [] };
  const text = { type: "text", text: "Nothing there.", isSynthetic: true } as const;
  expect(lastRows(...atCheckpoint, rewound)).toEqual([
    { kind: "message", message: { id: "msg_3.report", sessionId, role: "user", createdAt: 1090, treeParent: "msg_2" } },
    partChange({ ...text, id: "prt_3.report.00000", messageId: "msg_3.report", time: 1090 }),
  ]);
  expect(lastRows(...answered, rewound)).toEqual([
    { kind: "refused", seq: 5, why: "stp_3 has no checkpoint to come back to" },
  ]);
});

test("a prompt after an undo or a move begins another branch", () => {
  const second = { prompts: [{ promptId: "prm_4", form: "prompt" }] } as const;
  const again = [prompt("prm_4", "run_4"), stepStarted("stp_5", "run_4", second)] as const;
  const treeParents = (...facts: readonly Fact[]) =>
    messagesOf(collectView(sessionId, recordsOf([...answered, ...facts], sessionId))).map(({ id, treeParent }) => [
      id,
      treeParent,
    ]);
  const before = [
    ["msg_1", undefined],
    ["msg_2", "msg_1"],
  ];
  const undo = { promptId: "prm_1", restores: [], files: [] } as const;
  const reverted: Fact = { type: "session.reverted", snapshot: "tree", ...undo };
  expect(treeParents(reverted, ...again)).toEqual([...before, ["msg_4", undefined], ["msg_5", "msg_4"]]);
  expect(treeParents(reverted, { type: "session.unreverted", ...undo }, ...again)).toEqual([
    ...before,
    ["msg_4", "msg_2"],
    ["msg_5", "msg_4"],
  ]);
  expect(treeParents({ type: "leaf.moved", leafId: "prm_1" }, ...again)).toEqual([
    ...before,
    ["msg_4", "msg_1"],
    ["msg_5", "msg_4"],
  ]);
});
