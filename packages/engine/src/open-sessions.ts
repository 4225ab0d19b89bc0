/** The sessions that this engine has open: creates, resumes and closes them, each with the profile it was given. */
import {
  type CommandAnswer,
  type CommandOf,
  type Event,
  emptySession,
  type Failure,
  type FailureCode,
  FailureError,
  isKeptMode,
  type PermissionMode,
  type ProfileFor,
  type SessionProfile,
  type SessionState,
} from "@kedge/protocol";
import { createJournal, type Journal } from "./journal.ts";
import { endLostWork } from "./lost-jobs.ts";
import type { EngineShared } from "./parts.ts";
import { closingFacts, isInterrupted } from "./recovery.ts";
import { busyAnswer, createSession, type Session } from "./session.ts";
import { type StoredSessions, unknownSession } from "./stored-sessions.ts";
import { settleRestores } from "./undo.ts";

export type Open = {
  readonly session: Session;
  readonly journal: Journal;
  readonly profile: SessionProfile;
  readonly renewal: NodeJS.Timeout;
};

export interface OpenSessions {
  find(sessionId: string): Open | undefined;
  list(): readonly Open[];
  /** Does something in an open session, which is not closed meanwhile. */
  use<Value>(open: Open, work: () => Value | Promise<Value>): Promise<Value>;
  /** With the profile given, that of its parent, or the one that `profileFor` has for it. */
  create(command: CommandOf<"session.create">, given?: SessionProfile): Promise<CommandAnswer<"session.create">>;
  resume(command: CommandOf<"session.resume">, given?: SessionProfile): Promise<CommandAnswer<"session.resume">>;
  /** With the children that work for it; refused while one of them works. */
  close(sessionId: string): Promise<CommandAnswer<"session.close">>;
  /** Interrupts every run. */
  closeAll(): Promise<void>;
  journalOf(sessionId: string): Journal;
  lease(sessionId: string): Promise<Failure | undefined>;
}

export type OpenSessionsParts = {
  readonly profileFor: ProfileFor;
  readonly publish: (sessionId: string, event: Event) => void;
  readonly succeed: StoredSessions["succeed"];
};

/** A third of a lease's life, so that two renewals may fail before it is lost. */
const leaseRenewalMs = 10_000;

/** These say that a model is gone; a key that is missing or a server that is down says nothing of the kind. */
const unknownModelCodes: ReadonlySet<FailureCode> = new Set<FailureCode>(["invalid_model", "no_model"]);

