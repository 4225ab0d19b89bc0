/** `kedge session scrub`: takes secrets out of stored sessions; without `--yes` it only says where there are some. */

import type { Scrubbed } from "@kedge/host";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import { findSession } from "../opening/find-session.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { scrubTexts } from "../texts/sessions.ts";
import { allSessions, failed, type ManySessions } from "./session-action.ts";

/** One session, or with `--all` every one of every project. */
export const scrubSessions: ManySessions = async ({ started, flags, words: [target] }) => {
  const { client, retention } = started.kedge;
  if (flags.all && target !== undefined) {
    writeNotice(scrubTexts.sessionOrAll);
    return exitCodes.usage;
  }
  const isNewest = target === undefined || target === "last";
  const choice = isNewest ? ({ kind: "newest" } as const) : ({ kind: "named", name: target } as const);
  const found = flags.all ? undefined : await findSession(client, choice, started.cwd);
  if (found?.ok === false) return failed(found.failure);
  const sessions = found === undefined ? await allSessions(client) : [found.session];
  const isDryRun = flags.yes !== true || flags.dryRun === true;
  const scrubbed = await retention.scrub(
    sessions.map(({ sessionId }) => sessionId),
    { isDryRun },
  );
  const refusals = scrubbed.filter((one) => !one.ok);
  for (const { failure } of refusals) writeDiagnostic(failureText(failure));
  const changed = scrubbed.filter((one) => one.ok && one.contents + one.files > 0);
  const code = refusals.length === 0 ? exitCodes.success : exitCodes.error;
  if (flags.json) {
    const list = changed.flatMap((one) => (one.ok ? countOf(one) : []));
    writeResult(`${JSON.stringify({ isDryRun, looked: sessions.length, changed: list })}\n`);
    return code;
  }
  for (const one of changed) writeResult(lineOf(one, isDryRun));
  if (changed.length === 0 && refusals.length === 0) writeResult(scrubTexts.noSecrets);
  else if (isDryRun && changed.length > 0) writeDiagnostic(scrubTexts.nothingChanged);
  return code;
};

function countOf({ sessionId, contents, files }: Extract<Scrubbed, { ok: true }>) {
  return { sessionId, contents, files };
}

function lineOf(one: Scrubbed, isDryRun: boolean): string {
  if (!one.ok) return "";
  const { sessionId, contents, files } = one;
  const places = scrubTexts.places(contents, files);
  return isDryRun ? scrubTexts.found(sessionId, places) : scrubTexts.removed(sessionId, places);
}
