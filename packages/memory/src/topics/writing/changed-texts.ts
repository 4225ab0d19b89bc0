/** The texts of a memory directory, and what is known about them, after files were changed. */
import { type Ledger, type LedgerEntry, ledgerText } from "../contents/ledger.ts";
import type { FileSet } from "../directory/file-set.ts";
import { ledgerFile } from "../directory/store-files.ts";

export function ledgerWith(ledger: Ledger, entries: ReadonlyMap<string, LedgerEntry | null>): Ledger {
  const next = new Map(ledger);
  for (const [path, entry] of entries) {
    if (entry === null) next.delete(path);
    else next.set(path, entry);
  }
  return next;
}

export function textsWith(
  before: FileSet["texts"],
  files: ReadonlyMap<string, string | null>,
  ledger: Ledger,
): FileSet["texts"] {
  const texts = new Map(before);
  for (const [path, text] of files) {
    if (text === null) texts.delete(path);
    else texts.set(path, text);
  }
  return texts.set(ledgerFile, ledgerText(ledger));
}
