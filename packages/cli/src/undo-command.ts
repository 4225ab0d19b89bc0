/** `kedge undo` and `kedge redo`: the newest session of this directory, one prompt back or forward. */
import { stripTerminalControls } from "@kedge/host";
import type { Failure, FileChange } from "@kedge/protocol";
import { exitCodes } from "./exit-codes.ts";
import { failureText } from "./failure-text.ts";
import type { Flags } from "./flags.ts";
import { openSession } from "./open-session.ts";
import { writeDiagnostic, writeResult } from "./output.ts";
import { startKedge } from "./start-kedge.ts";
import { readSurroundings } from "./surroundings.ts";

export async function runUndo(direction: "undo" | "redo", flags: Flags): Promise<number> {
  const outcome = await startKedge(flags, readSurroundings(), { interactive: false });
  if (!outcome.ok) return failed(outcome.failure);
  const { kedge, cwd, mode, configuration } = outcome.started;
  try {
    const opened = await openSession(kedge.client, {
      choice: flags.resume === undefined ? { kind: "newest" } : { kind: "named", name: flags.resume },
      directory: cwd,
      mode,
      model: undefined,
      defaultModel: configuration.model,
    });
    if (!opened.ok) return failed(opened.failure);
    const { sessionId } = opened;
    const answer =
      direction === "undo"
        ? await kedge.client.send<"session.undo">({ type: "session.undo", sessionId })
        : await kedge.client.send<"session.redo">({ type: "session.redo", sessionId });
    if (!answer.ok) return failed(answer.failure);
    writeResult(changesText(answer.value.files));
    return exitCodes.success;
  } finally {
    await kedge.close();
  }
}

/** One line per file, or a sentence when none had changed. */
export function changesText(files: readonly FileChange[]): string {
  if (files.length === 0) return "No file had to be changed.\n";
  return files.map(({ path, status }) => `${status.padEnd(8)}  ${stripTerminalControls(path)}\n`).join("");
}

function failed(failure: Failure): number {
  writeDiagnostic(failureText(failure));
  return exitCodes.error;
}
