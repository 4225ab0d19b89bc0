/** The present text of a file for a conversation that has forgotten it, with the hash by which edits know it. */
import { closeSync, readFileSync } from "node:fs";
import { hashContent, openRegularFile } from "../file-content.ts";

/** Larger files would be shortened anyway, and are not worth the reading. */
const bytesMax = 256 * 1024;

/** Undefined when it is gone, too large, or no text. */
export async function fileForContext(
  path: string,
): Promise<{ readonly text: string; readonly contentHash: string } | undefined> {
  const opened = openRegularFile(path);
  if (opened.kind !== "file") return undefined;
  try {
    if (opened.sizeBytes > bytesMax) return undefined;
    const bytes = readFileSync(opened.descriptor);
    if (bytes.includes(0)) return undefined;
    return { text: bytes.toString("utf8"), contentHash: hashContent(bytes) };
  } finally {
    closeSync(opened.descriptor);
  }
}
