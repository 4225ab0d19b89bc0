/** What carries out a command of an open session. */
import type { Answer, CommandAnswer, CommandOf, SessionCommandType } from "@kedge/protocol";
import type { Session } from "../session.ts";

/** These open, close or copy whole sessions, and are for the engine itself. */
export type LifetimeCommandType = `session.${"create" | "resume" | "close" | "fork" | "update" | "delete"}`;

export type OpenCommandType = Exclude<SessionCommandType, LifetimeCommandType>;

/** A `FailureError` that it throws becomes the answer. */
export type CommandHandler<Command, Value> = (
  session: Session,
  command: Command,
) => Answer<Value> | Promise<Answer<Value>>;

export type CommandHandlers<Type extends OpenCommandType> = {
  readonly [Each in Type]: (
    session: Session,
    command: CommandOf<Each>,
  ) => CommandAnswer<Each> | Promise<CommandAnswer<Each>>;
};

/** Handlers of commands that the protocol has no row for, by their types. */
export type AddedHandlers = { readonly [type: string]: CommandHandler<never, object> };
