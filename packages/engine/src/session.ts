/** One session: takes commands in order, admits prompts durably, and keeps one run going at a time. */
import {
  type CommandAnswer,
  type CommandOf,
  type Failure,
  type Jobs,
  messageIdOf,
  type PermissionAnswer,
  type PermissionMode,
  type PermissionRule,
  type RunOptions,
  runWithoutSteps,
} from "@kedge/protocol";
import { switchedOff } from "./call/asking/mode-in-force.ts";
import { compactForUser } from "./compaction/compact-for-user.ts";
import type { HandOverWish, OpenSuccessor } from "./compaction/hand-over.ts";
import { createIdleCompaction, type IdleCompaction } from "./idle-compaction.ts";
import type { Journal } from "./journal.ts";
import type { EngineParts } from "./parts.ts";
import { closingFacts, isInterrupted } from "./recovery.ts";
import { createSessionParts } from "./session-parts.ts";
import { labelEntry, type MoveWish, moveLeaf, removeMessage } from "./session-tree.ts";
import { createSessionWork, type SessionWork } from "./session-work.ts";
import { redo, redoAll, type UndoOptions, undo } from "./undo.ts";

export type SubmittedPrompt = Pick<CommandOf<"prompt.submit">, "text" | "delivery" | "attachments" | "onlyIfIdle">;

export interface Session {
  submit(prompt: SubmittedPrompt, options: RunOptions): Promise<CommandAnswer<"prompt.submit">>;
  continueRun(options: RunOptions): Promise<CommandAnswer<"run.continue">>;
  revise(promptId: string, text: string): Promise<CommandAnswer<"prompt.revise">>;
  withdraw(promptId: string): Promise<CommandAnswer<"prompt.withdraw">>;
  answer(requestId: string, answer: PermissionAnswer): Promise<CommandAnswer<"permission.answer">>;
  /** Refuses what waits for an answer that nobody will give; the model is told why. */
  refuseUnanswered(requestId: string, message: string): Promise<void>;
  answerQuestion(requestId: string, answers: readonly string[]): Promise<CommandAnswer<"question.answer">>;
  changeMode(mode: PermissionMode): Promise<CommandAnswer<"mode.change">>;
  replaceGrants(grants: readonly PermissionRule[]): Promise<CommandAnswer<"grants.replace">>;
  changeModel(model: string): Promise<CommandAnswer<"model.change">>;
  discardCheckpoint(): Promise<CommandAnswer<"checkpoint.discard">>;
  undo(options: Pick<UndoOptions, "promptId" | "only" | "evenIfChanged">): Promise<CommandAnswer<"session.undo">>;
  redo(options: Pick<UndoOptions, "evenIfChanged">): Promise<CommandAnswer<"session.redo">>;
  revert(
    wish: Pick<CommandOf<"session.revert">, "messageId" | "only" | "evenIfChanged">,
  ): Promise<CommandAnswer<"session.revert">>;
  unrevert(options: Pick<UndoOptions, "evenIfChanged">): Promise<CommandAnswer<"session.unrevert">>;
  /** The model reads it with the next prompt. */
  addMessage(text: string): Promise<CommandAnswer<"message.add">>;
  removeMessage(messageId: string): Promise<CommandAnswer<"message.remove">>;
  moveLeaf(wish: MoveWish): Promise<CommandAnswer<"leaf.move">>;
  labelEntry(entryId: string, label: string | undefined): Promise<CommandAnswer<"entry.label">>;
  /** Stops what runs first; prompts that come meanwhile wait. */
  compact(instructions: string | undefined): Promise<CommandAnswer<"context.compact">>;
  shake(options: { readonly images: boolean }): Promise<CommandAnswer<"context.shake">>;
  inspectContext(): Promise<CommandAnswer<"context.inspect">>;
  /** Stops what runs first, like a compaction. */
  handOver(focus: string | undefined): Promise<CommandAnswer<"session.handoff">>;
  interrupt(): void;
  isBusy(): Promise<boolean>;
  readonly jobs: SessionJobs;
  /** Interrupts what runs and waits until its end is stored. */
  close(): Promise<void>;
}

