/** How the parts of the desk speak to the session before the user. */
import type { CommandAnswer, CommandOf, CommandType, Failure } from "@kedge/protocol";
import type { TellNotice } from "../notices.ts";

/** Tells the failure of a command, and gives the answer back. */
export type SendCommand = <Type extends CommandType>(command: CommandOf<Type>) => Promise<CommandAnswer<Type>>;

export type DeskSending = {
  readonly send: SendCommand;
  /** Empty where there is no session. */
  readonly sessionId: () => string;
  readonly notice: TellNotice;
  readonly tellFailure: (failure: Failure) => void;
};
