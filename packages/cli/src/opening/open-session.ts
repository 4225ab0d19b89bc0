/** Finds or makes the session that a run belongs to. */
import type { Client, Failure, PermissionMode } from "@kedge/protocol";
import type { Flags } from "../arguments/flags.ts";
import { type FoundSession, findSession, type SearchedSession } from "./find-session.ts";

export type SessionChoice = NewChoice | StoredChoice;

/** With an id where the user chose one. */
type NewChoice = { readonly kind: "new"; readonly sessionId?: string };

/** One that is there already, or whichever the user points at. With `fork`, a copy of it is what is opened. */
type StoredChoice = (SearchedSession | { readonly kind: "asked" }) & { readonly fork?: true };

export function sessionChoice(flags: Flags): SessionChoice {
  const fork = flags.forkSession ? { fork: true as const } : {};
  if (flags.resume !== undefined) return { kind: "named", name: flags.resume, ...fork };
  if (flags.pickSession) return { kind: "asked", ...fork };
  if (flags.continue) return { kind: "newest", ...fork };
  return { kind: "new", ...(flags.sessionId !== undefined && { sessionId: flags.sessionId }) };
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

export async function openSession(client: Client, options: OpenOptions): Promise<OpenedSession> {
  const { choice, directory, mode, isModeNamed, model, defaultModel } = options;
  if (choice.kind === "new") {
    const chosen = model ?? defaultModel ?? "";
    const { sessionId } = choice;
    const created = await client.send<"session.create">({
      ...{ type: "session.create", mode, model: chosen },
      ...(sessionId !== undefined && { sessionId }),
    });
    if (!created.ok) return created;
    return { ok: true, sessionId: created.value.sessionId, model: chosen, interrupted: false };
  }
  const found = await takenUp(client, choice, directory);
  if (!found.ok) return found;
  const taken = choice.fork ? await forkOf(client, found.session.sessionId) : found.session;
  if ("failure" in taken) return { ok: false, failure: taken.failure };
  const { sessionId } = taken;
  // A session that was started without a model takes the one that is configured by now.
  const wanted = model ?? (found.session.model === "" ? defaultModel : undefined);
  const resumed = await client.send<"session.resume">({
    type: "session.resume",
    sessionId,
    ...(isModeNamed && { mode }),
    ...(wanted !== undefined && { model: wanted }),
  });
  if (!resumed.ok) return resumed;
  return { ok: true, ...resumed.value, model: wanted ?? found.session.model };
}

async function takenUp(client: Client, choice: StoredChoice, directory: string): Promise<FoundSession> {
  if (choice.kind !== "asked") return findSession(client, choice, directory);
  const { askForSession } = await import("./ask-for-session.ts");
  return askForSession(client, directory);
}

async function forkOf(
  client: Client,
  sessionId: string,
): Promise<{ readonly sessionId: string } | { readonly failure: Failure }> {
  const forked = await client.send<"session.fork">({ type: "session.fork", sessionId });
  return forked.ok ? forked.value : { failure: forked.failure };
}
