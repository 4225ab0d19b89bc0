/** Writes a file that the user asked for, never over another one. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, parse, resolve } from "node:path";
import { exportTexts } from "../texts/work.ts";

export type WrittenExport = { readonly ok: boolean; readonly sentence: string };

export function writeExport(directory: string, path: string, text: string): WrittenExport {
  const file = resolve(directory, path);
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    return { ok: true, sentence: exportTexts.saved(file) };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const why = error.code === "EEXIST" ? exportTexts.exists : error.message;
    return { ok: false, sentence: exportTexts.notWritten(file, why) };
  }
}

/** Outside every project, so that it is never committed; a later report of one session has a number of its own. */
export function writeReport(home: string, name: string, text: string): WrittenExport {
  const directory = join(home, "reports");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return { ok: false, sentence: exportTexts.directoryFailed(directory, error.message) };
  }
  const { name: stem, ext } = parse(name);
  let free = name;
  for (let number = 2; existsSync(join(directory, free)); number += 1) free = `${stem}-${number}${ext}`;
  return writeExport(directory, free, text);
}
