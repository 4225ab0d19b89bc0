/** `kedge lsp`: which language servers and formatters there are here, and why others are not used. */
import { lspActions, openCommandCare, runLspWords } from "@kedge/host/lsp";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { lspTexts } from "../texts/setup.ts";

export async function runLspCommand(words: readonly string[], flags: Flags): Promise<number> {
  const surroundings = readSurroundings();
  const opened = await openSettings(flags, surroundings, {});
  if (!opened.ok) {
    writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const care = openCommandCare({ ...opened, ...surroundings });
  // No server runs outside of a session, so there is none to start again.
  const answer = words[0] === "restart" ? undefined : await runLspWords(words, care);
  if (answer === undefined) {
    writeNotice(lspTexts.usage(lspActions[0]));
    return exitCodes.usage;
  }
  writeResult(flags.json ? `${JSON.stringify(answer.data)}\n` : `${showTerminalControls(answer.text)}\n`);
  return answer.isFailure ? exitCodes.error : exitCodes.success;
}
