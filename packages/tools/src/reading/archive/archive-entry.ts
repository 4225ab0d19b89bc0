/** What tar and zip archives have in common: entries under safe names, and the limits of what is taken out of them. */

export type ArchiveEntry = {
  /** Without `./` before it and without a slash behind it. */
  readonly name: string;
  readonly kind: "file" | "directory" | "other";
  readonly sizeBytes: number;
};

export type Archive<Entry extends ArchiveEntry = ArchiveEntry> = {
  readonly entries: readonly Entry[];
  /** Entries whose names lead out of the archive; they are never shown. */
  readonly unsafeCount: number;
  load(entry: Entry): Promise<Buffer>;
};

/** An archive that cannot be read as it is. The message is a sentence for the model. */
export class ArchiveProblem extends Error {}

export const archiveBytesMax = 256 * 1_024 * 1_024;
export const memberBytesMax = 64 * 1_024 * 1_024;
/** More of them are not held in memory at once. */
export const entriesMax = 100_000;
const expansionMax = 100;
/** Short texts of one repeated word grow more than a hundredfold, and do no harm. */
const harmlessBytes = 1_024 * 1_024;

/** Passes chunks on until more came out than an honest archive of that size holds. */
export async function* withinExpansion(
  chunks: AsyncIterable<Buffer>,
  packedBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const bytesMax = Math.max(harmlessBytes, packedBytes * expansionMax);
  let bytes = 0;
  for await (const chunk of chunks) {
    if (signal.aborted) throw new ArchiveProblem("Reading was interrupted.");
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new ArchiveProblem(`It expands to more than ${expansionMax} times its size, so reading was stopped.`);
    yield chunk;
  }
}

/** Undefined for a name that is absolute, empty, or leads upwards. */
export function safeName(name: string): string | undefined {
  if (/^(?:[/\\]|[A-Za-z]:[/\\])/.test(name)) return undefined;
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return parts.length === 0 || parts.some((part) => part.split("\\").includes("..")) ? undefined : parts.join("/");
}

/** The root of an archive made with `tar .` is no entry that anybody wants to see. */
export function isRootName(name: string): boolean {
  return /^(?:\.?\/?)$/.test(name);
}
