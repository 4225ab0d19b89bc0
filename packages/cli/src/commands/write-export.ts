/** Writes a file that the user asked for, never over another one. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";

export type WrittenExport = { readonly ok: boolean; readonly sentence: string };

export function writeExport(directory: string, path: string, text: string): WrittenExport {
  const file = resolve(directory, path);
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    return { ok: true, sentence: `Saved to ${file}.` };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const why = error.code === "EEXIST" ? "it already exists. Choose another name" : error.message;
    return { ok: false, sentence: `Could not write ${file}: ${why}.` };
  }
}
