/** Commands and completion of the prompt: code that a page needs only when somebody types a slash or opens the list. */
import {
  type CommandContext,
  type CompletionSource,
  createCompletionSource,
  runCommandLine,
  slashCommands,
} from "@kedge/tui/session";

export interface PageCommands extends CompletionSource {
  /** False when it is a prompt after all. */
  runLine(line: string): Promise<boolean>;
}

export function createPageCommands(context: CommandContext, now: () => number): PageCommands {
  return {
    ...createCompletionSource({ commands: slashCommands, context, now }),
    runLine: async (line) => (await runCommandLine(line, { commands: slashCommands, context })) === "done",
  };
}
