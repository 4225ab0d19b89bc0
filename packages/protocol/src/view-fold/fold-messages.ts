/** The part of the view fold that messages of the user's side are made of: prompts, records, summaries, reports. */
import type { FactOf } from "../facts/facts.ts";
import type { MessageRow, PartBody } from "../view.ts";
import {
  addMessage,
  appendPart,
  type Folding,
  firstMessageFrom,
  putMessage,
  putPart,
  refuse,
  treeParentOf,
} from "./folding.ts";
import { messageIdOf, partIdOf, reportIdOf, summaryIdOf } from "./view-ids.ts";

export function admitPrompt(folding: Folding, fact: FactOf<"prompt.admitted">): void {
  const { view, record } = folding;
  const { promptId, text, from, attachments = [], subtasks = [], runId, delivery } = fact;
  const { model, runId: running } = view.skeleton;
  view.queued.set(promptId, record.time);
  const waits = running !== undefined && running !== runId ? { delivery } : {};
  addMessage(folding, { ...userRow(folding, messageIdOf(promptId)), model, isQueued: true, ...waits }, [
    { type: "text", text, ...(from !== undefined && { from }) },
    ...attachments.map((media): PartBody => ({ type: "file", media })),
    ...subtasks.map(
      ({ agent = "general", prompt, description }): PartBody => ({ type: "subtask", prompt, description, agent }),
    ),
  ]);
}

export function revisePrompt(folding: Folding, { promptId, text, by }: FactOf<"prompt.revised">): void {
  const time = folding.view.queued.get(promptId);
  if (time === undefined) {
    refuse(folding, `${promptId} is not a queued prompt and cannot be revised`);
    return;
  }
  const messageId = messageIdOf(promptId);
  if (by !== undefined) {
    const said = `Rewritten by ${by}:\n${text}`;
    appendPart(folding, messageId, { type: "text", text: said, isSynthetic: true, revisedBy: by });
    return;
  }
  putPart(folding, { type: "text", text, id: partIdOf(messageId, 0), messageId, time });
}

export function withdrawPrompt(folding: Folding, { promptId }: FactOf<"prompt.withdrawn">): void {
  const { view, changes } = folding;
  if (!view.queued.delete(promptId)) {
    refuse(folding, `${promptId} is not a queued prompt and cannot be withdrawn`);
    return;
  }
  const messageId = messageIdOf(promptId);
  view.entries.delete(messageId);
  changes.push({ kind: "message-removed", messageId });
}

/** With their step, prompts get their place in the tree. */
export function enterPrompts(folding: Folding, { prompts, model }: FactOf<"step.started">): void {
  const { view } = folding;
  for (const { promptId } of prompts) {
    const createdAt = view.queued.get(promptId);
    if (createdAt === undefined) {
      refuse(folding, `${promptId} is not a queued prompt and cannot enter the conversation`);
      continue;
    }
    view.queued.delete(promptId);
    const row = userRow(folding, messageIdOf(promptId));
    putMessage(folding, { ...row, createdAt, model, ...treeParentOf(view, promptId) });
  }
}

/** Reminders hang at the message that the step answers. */
export function addReminders(folding: Folding, reminders: readonly string[], userMessageId: string | undefined): void {
  for (const text of reminders) {
    if (userMessageId === undefined) refuse(folding, "a reminder has no message of the user to hang at");
    else appendPart(folding, userMessageId, { type: "text", text, isSynthetic: true });
  }
}

export function addRecord(folding: Folding, fact: FactOf<"message.added">): void {
  const { messageId, text, usage, cost } = fact;
  const row: MessageRow = {
    ...userRow(folding, messageIdOf(messageId)),
    ...treeParentOf(folding.view, messageId),
    ...(usage !== undefined && { usage }),
    ...(cost !== undefined && { cost }),
  };
  addMessage(folding, row, [{ type: "text", text, isSynthetic: true }]);
}

/** The report is what the conversation goes on with at the checkpoint, if there was one to come back to. */
export function addReport(folding: Folding, { stepId, report }: FactOf<"conversation.rewound">): void {
  const { view } = folding;
  const entryId = `${stepId}.report`;
  if (!view.skeleton.tree.has(entryId)) {
    refuse(folding, `${stepId} has no checkpoint to come back to`);
    return;
  }
  const row = { ...userRow(folding, reportIdOf(stepId)), ...treeParentOf(view, entryId) };
  addMessage(folding, row, [{ type: "text", text: report, isSynthetic: true }]);
}

/** A question that marks the boundary, and the summary as its answer. */
export function addCompaction(folding: Folding, fact: FactOf<"context.compacted">): void {
  const { view, record } = folding;
  const { compactionId, trigger, shortSummary, tokensBefore, tokensAfter, itemsReplaced } = fact;
  // A record whose content was removed has none.
  const boundary = fact.boundary ?? {};
  const boundaryId = messageIdOf(compactionId);
  const firstKeptId = firstMessageFrom(view, fact.firstKeptId);
  const kept = firstKeptId !== undefined && { firstKeptId };
  addMessage(folding, { ...userRow(folding, boundaryId), ...treeParentOf(view, compactionId) }, [
    { type: "compaction", trigger, shortSummary, tokensBefore, tokensAfter, itemsReplaced, ...kept, boundary },
    ...fact.restored.map((text): PartBody => ({ type: "text", text, isSynthetic: true })),
    ...(fact.frames ?? []).map((media): PartBody => ({ type: "file", media })),
  ]);
  const summary: MessageRow = {
    id: summaryIdOf(compactionId),
    sessionId: view.sessionId,
    role: "assistant",
    treeParent: boundaryId,
    parentId: boundaryId,
    ...(fact.model !== undefined && { model: fact.model }),
    isSummary: true,
    createdAt: record.time,
    completedAt: record.time,
    stopReason: "end",
    usage: fact.usage,
    cost: fact.cost,
  };
  addMessage(folding, summary, [{ type: "text", text: fact.summary }]);
}

function userRow({ view, record }: Folding, id: string): MessageRow {
  return { id, sessionId: view.sessionId, role: "user", createdAt: record.time };
}
