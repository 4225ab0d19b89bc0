/** Reads a file that a definition names, so that a prompt can show it: only what may be read unasked. */
import { readFileSync, statSync } from "node:fs";
import type { ReadRights } from "@kedge/protocol";

const bytesMax = 200 * 1024;

export type ShownFileParts = { readonly reading: ReadRights; readonly redact: (text: string) => string };

/** Undefined for what is missing, large, not a text, or would need an answer. */
export function readShownFile(path: string, { reading, redact }: ShownFileParts): string | undefined {
  if (reading.of(path).answer !== "allow") return undefined;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > bytesMax) return undefined;
    const text = readFileSync(path, "utf8");
    return text.includes("\0") ? undefined : redact(text);
  } catch {
    // The prompt names it, and the model hears from its own call why it cannot be read.
    return undefined;
  }
}
