/** `kedge land` and `kedge team land`: brings the branches of workers together on a new branch, and undoes that. */
import { detectTestCommand, type LandedTeam, land, landingText, undoLanding } from "@kedge/host/landing";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { type OpenedCheckout, openCheckoutOrTell } from "../opening/open-checkout.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { askYesOrNo } from "../terminal/ask-yes-or-no.ts";
import { landTexts } from "../texts/work.ts";

export async function runLandCommand(names: readonly string[], flags: Flags): Promise<number> {
  return landWorkers(names, flags);
}

/** With a team, names are those of its teammates. */
export async function landWorkers(names: readonly string[], flags: Flags, team?: LandedTeam): Promise<number> {
  using opened = await openCheckoutOrTell(flags, "main");
  if (opened === undefined) return exitCodes.error;
  if (flags.undo) return undo(names, opened, flags);
  const testCommand = await chooseTest(opened, flags);
  if (testCommand === undefined) return exitCodes.error;
  const answer = await land(
    {
      ...{ names, testCommand, signal: opened.signal, ...(team !== undefined && { team }) },
      onProgress: (sentence) => writeNotice(showTerminalControls(sentence)),
    },
    opened.site,
  );
  if (!answer.ok) {
    writeDiagnostic(showTerminalControls(failureText(answer.failure)));
    return opened.signal.aborted ? exitCodes.interrupted : exitCodes.error;
  }
  const text = showTerminalControls(landingText(answer.value));
  writeResult(flags.json ? `${JSON.stringify(answer.value)}\n` : `${text}\n`);
  return answer.value.stop === undefined ? exitCodes.success : exitCodes.error;
}

async function undo(names: readonly string[], { site }: OpenedCheckout, flags: Flags): Promise<number> {
  if (names.length > 0) {
    writeNotice(landTexts.undoTakesNoNames);
    return exitCodes.usage;
  }
  const undone = await undoLanding(site.worktrees.repository);
  if (!undone.ok) {
    writeDiagnostic(failureText(undone.failure));
    return exitCodes.error;
  }
  writeResult(flags.json ? `${JSON.stringify(undone.value)}\n` : landTexts.deleted(undone.value.branch));
  return exitCodes.success;
}

/** Asked once for each landing where nobody said what to run. */
async function chooseTest({ site }: OpenedCheckout, { test }: Flags): Promise<string | undefined> {
  const told = test ?? site.configuration.worktree.test;
  if (told !== undefined) return told;
  const guess = detectTestCommand(site.worktrees.repository.root);
  if (guess !== undefined && (await askYesOrNo(landTexts.runTests(guess)))) return guess;
  writeNotice(landTexts.noTestCommand(guess ?? "make test"));
  return undefined;
}
