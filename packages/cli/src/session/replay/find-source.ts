/** Finds the record that is to be replayed: in a file, or among the sessions of this store. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Divergence, RecordedTrees } from "@kedge/host/replay";
import type { FactRecord } from "@kedge/protocol";
import { exitCodes } from "../../exit-codes.ts";
import { findSession } from "../../opening/find-session.ts";
import { readSurroundings } from "../../opening/surroundings.ts";
import { writeNotice } from "../../output.ts";
import { replayTexts } from "../../texts/sessions.ts";
import { failed, type ManySessions } from "../session-action.ts";

/** A larger file is no session that anybody had. */
const fileBytesMax = 200 * 1024 * 1024;

export type ReplayContext = Parameters<ManySessions>[0];

export type Source = {
  readonly records: readonly FactRecord[];
  /** The first record that is not as it was written. */
  readonly damage?: Divergence;
  readonly isRedacted: boolean;
};

export type FoundSource =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly exitCode: number };

/** A file when there is one of that name, otherwise a session of this store. */
export async function findSource({ started, words: [target] }: ReplayContext): Promise<FoundSource> {
  const path = target === undefined ? undefined : resolve(started.cwd, target);
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path !== undefined && stats?.isFile()) return readFile(path, stats.size);
  const isNewest = target === undefined || target === "last";
  const choice = isNewest ? ({ kind: "newest" } as const) : ({ kind: "named", name: target } as const);
  const { client } = started.kedge;
  const session = await findSession(client, choice, started.cwd);
  if (!session.ok) return { ok: false, exitCode: failed(session.failure) };
  const { sessionId } = session.session;
  const { problem } = await client.verify(sessionId);
  const records: FactRecord[] = [];
  for await (const record of client.facts(sessionId)) records.push(record);
  return {
    ok: true,
    source: { records, isRedacted: false, ...(problem !== undefined && { damage: damageOf(problem) }) },
  };
}

async function readFile(path: string, sizeBytes: number): Promise<FoundSource> {
  if (sizeBytes > fileBytesMax) return refused(replayTexts.tooLarge(path, fileBytesMax / 1024 / 1024));
  const { readRecord } = await import("@kedge/host/replay");
  const read = readRecord(readFileSync(path, "utf8"));
  return read.ok ? { ok: true, source: read } : refused(read.sentence);
}

function refused(sentence: string): FoundSource {
  writeNotice(sentence);
  return { ok: false, exitCode: exitCodes.error };
}

function damageOf({ seq, what }: { readonly seq: number; readonly what: string }): Divergence {
  const sentence = replayTexts.changedLater(what);
  return { seq, kind: "record", what: sentence, expected: replayTexts.asWritten, got: what };
}

/** The files of its time; none where secrets were taken out of the record, because a tool would give another text. */
export async function treesOf({ records, isRedacted }: Source): Promise<RecordedTrees> {
  if (isRedacted) return {};
  const { openRecordedTrees } = await import("@kedge/host/replay");
  const created = records[0]?.fact;
  const { environment, userDirectory } = readSurroundings();
  const directory = created?.type === "session.created" ? created.directory : "";
  return openRecordedTrees({ directory, environment, userDirectory });
}
