/** The parts that a later fact changed and the fold cannot tell, because it keeps no texts: read from the records again. */
import type { FactRecord } from "../facts/fact-record.ts";
import type { ViewChange } from "../view.ts";
import { applyToView } from "../view-fold/apply-to-view.ts";
import { collectChange, emptyCollection, type ViewCollection } from "../view-fold/collect-view.ts";
import { messageIdOf, partIdOf } from "../view-fold/view-ids.ts";
import { emptyView, type ViewState } from "../view-fold/view-state.ts";
import type { Streamed } from "./streamed-parts.ts";
import type { ViewEvent } from "./view-event.ts";

type Records = AsyncIterable<FactRecord> | Iterable<FactRecord>;

/** The calls whose output the model no longer sees. */
export async function rereadCleared(
  sessionId: string,
  { seq, changes }: { readonly seq: number; readonly changes: readonly ViewChange[] },
  records: Records,
): Promise<readonly ViewEvent[]> {
  const cleared = changes.flatMap((change) => (change.kind === "output-cleared" ? [change] : []));
  if (cleared.length === 0) return [];
  const { collection } = await refold(sessionId, seq, records);
  return cleared.flatMap(({ messageId, partId }): readonly ViewEvent[] => {
    const part = collection.messages.get(messageId)?.parts.get(partId);
    return part === undefined ? [] : [{ type: "message.part.updated", part }];
  });
}

/**
 * Every part of the messages that were made of what is gone now, and the fold as it is without it. Rows are told of all
 * messages, because an answer without content has no place in the tree.
 */
export async function rereadRemoved(
  { view: old, streamed }: { readonly view: ViewState; readonly streamed: Streamed },
  { seq, digests }: { readonly seq: number; readonly digests: readonly string[] },
  records: Records,
): Promise<{ readonly view: ViewState; readonly events: readonly ViewEvent[] }> {
  const { view, collection, messageIds } = await refold(old.sessionId, seq, records, new Set(digests));
  // What only streamed yet is told again as well.
  if (streamed.touched.size > 0 && old.step !== undefined) messageIds.add(old.step.message.id);
  for (const [messageId, { nextOrder }] of old.entries) {
    if (view.entries.get(messageId)?.nextOrder !== nextOrder) messageIds.add(messageId);
  }
  const rows = Array.from(
    collection.messages.values(),
    ({ row }): ViewEvent => ({ type: "message.updated", message: row }),
  );
  const parts = [...messageIds].flatMap((messageId): readonly ViewEvent[] => {
    const message = collection.messages.get(messageId);
    if (message === undefined) return [{ type: "message.removed", messageId }];
    const orders = Array.from({ length: old.entries.get(messageId)?.nextOrder ?? 0 }, (_, order) => order);
    const known = [...orders.map((order) => partIdOf(messageId, order)), ...streamed.touched];
    const missing = new Set(known.filter((id) => !message.parts.has(id)));
    return [
      ...Array.from(message.parts.values(), (part): ViewEvent => ({ type: "message.part.updated", part })),
      ...Array.from(missing, (partId): ViewEvent => ({ type: "message.part.removed", messageId, partId })),
    ];
  });
  return { view, events: [...rows, ...parts] };
}

type Refolded = {
  readonly view: ViewState;
  readonly collection: ViewCollection;
  /** Of messages that were made of a record whose content is gone. */
  readonly messageIds: Set<string>;
};

async function refold(
  sessionId: string,
  lastSeq: number,
  records: Records,
  gone: ReadonlySet<string> = new Set(),
): Promise<Refolded> {
  let areAllTold = false;
  const refolded = { view: emptyView(sessionId), collection: emptyCollection(), messageIds: new Set<string>() };
  for await (const record of records) {
    if (record.seq > lastSeq) break;
    const isGone = record.digest !== undefined && gone.has(record.digest);
    // A piece of an answer that is empty now changes nothing any more, and yet it did.
    if (isGone && "stepId" in record.fact) refolded.messageIds.add(messageIdOf(record.fact.stepId));
    for (const change of applyToView(refolded.view, record)) {
      collectChange(refolded.collection, change);
      if (isGone && change.kind === "message") refolded.messageIds.add(change.message.id);
      // What a compaction keeps is named by its place in the tree.
      const isMoved = change.kind === "part" && (isGone || change.part.type === "compaction");
      if (isMoved) refolded.messageIds.add(change.part.messageId);
    }
    areAllTold ||= isGone && record.fact.type === "context.cleared";
  }
  // Nobody knows any more which outputs were cleared then.
  for (const messageId of areAllTold ? refolded.collection.messages.keys() : []) refolded.messageIds.add(messageId);
  return refolded;
}
