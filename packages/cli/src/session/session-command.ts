/** `kedge session …`: looks at stored sessions, changes what they are called, copies and removes them. No model. */
import type { SessionAction } from "../arguments/arguments.ts";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { findSession } from "../opening/find-session.ts";
import { startKedge } from "../opening/start-kedge.ts";
import { readSurroundings } from "../opening/surroundings.ts";
import { writeNotice } from "../output.ts";
import { searchTexts } from "../texts/sessions.ts";
import { archiveSession, deleteSession, forkSession, labelEntry, renameSession } from "./change-session.ts";
import { exportSession } from "./export-session.ts";
import { importSession } from "./import-session.ts";
import { listSessions } from "./list-sessions.ts";
import { pruneSessions } from "./prune-sessions.ts";
import { replaySession } from "./replay-session.ts";
import { scrubSessions } from "./scrub-sessions.ts";
import { searchSessions } from "./search-sessions.ts";
import { failed, type ManySessions, type OneSession } from "./session-action.ts";
import { showSession } from "./show-session.ts";
import { showTree } from "./show-tree.ts";
import { verifySession } from "./verify-session.ts";

type Action =
  /** The first word names a session, or none does and it is the newest one of the directory. */
  | { readonly about: "one"; readonly wordsMax: number; readonly run: OneSession }
  | { readonly about: "many"; readonly wordsMax: number; readonly run: ManySessions };

const anyWords = Number.POSITIVE_INFINITY;

const actions: { readonly [Name in SessionAction]: Action } = {
  list: { about: "many", wordsMax: 0, run: listSessions },
  search: { about: "many", wordsMax: anyWords, run: searchSessions },
  show: { about: "one", wordsMax: 1, run: showSession },
  tree: { about: "one", wordsMax: 1, run: showTree },
  label: { about: "one", wordsMax: anyWords, run: labelEntry },
  fork: { about: "one", wordsMax: 2, run: forkSession },
  rename: { about: "one", wordsMax: anyWords, run: renameSession },
  archive: { about: "one", wordsMax: 1, run: archiveSession },
  delete: { about: "one", wordsMax: 1, run: deleteSession },
  export: { about: "one", wordsMax: 2, run: exportSession },
  import: { about: "many", wordsMax: 1, run: importSession },
  scrub: { about: "many", wordsMax: 1, run: scrubSessions },
  prune: { about: "many", wordsMax: 0, run: pruneSessions },
  replay: { about: "many", wordsMax: 1, run: replaySession },
  verify: { about: "many", wordsMax: 1, run: verifySession },
};

export async function runSessionCommand(
  { action: name, words }: { readonly action: SessionAction; readonly words: readonly string[] },
  flags: Flags,
): Promise<number> {
  const action = actions[name];
  const extra = words[action.wordsMax];
  if (extra !== undefined) {
    writeNotice(searchTexts.doesNotAccept(name, JSON.stringify(extra)));
    return exitCodes.usage;
  }
  const outcome = await startKedge(flags, readSurroundings(), { interactive: false, runsNothing: true });
  if (!outcome.ok) return failed(outcome.failure, outcome.isUsage ? exitCodes.usage : exitCodes.error);
  const { started } = outcome;
  try {
    if (action.about === "many") return await action.run({ started, flags, words });
    const [target, ...rest] = words;
    const isNewest = target === undefined || target === "last";
    const choice = isNewest ? ({ kind: "newest" } as const) : ({ kind: "named", name: target } as const);
    const found = await findSession(started.kedge.client, choice, started.cwd);
    if (!found.ok) return failed(found.failure);
    return await action.run({ started, flags, session: found.session, rest });
  } finally {
    await started.kedge.close();
  }
}
