/** The engine: finds the session a command is for, and carries its events to whoever listens. */
import {
  type CommandAnswer,
  type CommandDoor,
  type CommandOf,
  FailureError,
  type ProfileFor,
  type SessionCommand,
  type SessionCommandType,
  type SessionProfile,
  type SessionState,
} from "@kedge/protocol";
import { createBus } from "./bus.ts";
import { createOpenSessions } from "./open-sessions.ts";
import type { EngineShared } from "./parts.ts";
import type { Session, SessionJobs } from "./session.ts";
import { createStoredSessions, unknownSession } from "./stored-sessions.ts";
import { createTurns } from "./turns.ts";

/** A session that this engine has open; nobody but the engine changes its state. */
export type OpenSession = {
  readonly state: Readonly<SessionState>;
  readonly jobs: SessionJobs;
  readonly refuseUnanswered: Session["refuseUnanswered"];
};

export interface Engine extends CommandDoor {
  send<Type extends SessionCommandType>(command: CommandOf<Type>, options?: OpenOptions): Promise<CommandAnswer<Type>>;
  openSessions(): readonly OpenSession[];
  /** Interrupts every run, waits until their ends are stored, and gives the sessions free. */
  close(): Promise<void>;
}

export type OpenOptions = {
  /** For a session that the command opens, in the place of the one that `profileFor` has. */
  readonly profile?: SessionProfile;
};

export function createEngine(shared: EngineShared, profileFor: ProfileFor): Engine {
  const bus = createBus();
  const turns = createTurns();
  const sessions = createOpenSessions(shared, {
    profileFor,
    publish: bus.publish,
    succeed: (state, record) => stored.succeed(state, record),
  });
  const { journalOf, lease } = sessions;
  const stored = createStoredSessions(shared, { open: (id) => sessions.find(id)?.journal, journalOf, lease });

  async function dispatch(
    command: CommandOf<SessionCommandType>,
    { profile }: OpenOptions,
  ): Promise<CommandAnswer<SessionCommandType>> {
    if (command.type === "session.create") {
      // Two that want the same id come one after the other, so that only the first one gets it.
      const { sessionId } = command;
      const create = () => sessions.create(command, profile);
      return sessionId === undefined ? create() : turns.take(sessionId, create);
    }
    const { sessionId } = command;
    if (command.type === "session.resume") return turns.take(sessionId, () => sessions.resume(command, profile));
    if (command.type === "session.close") return turns.take(sessionId, () => sessions.close(sessionId));
    if (command.type === "session.fork") return stored.fork(command);
    if (command.type === "session.update") return turns.take(sessionId, () => stored.update(command));
    if (command.type === "session.delete") return turns.take(sessionId, () => stored.delete(command));
    const found = sessions.find(sessionId);
    if (found === undefined) return unknownSession(sessionId);
    return sessions.use(found, () => carryOut(found.session, command));
  }

  return {
    async send<Type extends SessionCommandType>(
      command: CommandOf<Type>,
      options: OpenOptions = {},
    ): Promise<CommandAnswer<Type>> {
      try {
        // The answer belongs to the command by the cases above; the compiler cannot follow the union through them.
        return (await dispatch(command as CommandOf<SessionCommandType>, options)) as CommandAnswer<Type>;
      } catch (error) {
        if (error instanceof FailureError) return { ok: false, failure: error.failure };
        throw error;
      }
    },
    subscribe: (sessionId, listener) => bus.subscribe(sessionId, listener),
    openSessions: () =>
      sessions.list().map(({ session: { jobs, refuseUnanswered }, journal }) => {
        return { state: journal.state, jobs, refuseUnanswered };
      }),
    subscribeAll: (listener) => bus.subscribeAll(listener),
    close: () => sessions.closeAll(),
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