export function createOpenSessions(
  shared: EngineShared,
  { profileFor, publish, succeed }: OpenSessionsParts,
): OpenSessions {
  const { store, holder } = shared;
  const open = new Map<string, Open>();
  /** How many commands are being carried out in a session. */
  const underWay = new Map<string, number>();

  function journalOf(sessionId: string): Journal {
    return createJournal({
      store,
      state: emptySession(sessionId),
      boot: holder.boot,
      publish: (event) => publish(sessionId, event),
    });
  }

  async function lease(sessionId: string): Promise<Failure | undefined> {
    const outcome = await store.acquireLease(sessionId, holder);
    if (outcome.ok) return undefined;
    return {
      code: "session_busy",
      message: `Session ${sessionId} is in use by another kedge (process ${outcome.holder.pid}).`,
      recovery: "Close the other one, or start a new session.",
      retryable: true,
    };
  }

  function keep(journal: Journal, profile: SessionProfile, { isResumed }: { readonly isResumed: boolean }): void {
    const { sessionId } = journal.state;
    const session = createSession({ ...shared, ...profile }, journal, {
      isResumed,
      openSuccessor: (record) => succeed(journal.state, record),
      interruptChildren: () => {
        for (const child of childrenOf(sessionId)) child.session.interrupt();
      },
    });
    const renewal = setInterval(() => {
      // A renewal that fails is tried again; a lease that was lost is noticed by the next append.
      store.acquireLease(sessionId, holder).catch(() => undefined);
    }, leaseRenewalMs);
    renewal.unref();
    open.set(sessionId, { session, journal, profile, renewal });
  }

  /** Those that are open and work for this one. */
  function childrenOf(sessionId: string): readonly Open[] {
    return [...open.values()].filter(({ journal: { state } }) => {
      return state.origin?.kind === "child" && state.origin.sessionId === sessionId;
    });
  }

  /** What a child does is work of its parent. */
  async function isWorking({ session, journal: { state } }: Open): Promise<boolean> {
    for (const child of childrenOf(state.sessionId)) if (await isWorking(child)) return true;
    return (await session.isBusy()) || underWay.has(state.sessionId);
  }

  /** From here on commands find no open session; whoever takes it up again waits for its turn. */
  async function shut({ session, journal: { state }, renewal }: Open): Promise<void> {
    open.delete(state.sessionId);
    clearInterval(renewal);
    for (const child of childrenOf(state.sessionId)) await shut(child);
    await session.close();
    await leave(state);
  }

  async function refusalOfChosen(sessionId: string | undefined): Promise<Failure | undefined> {
    if (sessionId === undefined) return undefined;
    if (!chosenSessionId.test(sessionId)) return badSessionId;
    // Also the bare chain of a deleted one: what comes after it would be read as its continuation.
    for await (const _ of store.rows(sessionId)) return usedSessionId(sessionId);
    return undefined;
  }

  /** What whoever takes it up says of mode and model counts for one that is open as for one that is stored. */
  async function changeOpen({ session, journal }: Open, { mode, model }: CommandOf<"session.resume">) {
    const { state } = journal;
    const moded = mode === undefined || mode === state.mode ? undefined : await session.changeMode(mode);
    if (moded?.ok === false) return moded;
    const changed = model === undefined || model === state.model ? undefined : await session.changeModel(model);
    return changed?.ok === false ? changed : undefined;
  }

  function keptMode(mode: PermissionMode): PermissionMode {
    return isKeptMode(mode) && !shared.policy?.disabledModes.includes(mode) ? mode : "default";
  }

  /** For a model that nobody knows any more; undefined for one that is known, or where there is no other. */
  async function replacement(
    ref: string,
    { model }: SessionProfile,
  ): Promise<{ readonly model: string; readonly notice: string } | undefined> {
    if (model === undefined || ref === "" || model === ref) return undefined;
    const found = await shared.models.find(ref);
    if (found.ok || !unknownModelCodes.has(found.failure.code)) return undefined;
    return { model, notice: `The model ${ref} is no longer known; the session goes on with ${model}.` };
  }

  /** What can be derived from facts need not be kept: whatever the disk has, the run has told already. */
  async function leave(state: SessionState): Promise<void> {
    await store.keepState(state).catch(passBugs);
    await store.releaseLease(state.sessionId, holder.boot);
  }

  return {
    find: (sessionId) => open.get(sessionId),
    list: () => [...open.values()],
    async use({ journal: { state } }, work) {
      underWay.set(state.sessionId, (underWay.get(state.sessionId) ?? 0) + 1);
      try {
        return await work();
      } finally {
        const left = (underWay.get(state.sessionId) ?? 1) - 1;
        if (left === 0) underWay.delete(state.sessionId);
        else underWay.set(state.sessionId, left);
      }
    },
    async create(command, given) {
      const parent = command.parent && open.get(command.parent.sessionId);
      if (command.parent !== undefined && parent === undefined) return unknownSession(command.parent.sessionId);
      const sessionId = command.sessionId ?? shared.newId("ses_");
      const profile = given ?? parent?.profile ?? profileFor({ kind: "create", sessionId });
      const model = command.model ?? given?.model ?? parent?.journal.state.model ?? profile.model;
      if (model === undefined) return { ok: false, failure: noModel };
      const refusal = (await refusalOfChosen(command.sessionId)) ?? (await lease(sessionId));
      if (refusal !== undefined) return { ok: false, failure: refusal };
      if (command.parent !== undefined && open.get(command.parent.sessionId) !== parent) {
        await store.releaseLease(sessionId, holder.boot);
        return unknownSession(command.parent.sessionId);
      }
      const journal = journalOf(sessionId);
      keep(journal, profile, { isResumed: false });
      await journal.emit({
        type: "session.created",
        directory: profile.workspace.cwd,
        projectId: profile.workspace.projectId,
        model,
        mode: command.mode ?? profile.mode ?? "default",
        kedgeVersion: shared.kedgeVersion,
        boot: holder.boot,
        ...(command.parent !== undefined && { origin: { kind: "child", ...command.parent } }),
        ...(profile.budget !== undefined && { budget: profile.budget }),
      });
      return { ok: true, value: { sessionId } };
    },
    async resume(command, given) {
      const { sessionId } = command;
      const already = open.get(sessionId);
      if (already !== undefined) {
        const { state } = already.journal;
        const refused = await changeOpen(already, command);
        if (refused !== undefined) return refused;
        // What runs here was not cut off.
        return { ok: true, value: { sessionId, interrupted: state.runId === undefined && isInterrupted(state) } };
      }
      if ((await store.session(sessionId)) === undefined) return unknownSession(sessionId);
      const busy = await lease(sessionId);
      if (busy !== undefined) return { ok: false, failure: busy };
      const journal = journalOf(sessionId);
      const { state } = journal;
      await store.fold(state);
      const profile = given ?? profileFor({ kind: "resume", state });
      const interrupted = isInterrupted(state);
      await settleRestores(state, profile.snapshots);
      endLostWork(state, shared);
      const closing = closingFacts(state);
      const mode = command.mode ?? keptMode(state.mode);
      await journal.emit({ type: "session.resumed", boot: holder.boot, mode }, ...closing);
      const replaced = command.model === undefined ? await replacement(state.model, profile) : undefined;
      const model = command.model ?? replaced?.model;
      if (model !== undefined && model !== state.model) await journal.emit({ type: "model.changed", model });
      keep(journal, profile, { isResumed: true });
      return { ok: true, value: { sessionId, interrupted, ...(replaced && { notice: replaced.notice }) } };
    },
    async close(sessionId) {
      const found = open.get(sessionId);
      if (found === undefined) return { ok: true, value: {} };
      if (await isWorking(found)) return busyAnswer();
      await shut(found);
      return { ok: true, value: {} };
    },
    async closeAll() {
      for (const { session, journal, renewal } of open.values()) {
        clearInterval(renewal);
        await session.close();
        // One that cannot be given free ends with this process.
        await leave(journal.state).catch(passBugs);
      }
      open.clear();
    },
    journalOf,
    lease,
  };
}

const chosenSessionId = /^ses_[a-z0-9]{10,40}$/;

const badSessionId: Failure = {
  code: "invalid_command",
  message: "A session id is ses_ and then 10 to 40 small letters and digits.",
  recovery: "Choose another one, or leave it to kedge.",
  retryable: false,
};

function usedSessionId(sessionId: string): Failure {
  return {
    code: "invalid_command",
    message: `There is a session ${sessionId} already.`,
    recovery: "Resume it, or choose another id.",
    retryable: false,
  };
}

const noModel: Failure = {
  code: "no_model",
  message: "No model was named, and none is configured.",
  recovery: "Name one as provider/model, or set `model` in the configuration.",
  retryable: false,
};

function passBugs(error: unknown): void {
  if (!(error instanceof FailureError)) throw error;
}
