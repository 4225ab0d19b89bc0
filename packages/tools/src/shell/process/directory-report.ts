/** How a shell tells where it stood at its end, on a way of its own that no output shares. */
import { basename } from "node:path";
import type { Readable } from "node:stream";

/** High, because scripts open low ones for locks and logs, and the report must not land there. */
const reportDescriptor = 189;
/** On the command's own line, so that line numbers in messages of the shell stay true. It survives `exit`. */
const prefix = `exec ${reportDescriptor}>&3 3>&-; trap 'builtin pwd 2>/dev/null >&${reportDescriptor}' EXIT; `;
const reportCharactersMax = 16_384;

/** Other shells take only descriptors of one digit. */
export function withDirectoryReport(command: string, shellPath: string): string {
  return basename(shellPath) === "bash" ? prefix + command : command;
}

/** Reads what comes on the pipe; the function gives the directory, or undefined when there was no whole report. */
export function reportedDirectory(pipe: Readable | undefined): () => string | undefined {
  let text = "";
  pipe?.setEncoding("utf8").on("data", (chunk: string) => {
    if (text.length < reportCharactersMax) text += chunk;
  });
  return () => (text.startsWith("/") && text.endsWith("\n") ? text.slice(0, -1) : undefined);
}
