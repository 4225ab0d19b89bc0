/** Handlers of the commands on what the model sees, and on which model it is. */
import { compactForUser } from "../../compaction/compact-for-user.ts";
import type { CommandHandlers } from "./command-handler.ts";
import { busyAnswer, makeRoom } from "./make-room.ts";

export const contextCommands: CommandHandlers<
  | "context.compact"
  | "context.shake"
  | "context.inspect"
  | "checkpoint.discard"
  | "model.change"
  | "session.handoff"
  | "session.summarise"
> = {
  async "context.compact"(session, { instructions }) {
    const failed = await makeRoom(session);
    return failed ?? session.work.during((signal) => compactForUser(session, instructions, signal));
  },
  async "context.shake"({ work, care }, { images = false }) {
    return (await work.isBusy()) ? busyAnswer() : care.shake({ images });
  },
  async "context.inspect"({ engine, journal, care, frameFor, pool }) {
    const found = await engine.models.find(journal.state.model);
    return found.ok ? care.inspect(frameFor(found.model), pool.deferred()) : found;
  },
  async "checkpoint.discard"({ checkpoints }) {
    const discarded = await checkpoints.discard();
    return discarded.ok ? { ok: true, value: { goal: discarded.goal } } : discarded;
  },
  async "model.change"({ engine, journal }, { model }) {
    const found = await engine.models.find(model);
    if (!found.ok) return found;
    await journal.emit({ type: "model.changed", model: found.model.ref });
    return { ok: true, value: { model: found.model.ref } };
  },
  async "session.summarise"(session) {
    const { summariseWork } = await import("../work-summary.ts");
    return { ok: true, value: await summariseWork(session) };
  },
  async "session.handoff"(session, { focus }) {
    const failed = await makeRoom(session);
    if (failed !== undefined) return failed;
    const { journal, work, openSuccessor } = session;
    const waiting = journal.state.queue.map(({ promptId }) => promptId);
    return work.during(async (signal) => {
      const { handOver } = await import("../../compaction/hand-over.ts");
      const { optionsOf } = work;
      return handOver(session, { waiting, openSuccessor, optionsOf, ...(focus !== undefined && { focus }) }, signal);
    });
  },
};
