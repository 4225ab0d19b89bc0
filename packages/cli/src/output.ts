/** Writes to standard output and standard error at once and in order, without loading Node's streams. */
import { writeSync } from "node:fs";

export type Written = "written" | "reader-gone";

const standardOutput = 1;
const standardError = 2;
const retryDelayMs = 2;

/** Results only. */
export function writeResult(text: string): Written {
  return write(standardOutput, text);
}

/** Everything a person should know beside the result. */
export function writeDiagnostic(sentence: string): void {
  write(standardError, `${sentence}\n`);
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
