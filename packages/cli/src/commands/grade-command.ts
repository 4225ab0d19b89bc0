/** `kedge grade`: how many small changes of a piece of code its tests notice. */
import { gradeTests, gradeText, scoreWanted } from "@kedge/host/grading";
import { openWorktrees } from "@kedge/host/worktrees";
import { showTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { onEndSignal } from "../end-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSettings } from "../opening/open-settings.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeResult } from "../output.ts";

const usage = `kedge: Usage: kedge grade <file>[:from-to] "<test command>" [--build "<command>"]`;

export async function runGradeCommand([target, command, ...rest]: readonly string[], flags: Flags): Promise<number> {
  if (target === undefined || command === undefined || rest.length > 0) {
    writeDiagnostic(usage);
    return exitCodes.usage;
  }
  const surroundings = readSurroundings();
  const settings = await openSettings(flags, surroundings);
  const opened = settings.ok ? openWorktrees({ ...settings, ...surroundings, now: Date.now }) : settings;
  if (!settings.ok || !opened.ok) {
    if (!opened.ok) writeDiagnostic(failureText(opened.failure));
    return exitCodes.error;
  }
  const ending = new AbortController();
  const signals = onEndSignal(() => ending.abort());
  try {
    const graded = await gradeTests(
      {
        ...{ target, command, signal: ending.signal },
        ...(flags.build !== undefined && { buildCommand: flags.build }),
        onProgress: (done, all) => {
          if (process.stderr.isTTY) writeDiagnostic(`${done} of ${all}`);
        },
      },
      { ...settings, ...surroundings, worktrees: opened.value, monotonicMs: () => performance.now() },
    );
    if (!graded.ok) {
      writeDiagnostic(failureText(graded.failure));
      return ending.signal.aborted ? exitCodes.interrupted : exitCodes.error;
    }
    const text = showTerminalControls(gradeText(graded.value));
    writeResult(flags.json ? `${JSON.stringify(graded.value)}\n` : `${text}\n`);
    return graded.value.score >= scoreWanted ? exitCodes.success : exitCodes.error;
  } finally {
    signals[Symbol.dispose]();
  }
}
