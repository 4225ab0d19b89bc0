/** The sessions that an editor has open, and those that are stored. */
import type {
  ClientCapabilities,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
} from "@agentclientprotocol/sdk";
import type { AcpPlace, AcpPlaces } from "./acp-place.ts";
import { type AcpSession, type AcpSessionParts, openAcpSession } from "./acp-session.ts";
import { editorServer } from "./editor-server.ts";
import { historyUpdates, readHistory } from "./history-updates.ts";
import { listStored } from "./list-stored.ts";
import { failureError, requestError, unknownSession } from "./request-error.ts";
import { planUpdate } from "./session-updates.ts";

export type AcpSessionsParts = {
  readonly places: AcpPlaces;
  readonly cwd: string;
  /** Known from the first request on. */
  readonly editor: () => AcpSessionParts["editor"];
  readonly capabilities: () => ClientCapabilities;
  readonly onNotice: (sentence: string) => void;
  readonly onProblem: (error: unknown) => void;
};

interface AcpSessions {
  create(request: NewSessionRequest, signIn: string): Promise<NewSessionResponse>;
  /** `isReplayed`: the editor is shown the whole conversation before the answer. */
  load(
    request: Pick<LoadSessionRequest, "sessionId" | "cwd" | "mcpServers"> | ResumeRequest,
    options: { readonly isReplayed: boolean },
  ): Promise<LoadSessionResponse>;
  list(request: ListSessionsRequest): Promise<ListSessionsResponse>;
  close(sessionId: string): Promise<Record<string, never>>;
  delete(sessionId: string): Promise<Record<string, never>>;
  /** Throws where the editor has no such session open. */
  find(sessionId: string): AcpSession;
  known(sessionId: string): AcpSession | undefined;
  /** Throws with this sentence unless some provider has a key. */
  requireKey(signIn: string): Promise<void>;
  leaveAll(): void;
}

type ResumeRequest = { readonly sessionId: string; readonly cwd: string; readonly mcpServers?: readonly unknown[] };

