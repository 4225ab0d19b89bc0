/** What can be changed about a session from outside: its name, its place in the list, copies, names of places, its end. */
import { exitCodes } from "../exit-codes.ts";
import { writeDiagnostic, writeNotice, writeResult } from "../output.ts";
import { changeTexts } from "../texts/sessions.ts";
import { failed, type OneSession } from "./session-action.ts";

export const renameSession: OneSession = async ({ started, session, rest }) => {
  const title = rest.join(" ").trim();
  if (title === "") return usage(changeTexts.renameNeeds);
  const { sessionId } = session;
  const answer = await started.kedge.client.send<"session.update">({ type: "session.update", sessionId, title });
  return answer.ok ? exitCodes.success : failed(answer.failure);
};

/** An archived one comes back with `--undo`. */
export const archiveSession: OneSession = async ({ started, flags, session }) => {
  const { sessionId } = session;
  const isArchived = flags.undo !== true;
  const answer = await started.kedge.client.send<"session.update">({ type: "session.update", sessionId, isArchived });
  return answer.ok ? exitCodes.success : failed(answer.failure);
};

export const forkSession: OneSession = async ({ started, flags, session, rest: [entryId] }) => {
  const { sessionId } = session;
  const place = entryId === undefined ? {} : { entryId };
  const answer = await started.kedge.client.send<"session.fork">({ type: "session.fork", sessionId, ...place });
  if (!answer.ok) return failed(answer.failure);
  const fork = answer.value.sessionId;
  writeResult(flags.json ? `${JSON.stringify({ sessionId: fork })}\n` : `${fork}\n`);
  if (!flags.json) writeDiagnostic(changeTexts.openIt(fork));
  return exitCodes.success;
};

/** Without a name the old one is taken away. */
export const labelEntry: OneSession = async ({ started, session, rest: [entryId, ...words] }) => {
  if (entryId === undefined) return usage(changeTexts.labelNeeds);
  const { client } = started.kedge;
  const { sessionId } = session;
  const resumed = await client.send<"session.resume">({ type: "session.resume", sessionId });
  if (!resumed.ok) return failed(resumed.failure);
  const label = words.join(" ");
  const answer = await client.send<"entry.label">({ type: "entry.label", sessionId, entryId, label });
  return answer.ok ? exitCodes.success : failed(answer.failure);
};

/** Nothing brings it back, so it needs `--yes`. */
export const deleteSession: OneSession = async ({ started, flags, session }) => {
  const { sessionId, title } = session;
  if (!flags.yes) {
    return usage(changeTexts.deletes(sessionId, title));
  }
  const answer = await started.kedge.client.send<"session.delete">({ type: "session.delete", sessionId });
  return answer.ok ? exitCodes.success : failed(answer.failure);
};

function usage(sentence: string): number {
  writeNotice(sentence);
  return exitCodes.usage;
}
