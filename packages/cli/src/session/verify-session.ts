/** `kedge session verify`: whether the record of a session is as it was written. */
import type { VerifyReport } from "@kedge/protocol";
import { exitCodes } from "../exit-codes.ts";
import { findSession } from "../open-session.ts";
import { writeDiagnostic, writeResult } from "../output.ts";
import { allSessions, failed, type ManySessions } from "./session-action.ts";

/** One session, or with `--all` every one of every project. */
export const verifySession: ManySessions = async ({ started, flags, words: [target] }) => {
  const { client } = started.kedge;
  if (flags.all && target !== undefined) {
    writeDiagnostic("kedge: kedge session verify takes a session or --all, not both.");
    return exitCodes.usage;
  }
  if (flags.all) {
    const reports: VerifyReport[] = [];
    for (const { sessionId } of await allSessions(client)) {
      const report = await client.verify(sessionId);
      reports.push(report);
      if (!flags.json) writeResult(reportText(report));
    }
    if (flags.json) writeResult(`${JSON.stringify(reports)}\n`);
    return reports.every(({ valid }) => valid) ? exitCodes.success : exitCodes.error;
  }
  const isNewest = target === undefined || target === "last";
  const choice = isNewest ? ({ kind: "newest" } as const) : ({ kind: "named", name: target } as const);
  const found = await findSession(client, choice, started.cwd);
  if (!found.ok) return failed(found.failure);
  const report = await client.verify(found.session.sessionId);
  writeResult(flags.json ? `${JSON.stringify(report)}\n` : reportText(report));
  return report.valid ? exitCodes.success : exitCodes.error;
};

function reportText({ sessionId, valid, records, payloadsRemoved, truncated, problem }: VerifyReport): string {
  if (valid) {
    const removed = payloadsRemoved === 0 ? "" : `, contents of ${payloadsRemoved} removed`;
    const torn = truncated ? ", the last one torn by a crash" : "";
    return `${sessionId}: the chain of ${records} records holds${removed}${torn}.\n`;
  }
  const where = problem === undefined ? "" : ` at record ${problem.seq}: ${problem.what}`;
  return `${sessionId}: the chain is broken${where}.\n`;
}
