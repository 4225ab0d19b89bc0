/** Commands on sessions that nobody needs to have open: copies of them, and what they are called. */
import {
  type AppendOutcome,
  type CommandAnswer,
  type CommandOf,
  emptySession,
  type Fact,
  type Failure,
  isKeptMode,
  type SessionState,
  wholePath,
} from "@kedge/protocol";
import type { HandoffRecord } from "../compaction/hand-over.ts";
import type { Journal } from "../journal.ts";
import type { EngineShared } from "../parts.ts";
import { closingFacts } from "./closing-facts.ts";
import { copyFacts } from "./fork.ts";

export interface StoredSessions {
  /** The copy is taken up like any other session. */
  fork(command: CommandOf<"session.fork">): Promise<CommandAnswer<"session.fork">>;
  /** Begins a session that goes on with the work of this one; it is taken up like any other. */
  succeed(state: SessionState, record: HandoffRecord): Promise<Succeeded>;
  update(command: CommandOf<"session.update">): Promise<CommandAnswer<"session.update">>;
  delete(command: CommandOf<"session.delete">): Promise<CommandAnswer<"session.delete">>;
}

type Succeeded = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly failure: Failure };

export type SessionDoor = {
  /** The journal of a session that is open here. */
  readonly open: (sessionId: string) => Journal | undefined;
  readonly journalOf: (sessionId: string) => Journal;
  readonly lease: (sessionId: string) => Promise<Failure | undefined>;
};

const titleCharactersMax = 200;

export function createStoredSessions(parts: EngineShared, { open, journalOf, lease }: SessionDoor): StoredSessions {
  const { store, holder } = parts;

  async function stateOf(sessionId: string): Promise<SessionState | undefined> {
    const journal = open(sessionId);
    if (journal !== undefined) return journal.state;
    if ((await store.session(sessionId)) === undefined) return undefined;
    const state = emptySession(sessionId);
    await store.fold(state);
    return state;
  }

  /** Writes to a session as its only writer, for a moment. */
  async function writing<Value>(
    sessionId: string,
    work: () => Promise<Value>,
  ): Promise<{ readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Failure }> {
    const busy = await lease(sessionId);
    if (busy !== undefined) return { ok: false, failure: busy };
    try {
      return { ok: true, value: await work() };
    } finally {
      await store.releaseLease(sessionId, holder.boot);
    }
  }

  return {
    async fork({ sessionId, entryId }) {
      const state = await stateOf(sessionId);
      if (state === undefined) return unknownSession(sessionId);
      const leafId = entryId ?? state.leaf;
      if (leafId !== undefined && !state.tree.has(leafId)) return unknownEntry(leafId);
      const { directory, projectId, model, title, cost } = state;
      const copies = await copyFacts(store.read(sessionId, 0), wholePath(state, leafId), parts.newId);
      const forkId = parts.newId("ses_");
      const created: Fact = {
        type: "session.created",
        directory,
        projectId,
        model,
        // Whoever takes it up chooses again.
        mode: "default",
        kedgeVersion: parts.kedgeVersion,
        boot: holder.boot,
        origin: { kind: "fork", sessionId, ...(leafId !== undefined && { leafId }), usd: cost.usd },
      };
      parts.resources.copyArtifacts?.(sessionId, forkId);
      const titled: Fact = { type: "session.updated", title: `${title} (fork)`, titleSource: "model" };
      const written = await writing(forkId, async () => {
        const journal = journalOf(forkId);
        await journal.emit(created, titled, ...copies);
        await journal.emit(...closingFacts(journal.state));
      });
      return written.ok ? { ok: true, value: { sessionId: forkId } } : written;
    },
    async succeed({ sessionId, directory, projectId, model, mode, title, leaf, cost }, record) {
      const successorId = parts.newId("ses_");
      const created: Fact = {
        type: "session.created",
        directory,
        projectId,
        model,
        mode: isKeptMode(mode) ? mode : "default",
        kedgeVersion: parts.kedgeVersion,
        boot: holder.boot,
        origin: { kind: "handoff", sessionId, ...(leaf !== undefined && { leafId: leaf }), usd: cost.usd },
      };
      parts.resources.copyArtifacts?.(sessionId, successorId);
      const titled: Fact = { type: "session.updated", title: `${title} (handoff)`, titleSource: "model" };
      const added: Fact = { type: "message.added", messageId: parts.newId("msg_"), kind: "handoff", ...record };
      const written = await writing(successorId, () => journalOf(successorId).emit(created, titled, added));
      return written.ok ? { ok: true, value: successorId } : written;
    },
    async update({ sessionId, title, isArchived }) {
      const name = title?.trim().slice(0, titleCharactersMax);
      const changed: Fact = {
        type: "session.updated",
        ...(name !== undefined && name !== "" && { title: name, titleSource: "user" }),
        ...(isArchived !== undefined && { isArchived }),
      };
      const journal = open(sessionId);
      if (journal !== undefined) {
        await journal.emit(changed);
        return { ok: true, value: {} };
      }
      if ((await store.session(sessionId)) === undefined) return unknownSession(sessionId);
      const written = await writing(sessionId, () =>
        store.append(sessionId, [changed], { boot: holder.boot, durable: true }),
      );
      return done(sessionId, written);
    },
    async delete({ sessionId }) {
      if (open(sessionId) !== undefined) return inUse(sessionId);
      if ((await store.session(sessionId)) === undefined) return unknownSession(sessionId);
      const deleted = await writing(sessionId, async () => {
        const outcome = await store.deleteSession(sessionId, { by: "user", boot: holder.boot });
        if (outcome.ok) await parts.sessionDeleted?.(sessionId);
        return outcome;
      });
      return done(sessionId, deleted);
    },
  };
}

type Written = { readonly ok: true; readonly value: AppendOutcome } | { readonly ok: false; readonly failure: Failure };

/** Another process may take the session over between the lease and the write. */
function done(sessionId: string, written: Written) {
  if (!written.ok) return written;
  if (written.value.ok) return { ok: true, value: {} } as const;
  const message = `Session ${sessionId} was taken over by another kedge process.`;
  const failure: Failure = {
    code: "session_busy",
    message,
    recovery: "Close the other process first.",
    retryable: true,
  };
  return { ok: false, failure } as const;
}

function inUse(sessionId: string): { readonly ok: false; readonly failure: Failure } {
  const message = `Session ${sessionId} is open in this process.`;
  return { ok: false, failure: { code: "session_busy", message, recovery: "Close it first.", retryable: false } };
}

export function unknownSession(sessionId: string): { readonly ok: false; readonly failure: Failure } {
  const message = `Session ${sessionId} not found.`;
  return {
    ok: false,
    failure: { code: "not_found", message, recovery: "List sessions with kedge session list.", retryable: false },
  };
}

export function unknownEntry(entryId: string): { readonly ok: false; readonly failure: Failure } {
  const message = `Entry ${entryId} not found in this session.`;
  return {
    ok: false,
    failure: { code: "not_found", message, recovery: "List entries with kedge session tree --all.", retryable: false },
  };
}
