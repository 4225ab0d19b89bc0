/** `kedge session verify`: whether the record of a session is as it was written. */
import { exitCodes } from "../exit-codes.ts";
import { writeResult } from "../output.ts";
import type { OneSession } from "./session-action.ts";

export const verifySession: OneSession = async ({ started, flags, session }) => {
  const { sessionId } = session;
  const report = await started.kedge.client.verify(sessionId);
  const { valid, records, payloadsRemoved, truncated, problem } = report;
  if (flags.json) writeResult(`${JSON.stringify(report)}\n`);
  else if (valid) {
    const removed = payloadsRemoved === 0 ? "" : `, contents of ${payloadsRemoved} removed`;
    const torn = truncated ? ", the last one torn by a crash" : "";
    writeResult(`${sessionId}: the chain of ${records} records holds${removed}${torn}.\n`);
  } else {
    const where = problem === undefined ? "" : ` at record ${problem.seq}: ${problem.what}`;
    writeResult(`${sessionId}: the chain is broken${where}.\n`);
  }
  return valid ? exitCodes.success : exitCodes.error;
};
