/** All slash commands of the terminal, in the order in which they are listed. */
import { kedgeCommands } from "./kedge-commands.ts";
import { modelCommands } from "./model-commands.ts";
import { sessionCommands } from "./session-commands.ts";
import { sharingCommands } from "./sharing-commands.ts";
import type { SlashCommand } from "./slash-command.ts";
import { viewCommands } from "./view-commands.ts";

export const slashCommands: readonly SlashCommand[] = [
  ...sessionCommands,
  ...sharingCommands,
  ...modelCommands,
  ...viewCommands,
  ...kedgeCommands,
];
