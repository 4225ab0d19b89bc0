/** The engine: finds the session a command is for, and carries its events to whoever listens. */
import {
  type Answer,
  type CommandAnswer,
  type CommandDoor,
  type CommandOf,
  FailureError,
  type Jobs,
  notFound,
  type ProfileFor,
  type RequestPrefix,
  type ServerSignal,
  type SessionCommandType,
  type SessionProfile,
  type SessionState,
  type SideFact,
} from "@kedge/protocol";
import { createBus } from "./bus.ts";
import type { EngineShared } from "./parts.ts";
import type { AddedHandlers, CommandHandler, LifetimeCommandType } from "./session/commands/command-handler.ts";
import { commandHandlers } from "./session/commands/command-handlers.ts";
import { createOpenSessions } from "./session/open-sessions.ts";
import { requestPrefixOf } from "./session/request-prefix.ts";
import { createStoredSessions, unknownSession } from "./session/stored-sessions.ts";
import { createTurns } from "./session/turns.ts";

/** A session that this engine has open; nobody but the engine changes its state. */
export type OpenSession = {
  readonly state: Readonly<SessionState>;
  /** What is under way beside the runs. */
  readonly jobs: Pick<Jobs, "list" | "find" | "kill">;
  /** What its next request begins with; a failure where its model is not known, and in a fork. */
  prefix(): Promise<Answer<RequestPrefix>>;
  /** What it was given when it was opened. */
  readonly profile: SessionProfile;
  /** Begins a run for what agents have to tell, if nothing runs. */
  wake(): void;
  /** Stores what others know about it; false where it is no longer open. */
  record(...facts: readonly SideFact[]): Promise<boolean>;
  /** Tells whoever follows it what became of a server of the user. */
  tell(signal: ServerSignal): void;
  /** Refuses what waits for an answer that nobody will give; the model is told why. */
  refuseUnanswered(requestId: string, message: string): Promise<void>;
};

export interface Engine extends CommandDoor {
  /** Whether this engine carries out commands of this type. */
  handles(type: string): boolean;
  send<Type extends SessionCommandType>(command: CommandOf<Type>, options?: OpenOptions): Promise<CommandAnswer<Type>>;
  openSessions(): readonly OpenSession[];
  /** Interrupts every run, waits until their ends are stored, and gives the sessions free. */
  close(): Promise<void>;
}

export type OpenOptions = {
  /** For a session that the command opens, in the place of the one that `profileFor` has. */
  readonly profile?: SessionProfile;
};

/** `added`: handlers of commands beside those of the protocol. */
export function createEngine(shared: EngineShared, profileFor: ProfileFor, added: AddedHandlers = {}): Engine {
  const handlers: { readonly [type: string]: CommandHandler<never, object> } = { ...added, ...commandHandlers };
  const bus = createBus(shared.redact);
  const turns = createTurns();
  const sessions = createOpenSessions(shared, {
    profileFor,
    publish: bus.publish,
    succeed: (state, record) => stored.succeed(state, record),
  });
  const { journalOf, lease } = sessions;
  const stored = createStoredSessions(shared, { open: (id) => sessions.find(id)?.journal, journalOf, lease });

  const lifetime: LifetimeHandlers = {
    "session.create"(command, { profile }) {
      const create = () => sessions.create(command, profile);
      // Two that want the same id come one after the other, so that only the first one gets it.
      return command.sessionId === undefined ? create() : turns.take(command.sessionId, create);
    },
    "session.resume": (command, { profile }) => turns.take(command.sessionId, () => sessions.resume(command, profile)),
    "session.close": ({ sessionId }) => turns.take(sessionId, () => sessions.close(sessionId)),
    "session.fork": stored.fork,
    "session.update": (command) => turns.take(command.sessionId, () => stored.update(command)),
    "session.delete": (command) => turns.take(command.sessionId, () => stored.delete(command)),
  };

  async function carryOut(command: { readonly type: string; readonly sessionId: string }): Promise<Answer<object>> {
    const { type, sessionId } = command;
    const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    if (handler === undefined) return notFound("command", type);
    const found = sessions.find(sessionId);
    if (found === undefined) return unknownSession(sessionId);
    // The handler is that of this very type.
    return sessions.use(found, () => handler(found.session, command as never));
  }

  return {
    async send<Type extends SessionCommandType>(
      command: CommandOf<Type>,
      options: OpenOptions = {},
    ): Promise<CommandAnswer<Type>> {
      try {
        // The answer belongs to the command by the tables; the compiler cannot follow its type through them.
        const given = command as never;
        const { type } = command as { readonly type: string };
        const own = Object.hasOwn(lifetime, type) ? lifetime[type as LifetimeCommandType] : carryOut;
        return (await own(given, options)) as CommandAnswer<Type>;
      } catch (error) {
        if (error instanceof FailureError) return { ok: false, failure: error.failure };
        throw error;
      }
    },
    subscribe: (sessionId, listener) => bus.subscribe(sessionId, listener),
    handles: (type) => Object.hasOwn(lifetime, type) || Object.hasOwn(handlers, type),
    openSessions: () =>
      sessions.list().map(({ session, session: { jobs, questions, wake, agentNews }, journal, profile }) => ({
        state: journal.state,
        jobs,
        profile,
        wake,
        prefix: () => requestPrefixOf(session),
        async record(...facts) {
          if (sessions.find(journal.state.sessionId)?.journal !== journal) return false;
          await journal.emit(...facts);
          agentNews.arrived();
          return true;
        },
        tell: (signal) => journal.signal({ ...signal, sessionId: journal.state.sessionId }),
        async refuseUnanswered(requestId, message) {
          // Whoever answered a moment before was in time after all.
          await questions.answer(requestId, { reply: "reject", message }, "timeout");
        },
      })),
    subscribeAll: (listener) => bus.subscribeAll(listener),
    close: () => sessions.closeAll(),
  };
}

type LifetimeHandlers = {
  readonly [Type in LifetimeCommandType]: (
    command: CommandOf<Type>,
    options: OpenOptions,
  ) => Promise<CommandAnswer<Type>>;
};
