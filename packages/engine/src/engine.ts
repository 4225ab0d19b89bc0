/** The engine: finds the session a command is for, and carries its events to whoever listens. */
import {
  type CommandAnswer,
  type CommandDoor,
  type CommandOf,
  emptySession,
  type Failure,
  type FailureCode,
  FailureError,
  isKeptMode,
  type PermissionMode,
  type SessionCommand,
  type SessionCommandType,
  type SessionState,
} from "@kedge/protocol";
import { createBus } from "./bus.ts";
import type { HandoffRecord } from "./compaction/hand-over.ts";
import { createJournal, type Journal } from "./journal.ts";
import { endLostWork } from "./lost-jobs.ts";
import type { EngineParts } from "./parts.ts";
import { closingFacts, isInterrupted } from "./recovery.ts";
import { busyAnswer, createSession, type Session, type SessionJobs } from "./session.ts";
import { createStoredSessions, unknownSession } from "./stored-sessions.ts";
import { createTurns } from "./turns.ts";
import { settleRestores } from "./undo.ts";

/** A session that this engine has open; nobody but the engine changes its state. */
export type OpenSession = {
  readonly state: Readonly<SessionState>;
  readonly jobs: SessionJobs;
  readonly refuseUnanswered: Session["refuseUnanswered"];
};

export interface Engine extends CommandDoor {
  openSessions(): readonly OpenSession[];
  /** Interrupts every run, waits until their ends are stored, and gives the sessions free. */
  close(): Promise<void>;
}

/** A third of a lease's life, so that two renewals may fail before it is lost. */
const leaseRenewalMs = 10_000;

/** These say that a model is gone; a key that is missing or a server that is down says nothing of the kind. */
const unknownModelCodes: ReadonlySet<FailureCode> = new Set<FailureCode>(["invalid_model", "no_model"]);

type Open = { readonly session: Session; readonly journal: Journal; readonly renewal: NodeJS.Timeout };

