/** `kedge session verify`: whether the record of a session is as it was written. */
import type { VerifyReport } from "@kedge/protocol";
import { exitCodes } from "../exit-codes.ts";
import { findSession } from "../opening/find-session.ts";
import { writeNotice, writeResult } from "../output.ts";
import { verifyTexts } from "../texts/sessions.ts";
import { allSessions, failed, type ManySessions } from "./session-action.ts";

/** One session, or with `--all` every one of every project, with what is left of deleted ones. */
export const verifySession: ManySessions = async ({ started, flags, words: [target] }) => {
  const { client, store } = started.kedge;
  if (flags.all && target !== undefined) {
    writeNotice(verifyTexts.sessionOrAll);
    return exitCodes.usage;
  }
  const unlisted = await store.unlistedChains();
  if (flags.all) {
    const reports: VerifyReport[] = [];
    const listed = (await allSessions(client)).map(({ sessionId }) => sessionId);
    for (const sessionId of [...listed, ...unlisted]) {
      const report = await store.verify(sessionId);
      reports.push(report);
      if (!flags.json) writeResult(reportText(report));
    }
    if (flags.json) writeResult(`${JSON.stringify(reports)}\n`);
    return reports.every(({ valid }) => valid) ? exitCodes.success : exitCodes.error;
  }
  const isNewest = target === undefined || target === "last";
  const choice = isNewest ? ({ kind: "newest" } as const) : ({ kind: "named", name: target } as const);
  const isUnlisted = target !== undefined && unlisted.includes(target);
  const found = isUnlisted
    ? { ok: true as const, session: { sessionId: target } }
    : await findSession(client, choice, started.cwd);
  if (!found.ok) return failed(found.failure);
  const report = await store.verify(found.session.sessionId);
  writeResult(flags.json ? `${JSON.stringify(report)}\n` : reportText(report));
  return report.valid ? exitCodes.success : exitCodes.error;
};

function reportText(report: VerifyReport): string {
  const { sessionId, valid, records, payloadsRemoved, problem } = report;
  if (valid) {
    const removed = payloadsRemoved === 0 ? "" : verifyTexts.removed(payloadsRemoved);
    return verifyTexts.valid(sessionId, removed, records, signatureText(report));
  }
  const where = problem === undefined ? "" : verifyTexts.at(problem.seq, problem.what);
  return `${sessionId}: ${verdict(report)}${where}.\n`;
}

function signatureText({ signature, signedSeq, records }: VerifyReport): string {
  if (signature === undefined) return "";
  switch (signature) {
    case "valid":
      return signedSeq === records || signedSeq === undefined ? verifyTexts.signed : verifyTexts.signedUpTo(signedSeq);
    case "none":
      return verifyTexts.notSigned;
    case "unknown-key":
      return verifyTexts.unknownKey;
    // These are never valid.
    case "wrong":
    case "not-in-chain":
      return "";
  }
}

/** A crash can tear the end of a chain, and a disk can spoil a record. What was signed is undone by nobody unmeant. */
function verdict({ tampered, signature, truncated }: VerifyReport): string {
  if (tampered || signature === "wrong" || signature === "not-in-chain") return verifyTexts.tampered;
  return truncated ? verifyTexts.truncated : verifyTexts.broken;
}
