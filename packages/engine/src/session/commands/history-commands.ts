/** Handlers of the commands that go back and forth in a session: undo and redo, places in the tree, single messages. */
import { messageIdOf, type Refused } from "@kedge/protocol";
import { labelEntry, moveLeaf, removeMessage } from "../session-tree.ts";
import { redo, redoAll, undo } from "../undo.ts";
import type { CommandHandlers } from "./command-handler.ts";
import { busyAnswer } from "./make-room.ts";

type HistoryCommandType =
  | "session.undo"
  | "session.redo"
  | "session.revert"
  | "session.unrevert"
  | "leaf.move"
  | "entry.label"
  | "message.add"
  | "message.remove";

/** Nobody can stop these; they are over soon. */
const unstoppable = () => new AbortController().signal;

export const historyCommands: CommandHandlers<HistoryCommandType> = {
  async "session.undo"({ engine, journal, work, guard }, wish) {
    if (await work.isBusy()) return busyAnswer();
    await guard.settle();
    return undo(journal, engine.snapshots, { ...wish, signal: unstoppable() });
  },
  async "session.redo"({ engine, journal, work }, wish) {
    if (await work.isBusy()) return busyAnswer();
    return redo(journal, engine.snapshots, { ...wish, signal: unstoppable() });
  },
  async "session.revert"({ engine, journal, work, guard }, { messageId, ...wish }) {
    if (await work.isBusy()) return busyAnswer();
    const point = journal.state.undoPoints.find(({ promptId }) => messageIdOf(promptId) === messageId);
    if (point === undefined) return unknownMessage(messageId);
    await guard.settle();
    return undo(journal, engine.snapshots, { ...wish, promptId: point.promptId, signal: unstoppable() });
  },
  async "session.unrevert"({ engine, journal, work }, wish) {
    if (await work.isBusy()) return busyAnswer();
    return redoAll(journal, engine.snapshots, { ...wish, signal: unstoppable() });
  },
  async "leaf.move"(session, wish) {
    if (await session.work.isBusy()) return busyAnswer();
    const { summary = "none" } = wish;
    if (summary === "none") return moveLeaf(session, wish, unstoppable());
    return session.work.during((signal) => moveLeaf(session, wish, signal));
  },
  "entry.label": ({ journal }, { entryId, label }) => labelEntry(journal, entryId, label),
  /** The model reads it with the next prompt. */
  async "message.add"({ engine, journal, work }, { text }) {
    if (await work.isBusy()) return busyAnswer();
    const id = engine.newId("msg_");
    await journal.emit({ type: "message.added", messageId: id, kind: "note", text });
    return { ok: true, value: { messageId: messageIdOf(id) } };
  },
  async "message.remove"({ journal, work }, { messageId }) {
    const waiting = journal.state.queue.find(({ promptId }) => messageIdOf(promptId) === messageId);
    if (waiting !== undefined) {
      await journal.emit({ type: "prompt.withdrawn", promptId: waiting.promptId });
      return { ok: true, value: {} };
    }
    return (await work.isBusy()) ? busyAnswer() : removeMessage(journal, messageId);
  },
};

function unknownMessage(messageId: string): Refused {
  const message = `Message ${messageId} isn't a prompt on the current branch.`;
  return { ok: false, failure: { code: "not_found", message, retryable: false } };
}
