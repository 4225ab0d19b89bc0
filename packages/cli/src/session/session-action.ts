/** What the actions of `kedge session` share: what they are given, and how they fail. */
import type { Client, Failure, SessionSummary } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { exitCodes } from "../exit-codes.ts";
import { failureText } from "../failure-text.ts";
import type { Started } from "../opening/start-kedge.ts";
import { writeDiagnostic } from "../output.ts";

/** What an action works with: the words after its name, and the session that the first of them means. */
export type SessionContext = {
  readonly started: Started;
  readonly flags: Flags;
  readonly session: SessionSummary;
  /** The words after the one that names the session. */
  readonly rest: readonly string[];
};

export type OneSession = (context: SessionContext) => Promise<number>;

export type ManySessions = (
  context: Pick<SessionContext, "started" | "flags"> & { readonly words: readonly string[] },
) => Promise<number>;

const sessionsMax = 100_000;

/** Of every project, with those that were put away. */
export async function allSessions(client: Client): Promise<readonly SessionSummary[]> {
  const archived = await client.sessions({ limit: sessionsMax, isArchived: true });
  return [...(await client.sessions({ limit: sessionsMax })), ...archived];
}

export function failed(failure: Failure, exitCode: number = exitCodes.error): number {
  writeDiagnostic(failureText(failure));
  return exitCode;
}
