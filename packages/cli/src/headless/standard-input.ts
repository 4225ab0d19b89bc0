/** Reads what was piped in, without ever waiting for a terminal or for a pipe that says nothing. */
import { fstatSync, readFileSync } from "node:fs";

export const inputBytesMax = 10 * 1024 * 1024;
/** A pipe that its owner forgot to close would otherwise hold a run up for ever. */
const firstByteWaitMsMax = 3_000;

export type PipedInput =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "silent"; readonly waitedMs: number }
  | { readonly kind: "too-large" };

/** `mayWait` is true when nothing else gives a prompt, so that input is worth waiting for without limit. */
export async function readPipedInput(options: { readonly mayWait: boolean }): Promise<PipedInput> {
  const kind = standardInputKind();
  if (kind === "none") return { kind: "none" };
  if (kind === "file") return fromBytes(readFileSync(0));
  return readStream(options.mayWait ? undefined : firstByteWaitMsMax);
}

function standardInputKind(): "none" | "file" | "stream" {
  try {
    const stats = fstatSync(0);
    if (stats.isFile()) return "file";
    return stats.isFIFO() || stats.isSocket() ? "stream" : "none";
  } catch {
    // The descriptor is closed: nothing was piped in.
    return "none";
  }
}

async function readStream(waitMs: number | undefined): Promise<PipedInput> {
  const { stdin } = process;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const { promise, resolve } = Promise.withResolvers<PipedInput>();
  const timer =
    waitMs === undefined ? undefined : setTimeout(() => resolve({ kind: "silent", waitedMs: waitMs }), waitMs);
  stdin.on("data", (chunk: Buffer) => {
    clearTimeout(timer);
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > inputBytesMax) resolve({ kind: "too-large" });
  });
  stdin.on("end", () => resolve(fromBytes(Buffer.concat(chunks))));
  // A broken pipe ends the input like a closed one; what arrived before counts.
  stdin.on("error", () => resolve(fromBytes(Buffer.concat(chunks))));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stdin.removeAllListeners();
    stdin.destroy();
  }
}

function fromBytes(bytes: Buffer): PipedInput {
  if (bytes.length > inputBytesMax) return { kind: "too-large" };
  const text = bytes.toString("utf8");
  return text.trim() === "" ? { kind: "none" } : { kind: "text", text };
}