/** What is under way beside the runs. */
export type SessionJobs = Pick<Jobs, "list" | "find" | "kill">;

export type SessionOptions = {
  /** True for one that was stored and is taken up again. */
  readonly isResumed: boolean;
  readonly openSuccessor: OpenSuccessor;
  /** Stops what runs in sessions that work for this one. */
  readonly interruptChildren: () => void;
};

export function createSession(
  engine: EngineParts,
  journal: Journal,
  { isResumed, openSuccessor, interruptChildren }: SessionOptions,
): Session {
  const { state } = journal;
  const session = createSessionParts(engine, journal, { isResumed, interruptChildren });
  const { questions, dialogue, checkpoints, guard, care, jobs, naming, steering, takenUp } = session;
  const work: SessionWork = createSessionWork(session, {
    onBusy: () => idle.stop(),
    onIdle(after) {
      idle.wait();
      if (after === "run" && state.lastRun?.reason === "completed") handOverIfDue();
    },
  });
  const idle: IdleCompaction = createIdleCompaction(session, () => work);
  if (isResumed) idle.wait();

  /** Where the settings say so, the work of a conversation that has grown large goes on in a new one. */
  function handOverIfDue(): void {
    if (engine.compaction?.settings?.strategy !== "handoff") return;
    const { sessionId } = state;
    const tell = (text: string) => journal.signal({ type: "notice", sessionId, text });
    const over = work.during(async (signal) => {
      const found = await engine.models.find(state.model);
      if (!found.ok || !care.isHandoffDue(session.frameFor(found.model))) return undefined;
      return handOver({ waiting: [] }, signal);
    });
    over.then(
      (answer) => {
        if (answer?.ok === false) tell(`The work could not be handed over: ${answer.failure.message}`);
        else if (answer !== undefined && answer.value.sessionId !== sessionId)
          tell(`This conversation has grown large; its work can go on in session ${answer.value.sessionId}.`);
      },
      (error: unknown) => tell(`The work could not be handed over: ${engine.redact(String(error))}`),
    );
  }

  async function handOver(
    wish: Omit<HandOverWish, "openSuccessor">,
    signal: AbortSignal,
  ): Promise<CommandAnswer<"session.handoff">> {
    const { handOver: write } = await import("./compaction/hand-over.ts");
    return write(session, { ...wish, openSuccessor }, signal);
  }

  /** Stops the run under way for something that cannot be done beside it; a failure when that is impossible. */
  async function makeRoom(): Promise<ReturnType<typeof busyAnswer> | undefined> {
    if (work.isOther()) return busyAnswer();
    work.stop();
    await work.settled();
    await mend();
    return work.runId() === undefined ? undefined : busyAnswer();
  }

  async function runLocalCommand(text: string, options: RunOptions): Promise<string | undefined> {
    const [name = "", ...rest] = text.slice(1).split(/\s+/);
    const command = text.startsWith("/") ? engine.localCommands.find((known) => known.name === name) : undefined;
    if (command === undefined) return undefined;
    const { text: output, data } = await command.run(rest.join(" "), state, options);
    const ran = {
      type: "command.ran",
      command: `/${name}`,
      text: output,
      ...(data !== undefined && { data }),
    } as const;
    const runId = engine.newId("run_");
    // Beside a run that is under way the command is only recorded; alone it is a whole run without a model call.
    if (work.runId() !== undefined) await journal.emit(ran);
    else await journal.emit(ran, { type: "run.ended", runId, ...runWithoutSteps("completed", output) });
    return runId;
  }

  /** After a failed write: what was open is closed first, as after a crash. */
  async function mend(): Promise<void> {
    if (journal.broken() === undefined) return;
    journal.mend();
    await journal.emit(...closingFacts(state));
  }

  function isQueued(promptId: string): boolean {
    return state.queue.some((prompt) => prompt.promptId === promptId);
  }

  let isAdmitting = false;

  async function admit(prompt: SubmittedPrompt, options: RunOptions): Promise<CommandAnswer<"prompt.submit">> {
    const { text, delivery, attachments } = prompt;
    const commandRun = await runLocalCommand(text, options);
    if (commandRun !== undefined) return { ok: true, value: { promptId: "", runId: commandRun } };
    const promptId = engine.newId("prm_");
    await work.isBusy();
    const underWay = work.runId();
    const runId = underWay !== undefined && delivery === "steer" ? underWay : engine.newId("run_");
    const isRunsOwn = work.giveOptions(runId, options) && Object.keys(options).length > 0;
    await journal.emit({
      type: "prompt.admitted",
      promptId,
      runId,
      delivery,
      text,
      ...(attachments !== undefined && { attachments }),
      ...(isRunsOwn && { options }),
    });
    if (work.runId() === undefined) work.start(runId);
    else if (delivery === "steer") steering.arrived();
    return { ok: true, value: { promptId, runId } };
  }

  return {
    async submit(prompt, options) {
      await mend();
      if (prompt.onlyIfIdle !== true) return admit(prompt, options);
      const isBusy = await work.isBusy();
      // Of two that come at once, the second finds the first here.
      if (isBusy || isAdmitting) return busyAnswer();
      isAdmitting = true;
      return admit(prompt, options).finally(() => {
        isAdmitting = false;
      });
    },
    async continueRun(options) {
      if (await work.isBusy()) return busyAnswer();
      await mend();
      if (!isInterrupted(state)) {
        const message = "Nothing is left to continue: the last run was finished.";
        return { ok: false, failure: { code: "not_found", message, recovery: "Give a new prompt.", retryable: false } };
      }
      const runId = state.queue[0]?.runId ?? engine.newId("run_");
      work.replaceOptions(runId, options);
      work.start(runId);
      return { ok: true, value: { runId } };
    },
    async revise(promptId, text) {
      if (!isQueued(promptId)) return notQueued(promptId);
      await journal.emit({ type: "prompt.revised", promptId, text });
      return { ok: true, value: {} };
    },
    async withdraw(promptId) {
      if (!isQueued(promptId)) return notQueued(promptId);
      await journal.emit({ type: "prompt.withdrawn", promptId });
      return { ok: true, value: {} };
    },
    async answer(requestId, answer) {
      const failure = await questions.answer(requestId, answer);
      return failure === undefined ? { ok: true, value: {} } : { ok: false, failure };
    },
    async refuseUnanswered(requestId, message) {
      // Whoever answered a moment before was in time after all.
      await questions.answer(requestId, { reply: "reject", message }, "timeout");
    },
    async answerQuestion(requestId, answers) {
      const failure = await dialogue.answer(requestId, answers);
      return failure === undefined ? { ok: true, value: {} } : { ok: false, failure };
    },
    async changeMode(mode) {
      if (engine.policy?.disabledModes.includes(mode)) return switchedOff(mode);
      await journal.emit({ type: "mode.changed", mode });
      return { ok: true, value: {} };
    },
    async replaceGrants(grants) {
      if (engine.policy?.managedRulesOnly === true) return rulesAreManaged();
      await journal.emit({ type: "grants.replaced", grants, boot: engine.holder.boot });
      return { ok: true, value: {} };
    },
    async changeModel(ref) {
      const found = await engine.models.find(ref);
      if (!found.ok) return found;
      await journal.emit({ type: "model.changed", model: found.model.ref });
      return { ok: true, value: { model: found.model.ref } };
    },
    async discardCheckpoint() {
      const discarded = await checkpoints.discard();
      return discarded.ok ? { ok: true, value: { goal: discarded.goal } } : discarded;
    },
    async undo(options) {
      if (await work.isBusy()) return busyAnswer();
      await guard.settle();
      return undo(journal, engine.snapshots, { ...options, signal: new AbortController().signal });
    },
    async redo(options) {
      if (await work.isBusy()) return busyAnswer();
      return redo(journal, engine.snapshots, { ...options, signal: new AbortController().signal });
    },
    async revert({ messageId, ...wish }) {
      if (await work.isBusy()) return busyAnswer();
      const point = state.undoPoints.find(({ promptId }) => messageIdOf(promptId) === messageId);
      if (point === undefined) return unknownMessage(messageId);
      await guard.settle();
      const options = { ...wish, promptId: point.promptId, signal: new AbortController().signal };
      return undo(journal, engine.snapshots, options);
    },
    async unrevert(options) {
      if (await work.isBusy()) return busyAnswer();
      return redoAll(journal, engine.snapshots, { ...options, signal: new AbortController().signal });
    },
    async addMessage(text) {
      if (await work.isBusy()) return busyAnswer();
      const id = engine.newId("msg_");
      await journal.emit({ type: "message.added", messageId: id, kind: "note", text });
      return { ok: true, value: { messageId: messageIdOf(id) } };
    },
    async removeMessage(messageId) {
      const waiting = state.queue.find(({ promptId }) => messageIdOf(promptId) === messageId);
      if (waiting !== undefined) {
        await journal.emit({ type: "prompt.withdrawn", promptId: waiting.promptId });
        return { ok: true, value: {} };
      }
      return (await work.isBusy()) ? busyAnswer() : removeMessage(journal, messageId);
    },
    async moveLeaf(wish) {
      if (await work.isBusy()) return busyAnswer();
      const { summary = "none" } = wish;
      if (summary === "none") return moveLeaf(session, wish, new AbortController().signal);
      return work.during((signal) => moveLeaf(session, wish, signal));
    },
    labelEntry: (entryId, label) => labelEntry(journal, entryId, label),
    async compact(instructions) {
      const failed = await makeRoom();
      return failed ?? work.during((signal) => compactForUser(session, instructions, signal));
    },
    async shake(options) {
      return (await work.isBusy()) ? busyAnswer() : care.shake(options);
    },
    async inspectContext() {
      const found = await engine.models.find(state.model);
      return found.ok ? care.inspect(session.frameFor(found.model)) : found;
    },
    async handOver(focus) {
      const failed = await makeRoom();
      if (failed !== undefined) return failed;
      const waiting = state.queue.map(({ promptId }) => promptId);
      return work.during((signal) => handOver({ waiting, ...(focus !== undefined && { focus }) }, signal));
    },
    interrupt: () => work.stop(),
    isBusy: () => work.isBusy(),
    jobs,
    async close() {
      // What ends by itself in this moment may begin something else.
      while (work.runId() !== undefined) {
        work.stop();
        await work.settled();
      }
      idle.stop();
      session.pool.close();
      await Promise.all([jobs.close(), naming.close(), takenUp?.close()]);
      await guard.settle();
    },
  };
}

function notQueued(promptId: string): { readonly ok: false; readonly failure: Failure } {
  const message = `Prompt ${promptId} is not waiting any more; the model has already seen it.`;
  return { ok: false, failure: { code: "not_found", message, retryable: false } };
}

function unknownMessage(messageId: string): { readonly ok: false; readonly failure: Failure } {
  const message = `Message ${messageId} is no prompt on the way to where the conversation is now.`;
  return { ok: false, failure: { code: "not_found", message, retryable: false } };
}

export function busyAnswer(): { readonly ok: false; readonly failure: Failure } {
  const message = "A run is under way in this session.";
  return { ok: false, failure: { code: "session_busy", message, recovery: "Interrupt it first.", retryable: true } };
}

function rulesAreManaged(): { readonly ok: false; readonly failure: Failure } {
  const message = "The managed policy of this machine allows no rules but its own.";
  return { ok: false, failure: { code: "invalid_command", message, retryable: false } };
}
