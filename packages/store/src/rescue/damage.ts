/** Tells damage of the database file from every other trouble. */
import type { DatabaseSync } from "node:sqlite";

const corrupt = 11;
const noDatabase = 26;
/** Of SQLite's errors of reading the one that means: the file is shorter than it says. */
const shortRead = 522;
/** Our own mistakes, but also what the search table reports when its pages are damaged. */
const anyError = 1;

/** Extended result codes keep the primary one in their lowest byte. */
const primaryCodeMask = 0xff;

export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return false;
  return code === shortRead || [corrupt, noDatabase].includes(code & primaryCodeMask);
}

/** Like `isDamage`, and where the error alone does not tell, the whole database is read to find out. */
export function isDamageOf(database: DatabaseSync, error: unknown): boolean {
  return isDamage(error) || (codeOf(error) === anyError && !isSound(database));
}

function isSound(database: DatabaseSync): boolean {
  try {
    return database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"] === "ok";
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined;
}
