/** The sessions that this engine has open: creates, resumes and closes them, each with the profile it was given. */
import {
  type CommandAnswer,
  type CommandOf,
  type Event,
  emptySession,
  type FactOf,
  type Failure,
  type OpenProfile,
  type SessionProfile,
  type SessionState,
} from "@kedge/protocol";
import { modeInForce, planningRefusal } from "../call/asking/mode-in-force.ts";
import type { OpenSuccessor } from "../compaction/hand-over.ts";
import { createJournal, type Journal } from "../journal.ts";
import type { EngineShared } from "../parts.ts";
import { type Leader, narrowerMode } from "../permission/index.ts";
import { refuseChosenId } from "./chosen-session-id.ts";
import { isInterrupted } from "./closing-facts.ts";
import { contextCommands } from "./commands/context-commands.ts";
import { busyAnswer } from "./commands/make-room.ts";
import { permissionCommands } from "./commands/permission-commands.ts";
import { endLostAgents, type LostAgentParts } from "./lost-agents.ts";
import { resumeStored } from "./resume-stored.ts";
import { createSession, type Session } from "./session.ts";
import { createSessionLeases, passBugs } from "./session-leases.ts";
import { unknownSession } from "./stored-sessions.ts";
import { createUnderWay } from "./under-way.ts";

export type Open = Kept & {
  readonly session: Session;
  readonly journal: Journal;
  readonly endRenewal: () => void;
};

type Kept = {
  readonly profile: SessionProfile;
  /** The session it works for. */
  readonly parentId: string | undefined;
  /** That session, where another process has it open. */
  readonly leader?: Leader | undefined;
};

/** What a session is opened with, beside the command. */
export type Opening = {
  /** In the place of the one that `profileFor` has. */
  readonly profile?: SessionProfile;
  /** The session that it works for, where another process has it open. */
  readonly leader?: Leader;
};

export interface OpenSessions {
  find(sessionId: string): Open | undefined;
  list(): readonly Open[];
  /** Does something in an open session, which is not closed meanwhile. */
  use<Value>(open: Open, work: () => Value | Promise<Value>): Promise<Value>;
  /** With the profile given, that of its parent, or the one that `profileFor` has for it. */
  create(command: CommandOf<"session.create">, opening: Opening): Promise<CommandAnswer<"session.create">>;
  resume(command: CommandOf<"session.resume">, opening: Opening): Promise<CommandAnswer<"session.resume">>;
  /** With the children that work for it; refused while one of them works. */
  close(sessionId: string): Promise<CommandAnswer<"session.close">>;
  /** Interrupts every run. */
  closeAll(): Promise<void>;
  journalOf(sessionId: string): Journal;
  lease(sessionId: string): Promise<Failure | undefined>;
}

export type OpenSessionsParts = {
  readonly profileFor: OpenProfile;
  readonly publish: (sessionId: string, event: Event, position?: number) => void;
  readonly succeed: (state: SessionState, ...handed: Parameters<OpenSuccessor>) => ReturnType<OpenSuccessor>;
};