export function createEngine(parts: EngineParts): Engine {
  const bus = createBus();
  const open = new Map<string, Open>();
  const { store, holder } = parts;

  function journalOf(sessionId: string): Journal {
    return createJournal({
      store,
      state: emptySession(sessionId),
      boot: holder.boot,
      publish: (event, position) => bus.publish(sessionId, event, position),
    });
  }

  const turns = createTurns();
  /** How many commands are being carried out in a session, so that it is not closed under them. */
  const underWay = new Map<string, number>();

  const stored = createStoredSessions(parts, { open: (sessionId) => open.get(sessionId)?.journal, journalOf, lease });

  function keep(sessionId: string, journal: Journal, { isResumed }: { readonly isResumed: boolean }): void {
    const openSuccessor = (record: HandoffRecord) => stored.succeed(journal.state, record);
    const session = createSession(parts, journal, { isResumed, openSuccessor });
    const renewal = setInterval(() => {
      // A renewal that fails is tried again; a lease that was lost is noticed by the next append.
      store.acquireLease(sessionId, holder).catch(() => undefined);
    }, leaseRenewalMs);
    renewal.unref();
    open.set(sessionId, { session, journal, renewal });
  }

  async function lease(sessionId: string): Promise<Failure | undefined> {
    const outcome = await store.acquireLease(sessionId, holder);
    if (outcome.ok) return undefined;
    return {
      code: "session_busy",
      message: `Session ${sessionId} is in use by another kedge (process ${outcome.holder.pid}).`,
      recovery: "Close the other one, or start a new session.",
      retryable: true,
    };
  }

  async function create(command: CommandOf<"session.create">): Promise<CommandAnswer<"session.create">> {
    const { model = parts.defaultModel, mode = "default" } = command;
    if (model === undefined) return { ok: false, failure: noModel };
    const refusal = await refusalOfChosen(command.sessionId);
    if (refusal !== undefined) return { ok: false, failure: refusal };
    const sessionId = command.sessionId ?? parts.newId("ses_");
    const busy = await lease(sessionId);
    if (busy !== undefined) return { ok: false, failure: busy };
    const journal = journalOf(sessionId);
    keep(sessionId, journal, { isResumed: false });
    await journal.emit({
      type: "session.created",
      directory: parts.workspace.cwd,
      projectId: parts.workspace.projectId,
      model,
      mode,
      kedgeVersion: parts.kedgeVersion,
      boot: holder.boot,
    });
    return { ok: true, value: { sessionId } };
  }

  async function refusalOfChosen(sessionId: string | undefined): Promise<Failure | undefined> {
    if (sessionId === undefined) return undefined;
    if (!chosenSessionId.test(sessionId)) return badSessionId;
    // Also the bare chain of a deleted one: what comes after it would be read as its continuation.
    for await (const _ of store.rows(sessionId)) return usedSessionId(sessionId);
    return undefined;
  }

  async function resume(command: CommandOf<"session.resume">): Promise<CommandAnswer<"session.resume">> {
    const { sessionId } = command;
    const already = open.get(sessionId);
    if (already !== undefined) {
      const { state } = already.journal;
      const refused = await changeOpen(already, command);
      if (refused !== undefined) return refused;
      // What runs here was not cut off.
      return { ok: true, value: { sessionId, interrupted: state.runId === undefined && isInterrupted(state) } };
    }
    if ((await store.session(sessionId)) === undefined) return unknownSession(sessionId);
    const busy = await lease(sessionId);
    if (busy !== undefined) return { ok: false, failure: busy };
    const journal = journalOf(sessionId);
    await store.fold(journal.state);
    const interrupted = isInterrupted(journal.state);
    await settleRestores(journal.state, parts.snapshots);
    endLostWork(journal.state, parts);
    const closing = closingFacts(journal.state);
    const mode = command.mode ?? keptMode(journal.state.mode);
    await journal.emit({ type: "session.resumed", boot: holder.boot, mode }, ...closing);
    const replaced = command.model === undefined ? await replacement(journal.state.model) : undefined;
    const model = command.model ?? replaced?.model;
    if (model !== undefined && model !== journal.state.model) await journal.emit({ type: "model.changed", model });
    keep(sessionId, journal, { isResumed: true });
    return { ok: true, value: { sessionId, interrupted, ...(replaced !== undefined && { notice: replaced.notice }) } };
  }

  /** What whoever takes it up says of mode and model counts for one that is open as for one that is stored. */
  async function changeOpen({ session, journal }: Open, { mode, model }: CommandOf<"session.resume">) {
    const { state } = journal;
    const moded = mode === undefined || mode === state.mode ? undefined : await session.changeMode(mode);
    if (moded?.ok === false) return moded;
    const changed = model === undefined || model === state.model ? undefined : await session.changeModel(model);
    return changed?.ok === false ? changed : undefined;
  }

  function keptMode(mode: PermissionMode): PermissionMode {
    return isKeptMode(mode) && !parts.policy?.disabledModes.includes(mode) ? mode : "default";
  }

  /** For a model that nobody knows any more; undefined for one that is known, or where there is no other. */
  async function replacement(ref: string): Promise<{ readonly model: string; readonly notice: string } | undefined> {
    const { defaultModel: model } = parts;
    if (model === undefined || ref === "" || model === ref) return undefined;
    const found = await parts.models.find(ref);
    if (found.ok || !unknownModelCodes.has(found.failure.code)) return undefined;
    return { model, notice: `The model ${ref} is no longer known; the session goes on with ${model}.` };
  }

  /** What can be derived from facts need not be kept: whatever the disk has, the run has told already. */
  async function leave(state: SessionState): Promise<void> {
    await store.keepState(state).catch(passBugs);
    await store.releaseLease(state.sessionId, holder.boot);
  }

  async function release(sessionId: string): Promise<CommandAnswer<"session.close">> {
    const found = open.get(sessionId);
    if (found === undefined) return { ok: true, value: {} };
    if ((await found.session.isBusy()) || underWay.has(sessionId)) return busyAnswer();
    // From here on commands find no open session; whoever takes it up again waits for its turn.
    open.delete(sessionId);
    clearInterval(found.renewal);
    await found.session.close();
    await leave(found.journal.state);
    return { ok: true, value: {} };
  }

  async function dispatch(command: CommandOf<SessionCommandType>): Promise<CommandAnswer<SessionCommandType>> {
    if (command.type === "session.create") {
      // Two that want the same id come one after the other, so that only the first one gets it.
      const { sessionId } = command;
      return sessionId === undefined ? create(command) : turns.take(sessionId, () => create(command));
    }
    const { sessionId } = command;
    if (command.type === "session.resume") return turns.take(sessionId, () => resume(command));
    if (command.type === "session.close") return turns.take(sessionId, () => release(sessionId));
    if (command.type === "session.fork") return stored.fork(command);
    if (command.type === "session.update") return turns.take(sessionId, () => stored.update(command));
    if (command.type === "session.delete") return turns.take(sessionId, () => stored.delete(command));
    const session = open.get(sessionId)?.session;
    if (session === undefined) return unknownSession(sessionId);
    underWay.set(sessionId, (underWay.get(sessionId) ?? 0) + 1);
    try {
      return await carryOut(session, command);
    } finally {
      const left = (underWay.get(sessionId) ?? 1) - 1;
      if (left === 0) underWay.delete(sessionId);
      else underWay.set(sessionId, left);
    }
  }

  return {
    async send<Type extends SessionCommandType>(command: CommandOf<Type>): Promise<CommandAnswer<Type>> {
      try {
        // The answer belongs to the command by the cases above; the compiler cannot follow the union through them.
        return (await dispatch(command as CommandOf<SessionCommandType>)) as CommandAnswer<Type>;
      } catch (error) {
        if (error instanceof FailureError) return { ok: false, failure: error.failure };
        throw error;
      }
    },
    subscribe: (sessionId, listener) => bus.subscribe(sessionId, listener),
    openSessions: () =>
      [...open.values()].map(({ session: { jobs, refuseUnanswered }, journal }) => {
        return { state: journal.state, jobs, refuseUnanswered };
      }),
    subscribeAll: (listener) => bus.subscribeAll(listener),
    async close() {
      for (const { session, journal, renewal } of open.values()) {
        clearInterval(renewal);
        await session.close();
        // One that cannot be given free ends with this process.
        await leave(journal.state).catch(passBugs);
      }
      open.clear();
    },
  };
}

