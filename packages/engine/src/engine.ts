/** The engine: finds the session a command is for, and carries its events to whoever listens. */
import {
  type AgentSignal,
  type Answer,
  type CommandAnswer,
  type CommandDoor,
  type CommandOf,
  FailureError,
  type Jobs,
  type KnownFile,
  type NoticeSignal,
  notFound,
  type OpenProfile,
  type PermissionAnswer,
  type PermissionRequest,
  type RequestPrefix,
  type RunOptions,
  type ServerSignal,
  type SessionCommandType,
  type SessionProfile,
  type SessionState,
  type SideFact,
} from "@kedge/protocol";
import { createBus } from "./bus.ts";
import type { Asking } from "./call/asking/questions.ts";
import type { MovedPrompt } from "./compaction/hand-over.ts";
import type { EngineShared } from "./parts.ts";
import type { AddedHandlers, CommandHandler, LifetimeCommandType } from "./session/commands/command-handler.ts";
import { commandHandlers } from "./session/commands/command-handlers.ts";
import { createOpenSessions, type Opening } from "./session/open-sessions.ts";
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
  /** What it has read of files. */
  knownFiles(): readonly KnownFile[];
  /** What it was given when it was opened. */
  readonly profile: SessionProfile;
  /** Begins a run for what agents have to tell, if nothing runs. `continued`: although its last run did not complete. */
  wake(continued?: RunOptions): void;
  /** Stores what others know about it; false where it is no longer open. */
  record(...facts: readonly SideFact[]): Promise<boolean>;
  /** Tells whoever follows it what became of a server of the user, how far an agent is, or what the machine lacks. */
  tell(signal: ServerSignal | AgentSignal | NoticeSignal): void;
  /** Refuses what waits for an answer that nobody will give; the model is told why. */
  refuseUnanswered(requestId: string, message: string): Promise<void>;
  /** Asks here for an agent that works in another process. An aborted signal takes the question away again. */
  askFor(request: PermissionRequest, asking: Pick<Asking, "grants" | "signal">): Promise<PermissionAnswer>;
};

export interface Engine extends CommandDoor {
  /** Whether this engine carries out commands of this type. */
  handles(type: string): boolean;
  send<Type extends SessionCommandType>(command: CommandOf<Type>, options?: OpenOptions): Promise<CommandAnswer<Type>>;
  openSessions(): readonly OpenSession[];
  /** Interrupts every run, waits until their ends are stored, and gives the sessions free. */
  close(): Promise<void>;
}

/** For a session that the command opens. */
export type OpenOptions = Opening;

/** `added`: handlers of commands beside those of the protocol. */
export function createEngine(shared: EngineShared, profileFor: OpenProfile, added: AddedHandlers = {}): Engine {
  const handlers: { readonly [type: string]: CommandHandler<never, object> } = { ...added, ...commandHandlers };
  const bus = createBus(shared.redact);
  const turns = createTurns();
  const sessions = createOpenSessions(shared, {
    profileFor,
    publish: bus.publish,
    async succeed(state, record) {
      const opened = await stored.succeed(state, record);
      if (!opened.ok) return opened;
      const sessionId = opened.value;
      const submit = async (prompt: MovedPrompt) => {
        const resumed = await lifetime["session.resume"]({ type: "session.resume", sessionId }, {});
        return resumed.ok && (await carryOut({ type: "prompt.submit", sessionId, ...prompt } as never)).ok;
      };
      return { ok: true, value: { sessionId, submit } };
    },
  });
  const { journalOf, lease } = sessions;
  const stored = createStoredSessions(shared, { open: (id) => sessions.find(id)?.journal, journalOf, lease });

  const lifetime: LifetimeHandlers = {
    "session.create"(command, opening) {
      const create = () => sessions.create(command, opening);
      // Two that want the same id come one after the other, so that only the first one gets it.
      return command.sessionId === undefined ? create() : turns.take(command.sessionId, create);
    },
    "session.resume": (command, opening) => turns.take(command.sessionId, () => sessions.resume(command, opening)),
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
      sessions.list().map(({ session, session: { jobs, questions, wake, agentNews, files }, journal, profile }) => ({
        state: journal.state,
        jobs,
        profile,
        wake,
        prefix: () => requestPrefixOf(session),
        knownFiles: files.all,
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
        // Each of them is of another answer of another model, and its agent judges again what it is answered.
        askFor: (request, asking) =>
          questions.ask(request.requestId, request, {
            ...asking,
            objectionTo: () => undefined,
            isCovered: () => false,
          }),
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
