/** `kedge completion bash|zsh|fish`: prints a script that completes commands and flags. */
import { completedShells, completionScript } from "../completion/completion-script.ts";
import { exitCodes } from "../exit-codes.ts";
import { writeNotice, writeResult } from "../output.ts";
import { completionTexts } from "../texts/setup.ts";

export function runCompletionCommand([word, extra]: readonly string[]): number {
  const shell = completedShells.find((each) => each === word);
  if (shell === undefined || extra !== undefined) {
    writeNotice(completionTexts.usage(completedShells.join("|")));
    return exitCodes.usage;
  }
  writeResult(`${completionScript(shell)}\n`);
  return exitCodes.success;
}