export function createOpenSessions(
  shared: EngineShared,
  { profileFor, publish, succeed }: OpenSessionsParts,
): OpenSessions {
  const { store, holder } = shared;
  const leases = createSessionLeases(shared);
  const open = new Map<string, Open>();
  const underWay = createUnderWay();

  function journalOf(sessionId: string): Journal {
    return createJournal({
      store,
      state: emptySession(sessionId),
      boot: holder.boot,
      publish: (event, position) => publish(sessionId, event, position),
    });
  }

  function keep(
    journal: Journal,
    { profile, parentId, leader: elsewhere }: Kept,
    { isResumed }: { readonly isResumed: boolean },
  ): Session {
    const { sessionId, agents } = journal.state;
    const parent = parentId === undefined ? undefined : open.get(parentId);
    const leader = elsewhere ?? (parent && leaderOf(parent));
    const session = createSession({ ...shared, ...profile, ...(leader !== undefined && { leader }) }, journal, {
      isResumed,
      ...(parent !== undefined && { budgetAbove: parent.session.treeBudget }),
      ...(parentId !== undefined && { topId: topOf(parentId, open) }),
      openSuccessor: (record) => succeed(journal.state, record),
      interruptChildren: () => {
        for (const { session, journal: own } of childrenOf(sessionId)) {
          // What was sent into the background goes on until it is done or somebody stops it.
          if (agents.get(own.state.sessionId)?.isBackground !== true) session.work.stop();
        }
      },
    });
    open.set(sessionId, { session, journal, profile, parentId, endRenewal: leases.keep(sessionId) });
    return session;
  }

  const lostAgents: LostAgentParts = {
    store,
    boot: holder.boot,
    journalOf,
    lease: async (sessionId) => !open.has(sessionId) && (await leases.take(sessionId)) === undefined,
  };

  /** Those that are open and work for this one. */
  function childrenOf(sessionId: string): readonly Open[] {
    return [...open.values()].filter(({ parentId }) => parentId === sessionId);
  }

  /** What a child does is work of its parent. */
  async function isWorking({ session, journal: { state } }: Open): Promise<boolean> {
    for (const child of childrenOf(state.sessionId)) if (await isWorking(child)) return true;
    return (await session.work.isBusy()) || underWay.has(state.sessionId);
  }

  /** From here on commands find no open session; whoever takes it up again waits for its turn. */
  async function shut({ session, journal: { state }, endRenewal }: Open): Promise<void> {
    open.delete(state.sessionId);
    endRenewal();
    for (const child of childrenOf(state.sessionId)) await shut(child);
    await session.close();
    await leases.leave(state);
  }

  return {
    find: (sessionId) => open.get(sessionId),
    list: () => [...open.values()],
    use: ({ journal }, work) => underWay.during(journal.state.sessionId, work),
    async create(command, { profile: given, leader }) {
      const parent = command.parent && open.get(command.parent.sessionId);
      if (command.parent !== undefined && parent === undefined && leader === undefined)
        return unknownSession(command.parent.sessionId);
      const sessionId = command.sessionId ?? shared.newId("ses_");
      const profile = given ?? parent?.profile ?? (await profileFor({ kind: "create", sessionId }));
      const like = parent?.journal.state;
      const model = command.model ?? given?.model ?? like?.model ?? profile.model;
      const wished = command.mode ?? given?.mode ?? like?.mode ?? profile.mode ?? "default";
      const above = like?.mode ?? leader?.mode();
      const mode = above === undefined ? wished : narrowerMode(wished, above);
      if (model === undefined) return { ok: false, failure: noModel };
      const unplanned = planningRefusal(mode, profile);
      if (unplanned !== undefined) return unplanned;
      const chosen = command.sessionId === undefined ? undefined : await refuseChosenId(store, sessionId);
      const refusal = chosen ?? (await leases.take(sessionId));
      if (refusal !== undefined) return { ok: false, failure: refusal };
      if (command.parent !== undefined && open.get(command.parent.sessionId) !== parent) {
        await store.releaseLease(sessionId, holder.boot);
        return unknownSession(command.parent.sessionId);
      }
      // The conversation that it continues names outputs of the session it was forked from.
      if (command.parent !== undefined && profile.prefix !== undefined)
        shared.resources.copyArtifacts?.(command.parent.sessionId, sessionId);
      const journal = journalOf(sessionId);
      const session = keep(journal, { profile, parentId: command.parent?.sessionId, leader }, { isResumed: false });
      await journal.emit(firstFact(shared, profile, { ...command, model, mode }));
      session.moments?.opened("create");
      return { ok: true, value: { sessionId } };
    },
    async resume(command, { profile: given, leader }) {
      const { sessionId } = command;
      const already = open.get(sessionId);
      if (already !== undefined) return resumeOpen(already, command);
      if ((await store.session(sessionId)) === undefined) return unknownSession(sessionId);
      const busy = await leases.take(sessionId);
      if (busy !== undefined) return { ok: false, failure: busy };
      const journal = journalOf(sessionId);
      const { state } = journal;
      await store.fold(state);
      const profile = given ?? (await profileFor({ kind: "resume", state }));
      const ended = state.agents.size === 0 ? [] : await endLostAgents(state, lostAgents);
      const resumed = await resumeStored(shared, profile, journal, { ...command, ended });
      const parentId = state.origin?.kind === "child" ? state.origin.sessionId : undefined;
      keep(journal, { profile, parentId, leader }, { isResumed: true }).moments?.opened("resume");
      return { ok: true, value: { sessionId, ...resumed } };
    },
    async close(sessionId) {
      const found = open.get(sessionId);
      if (found === undefined) return { ok: true, value: {} };
      if (await isWorking(found)) return busyAnswer();
      await shut(found);
      return { ok: true, value: {} };
    },
    async closeAll() {
      for (const { session, journal, endRenewal } of open.values()) {
        endRenewal();
        await session.close();
        // One that cannot be given free ends with this process.
        await leases.leave(journal.state).catch(passBugs);
      }
      open.clear();
    },
    journalOf,
    lease: leases.take,
  };
}

