/** `kedge undo` and `kedge redo`: the newest session of this directory, one prompt back or forward. */
import { type Client, type Failure, type FileChange, stripTerminalControls } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { openSession } from "../opening/open-session.ts";
import { startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeDiagnostic, writeResult } from "../output.ts";
import { undoTexts } from "../texts/work.ts";

export async function runUndo(direction: "undo" | "redo", flags: Flags): Promise<number> {
  const outcome = await startKedge(flags, readSurroundings(), { interactive: false, runsNothing: true });
  if (!outcome.ok) return failed(outcome.failure);
  const { kedge, cwd, mode, configuration } = outcome.started;
  try {
    const opened = await openSession(kedge.client, {
      choice: flags.resume === undefined ? { kind: "newest" } : { kind: "named", name: flags.resume },
      directory: cwd,
      mode,
      isModeNamed: false,
      model: undefined,
      defaultModel: configuration.model,
    });
    if (!opened.ok) return failed(opened.failure);
    const { sessionId } = opened;
    return direction === "undo"
      ? await takeBack(kedge.client, sessionId, { force: flags.force === true, json: flags.json === true })
      : await bringAgain(kedge.client, sessionId, { force: flags.force === true, json: flags.json === true });
  } finally {
    await kedge.close();
  }
}

type Wish = { readonly force: boolean; readonly json: boolean };

async function takeBack(client: Client, sessionId: string, { force, json }: Wish): Promise<number> {
  const undone = await client.send<"session.undo">({ type: "session.undo", sessionId, evenIfChanged: force });
  if (!undone.ok) return failed(undone.failure);
  const { files, uncovered } = undone.value;
  writeResult(json ? `${JSON.stringify({ sessionId, files, uncovered })}\n` : changesText(files));
  if (uncovered.length > 0) writeDiagnostic(uncoveredText(uncovered));
  return exitCodes.success;
}

async function bringAgain(client: Client, sessionId: string, { force, json }: Wish): Promise<number> {
  const redone = await client.send<"session.redo">({ type: "session.redo", sessionId, evenIfChanged: force });
  if (!redone.ok) return failed(redone.failure);
  const { files } = redone.value;
  writeResult(json ? `${JSON.stringify({ sessionId, files })}\n` : changesText(files));
  return exitCodes.success;
}

/** One line per file, or a sentence when none had changed. */
export function changesText(files: readonly FileChange[]): string {
  if (files.length === 0) return undoTexts.noFiles;
  return files.map(({ path, status }) => `${status.padEnd(8)}  ${stripTerminalControls(path)}\n`).join("");
}

const namesMax = 10;

/** What no snapshot covers, so that no gap looks like success. */
export function uncoveredText(paths: readonly string[]): string {
  const names = paths.slice(0, namesMax).map(stripTerminalControls).join(", ");
  const more = paths.length > namesMax ? undoTexts.more(paths.length - namesMax) : "";
  return undoTexts.notCovered(names, more);
}

function failed(failure: Failure): number {
  writeDiagnostic(failureText(failure));
  return exitCodes.error;
}
