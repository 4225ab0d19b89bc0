/** `kedge reproduce`: shows that a file fails without a fix and passes with it. */
import { reproduce, reproductionText } from "@kedge/host/proof";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openCheckoutOrTell } from "../opening/open-checkout.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { reproduceTexts } from "../texts/work.ts";

export async function runReproduceCommand(words: readonly string[], flags: Flags): Promise<number> {
  const [file, command, ...rest] = words;
  const { failsWith, base, record } = flags;
  if (file === undefined || command === undefined || failsWith === undefined || rest.length > 0) {
    writeNotice(reproduceTexts.usage);
    return exitCodes.usage;
  }
  using opened = await openCheckoutOrTell(flags);
  if (opened === undefined) return exitCodes.error;
  const wish = { file, command, failsWith, ...(base !== undefined && { base }) };
  const answer = await reproduce(wish, opened.site, {
    signal: opened.signal,
    ...(record !== undefined && { recordPath: record }),
  });
  if (!answer.ok) {
    writeDiagnostic(failureText(answer.failure));
    return opened.signal.aborted ? exitCodes.interrupted : exitCodes.error;
  }
  const text = showTerminalControls(reproductionText(answer.value));
  writeResult(flags.json ? `${JSON.stringify(answer.value)}\n` : `${text}\n`);
  return answer.value.state === "proven" ? exitCodes.success : exitCodes.error;
}
