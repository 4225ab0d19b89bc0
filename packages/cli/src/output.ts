/** Writes to standard output and standard error at once and in order, without loading Node's streams. */
import { fstatSync, writeSync } from "node:fs";
import { stripTerminalControls } from "@kedge/protocol";

export type Written = "written" | "reader-gone";

const standardOutput = 1;
const standardError = 2;
const retryDelayMs = 2;

/** Results only. */
export function writeResult(text: string): Written {
  return write(standardOutput, text);
}

/** As it may stand on a terminal; a pipe or a file gets it as it is. */
export function writeAnswer(text: string): Written {
  return write(standardOutput, mayBeTerminal() ? stripTerminalControls(text) : text);
}

/** Objects, each on a line of its own. On a terminal, what JSON lets through that could control it is escaped as well. */
export function openJsonLines(): (line: object) => Written {
  const isShown = mayBeTerminal();
  return (line) => {
    const text = JSON.stringify(line);
    return write(standardOutput, `${isShown ? text.replaceAll(controlsInJson, escapedUnit) : text}\n`);
  };
}

const controlsInJson = /[\u007f-\u009f]/g;

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Asked of the file alone: what knows terminals would load the streams of Node. */
function mayBeTerminal(): boolean {
  return fstatSync(standardOutput).isCharacterDevice();
}

/** Everything a person should know beside the result. It may quote a file, a vendor or a server, so it is cleaned. */
export function writeDiagnostic(sentence: string): void {
  write(standardError, `${stripTerminalControls(sentence)}\n`);
}

function write(descriptor: number, text: string): Written {
  let rest = Buffer.from(text, "utf8");
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      // A reader that went away has seen enough; a closed descriptor never had one.
      if (code === "EPIPE" || code === "EBADF") return "reader-gone";
      if (code !== "EAGAIN") throw error;
      // The pipe is full. Waiting here keeps order and bounds memory; the reader is another process.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryDelayMs);
    }
  }
  return "written";
}
