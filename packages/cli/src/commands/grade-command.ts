/** `kedge grade`: how many small changes of a piece of code its tests notice. */
import { gradeTests, gradeText, scoreWanted } from "@kedge/host/grading";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openCheckoutOrTell } from "../opening/open-checkout.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { gradeTexts } from "../texts/work.ts";

export async function runGradeCommand([target, command, ...rest]: readonly string[], flags: Flags): Promise<number> {
  if (target === undefined || command === undefined || rest.length > 0) {
    writeNotice(gradeTexts.usage);
    return exitCodes.usage;
  }
  using opened = await openCheckoutOrTell(flags);
  if (opened === undefined) return exitCodes.error;
  const { site, signal } = opened;
  const graded = await gradeTests(
    {
      ...{ target, command, signal },
      ...(flags.build !== undefined && { buildCommand: flags.build }),
      onProgress: (done, all) => {
        if (process.stderr.isTTY) writeDiagnostic(gradeTexts.progress(done, all));
      },
    },
    site,
  );
  if (!graded.ok) {
    writeDiagnostic(failureText(graded.failure));
    return signal.aborted ? exitCodes.interrupted : exitCodes.error;
  }
  const text = showTerminalControls(gradeText(graded.value));
  writeResult(flags.json ? `${JSON.stringify(graded.value)}\n` : `${text}\n`);
  return graded.value.score >= scoreWanted ? exitCodes.success : exitCodes.error;
}
