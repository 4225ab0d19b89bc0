/** Goes over to another session by what the user calls it: its id, the beginning of it, its title or a part of that. */

import type { SessionFilter, SessionSummary } from "@kedge/protocol";
import { cleanLine } from "../screen/clean-text.ts";
import { sessionNoticeTexts } from "../texts/commands.ts";
import type { ArgumentContext, CommandContext } from "./command-context.ts";

/** As many as anybody would search through by a name. */
const searchedSessionsMax = 1_000;
const offeredTitlesMax = 200;

/** Several that fit are shown to choose from. */
export async function resumeSession(argument: string, context: CommandContext): Promise<void> {
  const { client, notice, open } = context;
  if (argument === "") return open("sessions");
  const sessions = await client.sessions({ ...placeOf(context), limit: searchedSessionsMax });
  // What was put away is still there for whoever names it.
  const archived = await client.sessions({ ...placeOf(context), limit: searchedSessionsMax, isArchived: true });
  const found = sessionsNamed(argument, [...sessions, ...archived]);
  const [only] = found;
  if (only === undefined) {
    notice("warning", sessionNoticeTexts.notFound(JSON.stringify(argument)));
    return;
  }
  if (found.length > 1) return open("sessions", argument);
  if (only.sessionId === context.state().session?.id) {
    notice("info", sessionNoticeTexts.alreadyOpen);
    return;
  }
  await context.desk.switchTo(only.sessionId);
}

/** All that are called exactly so, or else all that could be meant. */
export function sessionsNamed(name: string, sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  const wanted = name.toLowerCase();
  const byId = sessions.filter(({ sessionId }) => sessionId === name);
  const byTitle = sessions.filter(({ title }) => cleanLine(title).toLowerCase() === wanted);
  const partly = sessions.filter(
    ({ sessionId, title }) => sessionId.startsWith(name) || cleanLine(title).toLowerCase().includes(wanted),
  );
  return [byId, byTitle].find((some) => some.length > 0) ?? partly;
}

export async function sessionTitles(context: ArgumentContext, signal: AbortSignal): Promise<readonly string[]> {
  const sessions = await context.client.sessions({ ...placeOf(context), limit: offeredTitlesMax }, { signal });
  const current = context.state().session?.id;
  const others = sessions.filter(({ sessionId }) => sessionId !== current);
  return [...new Set(others.map(({ title }) => cleanLine(title)).filter((title) => title !== ""))];
}

/** Those of this project; before the first session only the directory is known. */
function placeOf({ state }: ArgumentContext): Pick<SessionFilter, "projectId" | "directory"> {
  const { session, directory } = state();
  return session === undefined ? { directory } : { projectId: session.projectId };
}
