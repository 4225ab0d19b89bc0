/** The part of the view fold that the row of the session is made of. */
import type { FactRecord } from "../facts/fact-record.ts";
import type { SessionView } from "../view.ts";
import { type Folding, messageAt } from "./folding.ts";
import { messageIdOf } from "./view-ids.ts";
import type { ViewState } from "./view-state.ts";

/** Compares what the skeleton says now with the row as it was; cheaper than knowing it of every fact. */
export function updateSession({ view, record, changes }: Folding): void {
  const session = sessionOf(view, record);
  if (view.session !== undefined && isSame(view.session, session)) return;
  view.session = session;
  changes.push({ kind: "session", session });
}

function sessionOf(view: ViewState, { fact, time }: FactRecord): SessionView {
  const { skeleton, session } = view;
  const leafId = messageAt(view, skeleton.leaf);
  const revert = revertOf(view);
  return {
    id: view.sessionId,
    projectId: skeleton.projectId,
    directory: skeleton.directory,
    title: skeleton.title,
    model: skeleton.model,
    mode: skeleton.mode,
    ...(skeleton.brevity !== undefined && { brevity: skeleton.brevity.name }),
    ...(skeleton.origin !== undefined && { origin: skeleton.origin }),
    ...(leafId !== undefined && { leafId }),
    isRunning: skeleton.runId !== undefined,
    isArchived: skeleton.isArchived,
    ...((fact.type === "session.deleted" || session?.isDeleted) && { isDeleted: true }),
    ...(revert !== undefined && { revert }),
    todos: skeleton.todos,
    labels: fact.type === "entry.labelled" || session === undefined ? labelsOf(view) : session.labels,
    usage: skeleton.usage,
    cost: skeleton.cost,
    createdAt: session?.createdAt ?? time,
    updatedAt: time,
  };
}

/** The same object for as long as it is the same undo. */
function revertOf({ skeleton, session }: ViewState): SessionView["revert"] {
  const newest = skeleton.reverts.at(-1);
  if (newest === undefined) return undefined;
  const { promptId, only, snapshot, files } = newest;
  if (session?.revert?.files === files) return session.revert;
  return { messageId: messageIdOf(promptId), ...(only !== undefined && { only }), snapshot, files };
}

function labelsOf(view: ViewState): SessionView["labels"] {
  return [...view.skeleton.labels].flatMap(([entryId, label]) => {
    const messageId = messageAt(view, entryId);
    return messageId === undefined ? [] : [{ messageId, label }];
  });
}

function isSame(before: SessionView, after: SessionView): boolean {
  // Both were made by `sessionOf`, so every key of theirs is one of a session.
  const keys = Object.keys(after) as (keyof SessionView)[];
  return (
    keys.length === Object.keys(before).length &&
    keys.every(
      (key) => key === "updatedAt" || Object.is(before[key], after[key]) || isStillEmpty(before[key], after[key]),
    )
  );
}

/** Lists without anything in them are all the same. */
function isStillEmpty(before: unknown, after: unknown): boolean {
  return Array.isArray(before) && Array.isArray(after) && before.length + after.length === 0;
}
