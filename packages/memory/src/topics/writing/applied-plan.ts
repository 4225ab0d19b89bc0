/** What the files are after a plan, before anything of it is on the disk: later plans of the same change begin there. */
import { readContents } from "../contents/contents.ts";
import type { LedgerEntry } from "../contents/ledger.ts";
import { ledgerWith, textsWith } from "./changed-texts.ts";
import type { Plan, Undoable } from "./memory-writer.ts";

export type Drafted = Pick<Plan<unknown>, "files" | "entries">;

export function applied(found: Undoable, { files, entries }: Drafted, clean: (text: string) => string): Undoable {
  const { contents, texts, records } = found;
  const next = textsWith(texts, files, ledgerWith(contents.ledger, entries));
  return { records, texts: next, contents: readContents({ texts: next, unreadable: contents.unreadable }, clean) };
}

/** One change for several plans, each made on what those before it leave. */
export function planInTurn<Step, Result>(
  found: Undoable,
  steps: readonly Step[],
  {
    plan,
    clean,
  }: { readonly plan: (now: Undoable, step: Step) => Plan<Result>; readonly clean: (text: string) => string },
): Drafted & { readonly results: readonly Result[] } {
  const files = new Map<string, string | null>();
  const entries = new Map<string, LedgerEntry | null>();
  const results: Result[] = [];
  let now = found;
  for (const step of steps) {
    const planned = plan(now, step);
    for (const [path, text] of planned.files) files.set(path, text);
    for (const [path, entry] of planned.entries) entries.set(path, entry);
    results.push(planned.result);
    now = applied(now, planned, clean);
  }
  return { files, entries, results };
}