type OpenCommand = Exclude<
  SessionCommand,
  { type: "session.create" | "session.resume" | "session.close" | "session.fork" | "session.update" | "session.delete" }
>;

function carryOut(
  session: Session,
  command: OpenCommand,
): CommandAnswer<SessionCommandType> | Promise<CommandAnswer<SessionCommandType>> {
  switch (command.type) {
    case "prompt.submit":
      return session.submit(command, command.options);
    case "prompt.revise":
      return session.revise(command.promptId, command.text);
    case "prompt.withdraw":
      return session.withdraw(command.promptId);
    case "run.continue":
      return session.continueRun(command.options);
    case "turn.interrupt":
      session.interrupt();
      return { ok: true, value: {} };
    case "permission.answer": {
      const { type: _, sessionId: __, requestId, ...answer } = command;
      return session.answer(requestId, answer);
    }
    case "question.answer":
      return session.answerQuestion(command.requestId, command.answers);
    case "mode.change":
      return session.changeMode(command.mode);
    case "grants.replace":
      return session.replaceGrants(command.grants);
    case "model.change":
      return session.changeModel(command.model);
    case "checkpoint.discard":
      return session.discardCheckpoint();
    case "session.undo":
      return session.undo(command);
    case "session.redo":
      return session.redo(command);
    case "session.revert":
      return session.revert(command);
    case "session.unrevert":
      return session.unrevert(command);
    case "context.compact":
      return session.compact(command.instructions);
    case "context.shake":
      return session.shake({ images: command.images === true });
    case "context.inspect":
      return session.inspectContext();
    case "session.handoff":
      return session.handOver(command.focus);
    case "leaf.move":
      return session.moveLeaf(command);
    case "message.add":
      return session.addMessage(command.text);
    case "message.remove":
      return session.removeMessage(command.messageId);
    case "entry.label":
      return session.labelEntry(command.entryId, command.label);
  }
}

const chosenSessionId = /^ses_[a-z0-9]{10,40}$/;

const badSessionId: Failure = {
  code: "invalid_command",
  message: "A session id is ses_ and then 10 to 40 small letters and digits.",
  recovery: "Choose another one, or leave it to kedge.",
  retryable: false,
};

function usedSessionId(sessionId: string): Failure {
  return {
    code: "invalid_command",
    message: `There is a session ${sessionId} already.`,
    recovery: "Resume it, or choose another id.",
    retryable: false,
  };
}

const noModel: Failure = {
  code: "no_model",
  message: "No model was named, and none is configured.",
  recovery: "Name one as provider/model, or set `model` in the configuration.",
  retryable: false,
};

function passBugs(error: unknown): void {
  if (!(error instanceof FailureError)) throw error;
}
