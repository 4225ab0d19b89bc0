/** The present text of a file for a conversation that has forgotten it, with the hash by which edits know it. */
import { open } from "node:fs/promises";
import { hashContent } from "../file-content.ts";

/** Larger files would be shortened anyway, and are not worth the reading. */
const bytesMax = 256 * 1024;

/** Undefined when it is gone, too large, or no text. */
export async function fileForContext(
  path: string,
): Promise<{ readonly text: string; readonly contentHash: string } | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > bytesMax) return undefined;
    const bytes = await file.readFile();
    if (bytes.includes(0)) return undefined;
    return { text: bytes.toString("utf8"), contentHash: hashContent(bytes) };
  } finally {
    await file.close();
  }
}