export function createAcpSessions(parts: AcpSessionsParts): AcpSessions {
  const { places, cwd, onNotice, onProblem } = parts;
  const open = new Map<string, AcpSession>();
  /** What is being taken up is in here, so that two requests at once take it up once. */
  const opening = new Map<string, Promise<AcpSession>>();

  function opened(session: Pick<AcpSessionParts, "sessionId" | "place" | "mode" | "model" | "lastSeq">): AcpSession {
    const { editor, capabilities } = { editor: parts.editor(), capabilities: parts.capabilities() };
    const made = openAcpSession({ ...session, editor, capabilities, onNotice, onProblem });
    open.set(session.sessionId, made);
    return made;
  }

  /** An editor learns from the answer that the session is there, and drops what comes before it. */
  function tellCommandsLater(session: AcpSession): void {
    setImmediate(() => session.tellCommands().catch(onProblem));
  }

  /** One that cannot be used is told of, and costs the others nothing. */
  async function useServers(mcpServers: readonly unknown[], sessionId: string, { client }: AcpPlace): Promise<void> {
    for (const { name, server } of mcpServers.map(editorServer)) {
      const added = await client.send<"mcp.add">({ type: "mcp.add", name, server, sessionId });
      if (!added.ok) onNotice(added.failure.message);
    }
  }

  async function resumed(sessionId: string, place: AcpPlace): Promise<AcpSession> {
    return opened({ sessionId, place, ...(await resumeStored(sessionId, place, onNotice)) });
  }

  async function resumedOnce(sessionId: string, place: AcpPlace): Promise<AcpSession> {
    const session = opening.get(sessionId) ?? resumed(sessionId, place);
    opening.set(sessionId, session);
    try {
      return await session;
    } finally {
      opening.delete(sessionId);
    }
  }

  /** Whoever was told that a model is missing comes back when one is there, and is not told the same again. */
  async function placeWithModel(directory: string): Promise<AcpPlace> {
    const place = await places.open(directory);
    const isInUse = [...open.values()].some((session) => session.place === place);
    return place.model === undefined && !isInUse ? places.reopen(place) : place;
  }

  function find(sessionId: string): AcpSession {
    const session = open.get(sessionId);
    if (session === undefined) throw unknownSession(sessionId);
    return session;
  }

  async function close(sessionId: string): Promise<Record<string, never>> {
    await find(sessionId).close();
    open.delete(sessionId);
    return {};
  }

  return {
    find,
    known: (sessionId) => open.get(sessionId),
    close,
    async create(request, signIn) {
      const place = await placeWithModel(request.cwd);
      const { client, mode, model } = place;
      if (model === undefined) throw requestError("authRequired", `No model is configured. ${signIn}`);
      const created = await client.send<"session.create">({ type: "session.create", mode, model });
      if (!created.ok) throw failureError(created.failure);
      const { sessionId } = created.value;
      await useServers(request.mcpServers, sessionId, place);
      const session = opened({ sessionId, place, mode, model, lastSeq: 0 });
      tellCommandsLater(session);
      return { sessionId, ...(await session.choices()) };
    },
    async load(request, { isReplayed }) {
      const { sessionId } = request;
      const place = await places.open(request.cwd);
      const session = open.get(sessionId) ?? (await resumedOnce(sessionId, place));
      await useServers(request.mcpServers ?? [], sessionId, place);
      if (isReplayed) await replay(sessionId, session);
      tellCommandsLater(session);
      return session.choices();
    },
    async list({ cwd: directory, cursor }) {
      const { client } = await places.open(directory ?? cwd);
      return listStored(client, { directory, cursor });
    },
    async delete(sessionId) {
      const place = open.get(sessionId)?.place ?? (await places.open(cwd));
      if (open.has(sessionId)) await close(sessionId);
      const deleted = await place.client.send<"session.delete">({ type: "session.delete", sessionId });
      if (deleted.ok) return {};
      throw deleted.failure.code === "not_found" ? unknownSession(sessionId) : failureError(deleted.failure);
    },
    async requireKey(signIn) {
      const { client, model } = await placeWithModel(cwd);
      const listed = await client.ask<"provider.list">({ type: "provider.list" });
      const hasKey = listed.ok && listed.value.providers.some((provider) => provider.hasKey);
      if (!hasKey || model === undefined) throw requestError("authRequired", signIn);
    },
    leaveAll() {
      for (const session of open.values()) session.leave();
      open.clear();
    },
  };
}

async function resumeStored(
  sessionId: string,
  { client, mode, isModeNamed }: AcpPlace,
  onNotice: (sentence: string) => void,
): Promise<Pick<AcpSessionParts, "mode" | "model" | "lastSeq">> {
  const answer = await client.send<"session.resume">({
    type: "session.resume",
    sessionId,
    ...(isModeNamed && { mode }),
  });
  if (!answer.ok) throw answer.failure.code === "not_found" ? unknownSession(sessionId) : failureError(answer.failure);
  if (answer.value.notice !== undefined) onNotice(answer.value.notice);
  const read = await client.ask<"session.read">({ type: "session.read", sessionId });
  if (!read.ok) throw failureError(read.failure);
  const { session, lastSeq } = read.value;
  return { mode: session.mode, model: session.model, lastSeq };
}

async function replay(sessionId: string, session: AcpSession): Promise<void> {
  const { client } = session.place;
  const read = await client.ask<"session.read">({ type: "session.read", sessionId });
  if (!read.ok) throw failureError(read.failure);
  const { directory, todos } = read.value.session;
  for (const message of await readHistory(client, sessionId)) {
    for (const update of historyUpdates(message, directory)) await session.send(update);
  }
  if (todos.length > 0) await session.send(planUpdate(todos));
}
