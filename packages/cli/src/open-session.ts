/** Finds or makes the session that a run belongs to. */
import type { Client, Failure, PermissionMode, SessionSummary } from "@kedge/protocol";
import type { Flags } from "./flags.ts";

export type SessionChoice =
  | { readonly kind: "new" }
  /** The newest session of the directory. */
  | { readonly kind: "newest" }
  | { readonly kind: "named"; readonly name: string };

export function sessionChoice(flags: Flags): SessionChoice {
  if (flags.resume !== undefined) return { kind: "named", name: flags.resume };
  return flags.continue ? { kind: "newest" } : { kind: "new" };
}

export type OpenedSession =
  | {
      readonly ok: true;
      readonly sessionId: string;
      readonly model: string;
      readonly interrupted: boolean;
      /** What the user should know about a session that was taken up. */
      readonly notice?: string;
    }
  | { readonly ok: false; readonly failure: Failure };

export type OpenOptions = {
  readonly choice: SessionChoice;
  readonly directory: string;
  readonly mode: PermissionMode;
  /** True when the user said which mode; a stored session otherwise keeps its own. */
  readonly isModeNamed: boolean;
  /** The model the user chose; a stored session otherwise keeps its own. */
  readonly model: string | undefined;
  readonly defaultModel: string | undefined;
};

/** Titles are searched among this many of the newest sessions. */
const searchedSessionsMax = 1_000;

export async function openSession(client: Client, options: OpenOptions): Promise<OpenedSession> {
  const { choice, directory, mode, isModeNamed, model, defaultModel } = options;
  if (choice.kind === "new") {
    const chosen = model ?? defaultModel ?? "";
    const created = await client.send<"session.create">({ type: "session.create", mode, model: chosen });
    if (!created.ok) return created;
    return { ok: true, sessionId: created.value.sessionId, model: chosen, interrupted: false };
  }
  const found = await findSession(client, choice, directory);
  if (!found.ok) return found;
  // A session that was started without a model takes the one that is configured by now.
  const wanted = model ?? (found.session.model === "" ? defaultModel : undefined);
  const resumed = await client.send<"session.resume">({
    type: "session.resume",
    sessionId: found.session.sessionId,
    ...(isModeNamed && { mode }),
    ...(wanted !== undefined && { model: wanted }),
  });
  if (!resumed.ok) return resumed;
  return { ok: true, ...resumed.value, model: wanted ?? found.session.model };
}

export type FoundSession =
  | { readonly ok: true; readonly session: SessionSummary }
  | { readonly ok: false; readonly failure: Failure };

export async function findSession(
  client: Client,
  choice: Exclude<SessionChoice, { kind: "new" }>,
  directory: string,
): Promise<FoundSession> {
  if (choice.kind === "newest") {
    const [newest] = await client.sessions({ directory, limit: 1 });
    return newest === undefined
      ? missing(`There is no session in ${directory} yet.`, "Start one with kedge -p and a prompt.")
      : { ok: true, session: newest };
  }
  // What was put away is still there for whoever names it.
  const archived = await client.sessions({ limit: searchedSessionsMax, isArchived: true });
  const sessions = [...(await client.sessions({ limit: searchedSessionsMax })), ...archived];
  const wanted = choice.name.toLowerCase();
  const exact = sessions.find(({ sessionId, title }) => sessionId === choice.name || title.toLowerCase() === wanted);
  if (exact !== undefined) return { ok: true, session: exact };
  const partial = sessions.filter(
    ({ sessionId, title }) => sessionId.startsWith(choice.name) || title.toLowerCase().includes(wanted),
  );
  const [only] = partial;
  if (only === undefined) return missing(`No session is called ${JSON.stringify(choice.name)}.`, listHint);
  if (partial.length > 1) {
    return missing(`${partial.length} sessions match ${JSON.stringify(choice.name)}.`, `Give the id. ${listHint}`);
  }
  return { ok: true, session: only };
}

const listHint = "kedge session list shows them.";

function missing(message: string, recovery: string): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { code: "not_found", message, recovery, retryable: false } };
}
