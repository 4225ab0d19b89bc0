/** `kedge session replay`: plays a recorded session, checks it, goes on from a fact, or gives it to another model. */
import { readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { childEnvironment, stripTerminalControls } from "@kedge/host";
import type { CheckReport, Divergence, RecordedTrees, SessionResult } from "@kedge/host/replay";
import type { Fact, FactOf, FactRecord, PermissionMode } from "@kedge/protocol";
import { factText } from "../console-view.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Flags } from "../flags.ts";
import { findSession, openSession } from "../open-session.ts";
import { writeDiagnostic, writeResult } from "../output.ts";
import { runPrompt } from "../run-prompt.ts";
import { version } from "../start/build-facts.ts";
import { type Started, startKedge } from "../start-kedge.ts";
import { readSurroundings } from "../surroundings.ts";
import { type Column, countText, tableText, usdText } from "../text-table.ts";
import { failed, type ManySessions } from "./session-action.ts";

/** A larger file is no session that anybody had. */
const fileBytesMax = 200 * 1024 * 1024;

type Source = {
  readonly records: readonly FactRecord[];
  /** The first record that is not as it was written. */
  readonly damage?: Divergence;
  readonly isRedacted: boolean;
};

type Found = { readonly ok: true; readonly source: Source } | { readonly ok: false; readonly exitCode: number };

type Context = Parameters<ManySessions>[0];

export const replaySession: ManySessions = async (context) => {
  const { flags } = context;
  const found = await findSource(context);
  if (!found.ok) return found.exitCode;
  const { source } = found;
  if (flags.check) return check(source, context);
  const last = source.records.at(-1)?.seq ?? 0;
  if (flags.until !== undefined && flags.until > last) {
    writeDiagnostic(`kedge: The session has ${last} facts; --until must be at most that.`);
    return exitCodes.usage;
  }
  if (flags.view || (flags.until === undefined && flags.model === undefined)) return playRecord(source.records, flags);
  const trees = source.isRedacted ? {} : await treesOf(source.records);
  if (flags.model !== undefined) return rerunPrompts(source.records, flags.model, { flags, trees });
  return goOnFrom(source.records.slice(0, flags.until), trees, context);
};

/** A file when there is one of that name, otherwise a session of this store. */
async function findSource({ started, words: [target] }: Context): Promise<Found> {
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

async function readFile(path: string, sizeBytes: number): Promise<Found> {
  if (sizeBytes > fileBytesMax) return refused(`${path} is larger than ${fileBytesMax / 1024 / 1024} MB.`);
  const { readRecord } = await import("@kedge/host/replay");
  const read = readRecord(readFileSync(path, "utf8"));
  return read.ok ? { ok: true, source: read } : refused(read.sentence);
}

function refused(sentence: string): Found {
  writeDiagnostic(`kedge: ${sentence}`);
  return { ok: false, exitCode: exitCodes.error };
}

function damageOf({ seq, what }: { readonly seq: number; readonly what: string }): Divergence {
  const sentence = `The record was changed after it was written: ${what}.`;
  return { seq, kind: "record", what: sentence, expected: "the record as written", got: what };
}

async function treesOf(records: readonly FactRecord[]): Promise<RecordedTrees> {
  const { openRecordedTrees } = await import("@kedge/host/replay");
  const created = records[0]?.fact;
  const { environment, userDirectory } = readSurroundings();
  const directory = created?.type === "session.created" ? created.directory : "";
  return openRecordedTrees({ directory, environment, userDirectory });
}

async function check({ records, damage, isRedacted }: Source, { started, flags }: Context): Promise<number> {
  const { checkSession, createReplayTools } = await import("@kedge/host/replay");
  const { environment } = readSurroundings();
  const { tools: settings, edit: editChoice } = started.configuration;
  const parts = { settings, environment: () => childEnvironment(environment, { scrub: true }) };
  const report: CheckReport =
    damage === undefined
      ? await checkSession(records, {
          temporaryDirectory: tmpdir(),
          newTools: (place) => createReplayTools(parts, place),
          editChoice,
          // Where secrets were taken out, a tool that runs again would give another text.
          ...(isRedacted ? {} : await treesOf(records)),
        })
      : damaged(records, damage);
  if (flags.json) writeResult(`${JSON.stringify(report)}\n`);
  else writeResult(`${reportText(report)}\n`);
  return report.divergence === undefined ? exitCodes.success : exitCodes.error;
}

function damaged(records: readonly FactRecord[], divergence: Divergence): CheckReport {
  const counts = { requestsCompared: 0, outcomesRunAgain: 0, outcomesFromRecord: 0 };
  return { sessionId: records[0]?.sessionId ?? "", records: records.length, ...counts, divergence };
}

function reportText(report: CheckReport): string {
  const { sessionId, requestsCompared, outcomesRunAgain, outcomesFromRecord, divergence, notReplayable } = report;
  const counts = `${requestsCompared} requests compared, ${outcomesRunAgain} tool outcomes run again, ${outcomesFromRecord} taken from the record`;
  const rest =
    notReplayable === undefined ? "" : `\nNot replayable from fact ${notReplayable.seq} on: ${notReplayable.why}.`;
  if (divergence === undefined) return `${sessionId}: runs as recorded; ${counts}.${rest}`;
  const { seq, what, expected, got } = divergence;
  return `${sessionId}: parts from its record at fact ${seq}. ${what}\n  recorded  ${JSON.stringify(expected)}\n  replayed  ${JSON.stringify(got)}\nUntil then: ${counts}.${rest}`;
}

async function goOnFrom(
  records: readonly FactRecord[],
  trees: RecordedTrees,
  { started, flags }: Context,
): Promise<number> {
  const { openSessionUntil } = await import("@kedge/host/replay");
  const opened = await openSessionUntil(records, {
    store: started.kedge.store,
    kedgeVersion: version,
    now: () => Date.now(),
    temporaryDirectory: tmpdir(),
    ...trees,
  });
  if (!opened.ok) return failed(opened.failure);
  const { sessionId, directory, hasFiles } = opened;
  if (flags.json) {
    writeResult(`${JSON.stringify({ sessionId, directory, hasFiles })}\n`);
    return exitCodes.success;
  }
  writeResult(`${sessionId}\n${directory}\n`);
  if (!hasFiles) writeDiagnostic("The files of that time are not known here, so the directory is empty.");
  writeDiagnostic(`Go on there with: cd ${directory} && kedge --resume ${sessionId}`);
  return exitCodes.success;
}

/** Nobody wants to sit through the night between two prompts. */
const pauseMsMax = 5_000;

/** All at once unless a person looks on. */
async function playRecord(
  records: readonly FactRecord[],
  { until, speed, json }: Pick<Flags, "until" | "speed" | "json">,
): Promise<number> {
  const pace = speed ?? (process.stdout.isTTY === true ? 1 : 0);
  let time = records[0]?.time ?? 0;
  for (const record of records.slice(0, until)) {
    const { fact } = record;
    const said = fact.type === "prompt.admitted" ? `> ${stripTerminalControls(fact.text)}\n` : factText(fact);
    const text = json ? `${JSON.stringify(record)}\n` : said;
    if (text === "") continue;
    if (pace > 0) await wait(Math.min(pauseMsMax, Math.max(0, record.time - time) / pace));
    time = record.time;
    if (writeResult(text) === "reader-gone") break;
  }
  return exitCodes.success;
}

type Rerun = { readonly flags: Flags; readonly trees: RecordedTrees };

async function rerunPrompts(records: readonly FactRecord[], model: string, { flags, trees }: Rerun): Promise<number> {
  const { firstTree, makeWorktree, resultOfSession } = await import("@kedge/host/replay");
  const recorded = records.map(({ fact }) => fact);
  const prompts = recorded.filter((fact) => fact.type === "prompt.admitted");
  const { directory, hasFiles } = await makeWorktree(firstTree(records), { temporaryDirectory: tmpdir(), ...trees });
  if (!hasFiles)
    writeDiagnostic("The files of that time are not known here, so the model begins in an empty directory.");
  const permissionMode = cappedMode(flags.permissionMode ?? modeOf(recorded));
  const { skipPermissions: _, ...kept } = flags;
  const outcome = await startKedge(
    { ...kept, model, permissionMode },
    { ...readSurroundings(), cwd: directory },
    { interactive: false },
  );
  if (!outcome.ok) return failed(outcome.failure, outcome.isUsage ? exitCodes.usage : exitCodes.error);
  const { started } = outcome;
  try {
    const choice = {
      choice: { kind: "new" },
      directory,
      mode: started.mode,
      isModeNamed: true,
      model,
      defaultModel: undefined,
    } as const;
    const opened = await openSession(started.kedge.client, choice);
    if (!opened.ok) return failed(opened.failure);
    const facts = await runAll(prompts, opened.sessionId, started);
    const results = [resultOfSession(recorded), resultOfSession(facts)] as const;
    if (flags.json) {
      const { sessionId } = opened;
      writeResult(`${JSON.stringify({ sessionId, directory, recorded: results[0], rerun: results[1] })}\n`);
    } else {
      writeResult(tableText(columns, rowsOf(results)));
      writeDiagnostic(`The files are in ${directory}, the session is ${opened.sessionId}.`);
    }
    return exitCodes.success;
  } finally {
    await started.kedge.close();
  }
}

/** One after the other, whatever was said in between then: another model is at another place by that time. */
async function runAll(
  prompts: readonly FactOf<"prompt.admitted">[],
  sessionId: string,
  { kedge, runOptions: options }: Started,
): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for (const { text: prompt, attachments = [] } of prompts) {
    const { reason } = await runPrompt(kedge, {
      ...{ sessionId, prompt, attachments, options },
      onFact: ({ fact }) => facts.push(fact),
      onNotice: (text) => writeDiagnostic(`kedge: ${text}`),
      onRetry: () => {},
    });
    if (reason !== "completed") break;
  }
  return facts;
}

function modeOf(facts: readonly Fact[]): PermissionMode {
  const created = facts.find((fact) => fact.type === "session.created");
  return created?.mode ?? "default";
}

/** Nobody looks on, so nothing is let through beyond edits of files. */
function cappedMode(mode: PermissionMode): PermissionMode {
  return mode === "auto" || mode === "bypass" ? "accept-edits" : mode;
}

type Row = { readonly what: string; readonly recorded: string; readonly rerun: string };

const columns: readonly Column<Row>[] = [
  { title: "", align: "left", text: ({ what }) => what },
  { title: "recorded", align: "right", text: ({ recorded }) => recorded },
  { title: "now", align: "right", text: ({ rerun }) => rerun },
];

function rowsOf([recorded, rerun]: readonly [SessionResult, SessionResult]): readonly Row[] {
  const row = (what: string, text: (result: SessionResult) => string): Row => ({
    what,
    recorded: text(recorded),
    rerun: text(rerun),
  });
  return [
    row("model", ({ model }) => model),
    row("turns", ({ turns }) => countText(turns)),
    row("tokens", ({ tokens }) => countText(tokens)),
    row("cost", ({ usd, isEstimated: estimated }) => usdText({ usd, estimated })),
    row("files changed", ({ filesChanged }) => countText(filesChanged)),
    row("ends", ({ ends }) => ends.join(", ")),
  ];
}
