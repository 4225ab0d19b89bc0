/** The table of handlers: each command of an open session has one, and the engine only looks it up. */
import type { CommandHandlers, OpenCommandType } from "./command-handler.ts";
import { contextCommands } from "./context-commands.ts";
import { historyCommands } from "./history-commands.ts";
import { permissionCommands } from "./permission-commands.ts";
import { promptCommands } from "./prompt-commands.ts";

export const commandHandlers: CommandHandlers<OpenCommandType> = {
  ...promptCommands,
  ...permissionCommands,
  ...contextCommands,
  ...historyCommands,
};