/** As far up as sessions are open here. */
function topOf(sessionId: string, open: ReadonlyMap<string, Open>): string {
  const parentId = open.get(sessionId)?.parentId;
  return parentId === undefined ? sessionId : topOf(parentId, open);
}

function leaderOf({ session: { engine, questions, dialogue }, journal, profile }: Open): Leader {
  return {
    questions: engine.leader?.questions ?? questions,
    dialogue: engine.leader?.dialogue ?? dialogue,
    rules: profile.rules,
    grants: () => journal.state.grants,
    mode: () => modeInForce({ engine, journal }),
    onlyLooks: profile.onlyLooks === true,
    ...(engine.leader !== undefined && { leader: engine.leader }),
  };
}

function firstFact(
  { kedgeVersion, holder }: EngineShared,
  { workspace, budget, agent }: SessionProfile,
  { model, mode, parent }: CommandOf<"session.create"> & Pick<FactOf<"session.created">, "model" | "mode">,
): FactOf<"session.created"> {
  const branch = workspace.branch?.();
  return {
    type: "session.created",
    directory: workspace.cwd,
    projectId: workspace.projectId,
    model,
    mode,
    kedgeVersion,
    boot: holder.boot,
    ...(parent !== undefined && {
      origin: { kind: "child", ...parent, ...(agent !== undefined && { agent: agent.name, depth: agent.depth }) },
    }),
    ...(branch !== undefined && { branch }),
    ...(budget !== undefined && { budget }),
  };
}

async function resumeOpen(open: Open, command: CommandOf<"session.resume">): Promise<CommandAnswer<"session.resume">> {
  const { sessionId } = command;
  const { state } = open.journal;
  const refused = await changeOpen(open, command);
  if (refused !== undefined) return refused;
  // What runs here was not cut off.
  return { ok: true, value: { sessionId, interrupted: state.runId === undefined && isInterrupted(state) } };
}

/** What whoever takes it up says of mode and model counts for one that is open as for one that is stored. */
async function changeOpen({ session, journal }: Open, { sessionId, mode, model }: CommandOf<"session.resume">) {
  const { state } = journal;
  if (mode !== undefined && mode !== state.mode) {
    const moded = await permissionCommands["mode.change"](session, { type: "mode.change", sessionId, mode });
    if (!moded.ok) return moded;
  }
  if (model === undefined || model === state.model) return undefined;
  const changed = await contextCommands["model.change"](session, { type: "model.change", sessionId, model });
  return changed.ok ? undefined : changed;
}

const noModel: Failure = {
  code: "no_model",
  message: "No model selected.",
  recovery: "Pass --model provider/model, or set `model` in your settings.",
  retryable: false,
};
