/** `--check`: runs the record again without a network, and says where it parts. */
import { tmpdir } from "node:os";
import { childEnvironment, createProcessTie, thisProcess } from "@kedge/host";
import type { CheckReport, Divergence } from "@kedge/host/replay";
import type { FactRecord } from "@kedge/protocol";
import { exitCodes } from "../../exit-codes.ts";
import { readSurroundings } from "../../opening/surroundings.ts";
import { writeResult } from "../../output.ts";
import { checkTexts } from "../../texts/sessions.ts";
import { type ReplayContext, type Source, treesOf } from "./find-source.ts";

export async function checkRecord(source: Source, { started, flags }: ReplayContext): Promise<number> {
  const { records, damage } = source;
  const { checkSession, createReplayTools } = await import("@kedge/host/replay");
  const { environment } = readSurroundings();
  const { tools: settings, edit: editChoice } = started.configuration;
  const tie = createProcessTie(thisProcess());
  const parts = { settings, environment: () => tie.environment(childEnvironment(environment, { scrub: true })) };
  const report: CheckReport =
    damage === undefined
      ? await checkSession(records, {
          temporaryDirectory: tmpdir(),
          newTools: (place) => createReplayTools(parts, place),
          editChoice,
          ...(await treesOf(source)),
        })
      : damaged(records, damage);
  writeResult(flags.json ? `${JSON.stringify(report)}\n` : `${reportText(report)}\n`);
  return report.divergence === undefined ? exitCodes.success : exitCodes.error;
}

function damaged(records: readonly FactRecord[], divergence: Divergence): CheckReport {
  const counts = { requestsCompared: 0, outcomesRunAgain: 0, outcomesFromRecord: 0 };
  return { sessionId: records[0]?.sessionId ?? "", records: records.length, ...counts, divergence };
}

function reportText(report: CheckReport): string {
  const { sessionId, requestsCompared, outcomesRunAgain, outcomesFromRecord, divergence, notReplayable } = report;
  const counts = checkTexts.counts(requestsCompared, outcomesRunAgain, outcomesFromRecord);
  const rest = notReplayable === undefined ? "" : checkTexts.notReplayable(notReplayable.seq, notReplayable.why);
  if (divergence === undefined) return checkTexts.matches(sessionId, counts, rest);
  const { seq, what, expected, got } = divergence;
  return [
    checkTexts.differs(sessionId, seq, what),
    checkTexts.recorded(JSON.stringify(expected)),
    checkTexts.replayed(JSON.stringify(got)),
    checkTexts.untilThen(counts, rest),
  ].join("\n");
}
