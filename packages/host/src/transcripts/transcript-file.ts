/** The transcript as a file for other programs: written whole or not at all, and readable by the user alone. */
import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { exportSession } from "./export-session.ts";
import type { ExportOptions, ExportSource } from "./export-source.ts";

/** Replaces an older one. Throws what the file system throws, and then leaves nothing half-written behind. */
export async function writeTranscriptFile(
  path: string,
  source: ExportSource,
  { redact }: Pick<ExportOptions, "redact">,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(unfinished, "wx", 0o600);
    try {
      for await (const piece of exportSession(source, { format: "jsonl", redact })) await file.appendFile(piece);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
