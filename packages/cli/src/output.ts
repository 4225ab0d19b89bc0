/** Writes to standard output and standard error at once and in order, without loading Node's streams. */
import { fstatSync } from "node:fs";
import { stripTerminalControls } from "@kedge/protocol";
import { exitCodes } from "./exit-codes.ts";
import { openOutlet, type Written } from "./outlet.ts";

export type { Written } from "./outlet.ts";

const standardOutput = openOutlet(1);
const standardError = openOutlet(2);

/** Results only. */
export function writeResult(text: string): Written {
  return standardOutput.write(text);
}

/** A conversation, of which nobody knows how long it will be. */
export function writeFlowing(text: string): Written {
  return standardOutput.writeFlowing(text);
}

/** As it may stand on a terminal; a pipe or a file gets it as it is. */
export function writeAnswer(text: string): Written {
  return standardOutput.write(mayBeTerminal() ? stripTerminalControls(text) : text);
}

/** Objects, each on a line of its own. On a terminal, what JSON lets through that could control it is escaped as well. */
export function openJsonLines(): (line: object) => Written {
  const isShown = mayBeTerminal();
  return (line) => {
    const text = JSON.stringify(line);
    return standardOutput.writeFlowing(`${isShown ? text.replaceAll(controlsInJson, escapedUnit) : text}\n`);
  };
}

const controlsInJson = /[\u007f-\u009f]/g;

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Asked of the file alone: what knows terminals would load the streams of Node. */
function mayBeTerminal(): boolean {
  return fstatSync(1).isCharacterDevice();
}

/** Everything a person should know beside the result. It may quote a file, a vendor or a server, so it is cleaned. */
export function writeDiagnostic(sentence: string): void {
  standardError.write(`${stripTerminalControls(sentence)}\n`);
}

/** A sentence by kedge, marked as such among the output of other programs. */
export function writeNotice(sentence: string): void {
  writeDiagnostic(`kedge: ${sentence}`);
}

/** Whoever ended kedge does not wait for a reader who sleeps. */
const interruptedMsMax = 1_000;

/**
 * Resolves when the readers have taken everything, or are gone; the process must not end before. After an interruption
 * not much time is left for that.
 */
export async function outputTaken(ended: unknown): Promise<void> {
  const taken = Promise.all([standardOutput.drained(), standardError.drained()]);
  if (ended !== exitCodes.interrupted) await taken;
  else await Promise.race([taken, new Promise((resolve) => setTimeout(resolve, interruptedMsMax))]);
}
