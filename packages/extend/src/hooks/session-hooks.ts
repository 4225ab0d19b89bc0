/** The hooks of a process, wired: phases and a moment for its sessions, and an ear for their facts. */
import type { CallPhase, ContextSource, Event, SessionMoment } from "@kedge/protocol";
import { callViews } from "./call-views.ts";
import { createElicitationHooks, type ElicitationHooks } from "./elicitation-hooks.ts";
import { foldAnswers } from "./fold-answers.ts";
import type { Hook, HookScope } from "./hook.ts";
import type { ReadAnswer } from "./hook-answer.ts";
import { createHookMoment } from "./hook-moment.ts";
import { createHookObserver } from "./hook-observer.ts";
import type { HookParts } from "./hook-parts.ts";
import { createHookPhases } from "./hook-phase.ts";
import { createHookSet, type FiredEvent } from "./hook-set.ts";
import { runHook } from "./run-hook.ts";
import { sampleCall } from "./sample-call.ts";
import { createSessionNotes } from "./session-notes.ts";

export type SessionHooks = {
  readonly callPhases: readonly CallPhase[];
  readonly sessionMoments: readonly SessionMoment[];
  hear(sessionId: string, event: Event): void;
  /** Hooks of a skill, until the run of this session ends, however it does. */
  attach(sessionId: string, hooks: readonly Hook[]): void;
  watchSource(source: ContextSource): ContextSource;
  readonly elicitation: ElicitationHooks;
  /** A teammate has nothing to do; the reason of a hook is why it should work on. */
  teammateIdle(idle: IdleTeammate, signal: AbortSignal): Promise<string | undefined>;
  /** Hooks may make a working copy in place of git: the path is what the first of them printed. */
  worktreeCreate(
    wish: WorktreeWish,
    signal: AbortSignal,
  ): Promise<{ readonly path?: string; readonly refusal?: string }>;
  worktreeRemove(gone: { readonly sessionId: string; readonly path: string }, signal: AbortSignal): Promise<void>;
  /** A file that hooks were captured from is no longer as it was; every open session is told. */
  configChanged(change: { readonly scope: HookScope; readonly path: string }): void;
  /** Runs the hooks that an event concerns, without a session. */
  tryEvent(event: FiredEvent): Promise<readonly { readonly hook: Hook; readonly result: ReadAnswer }[]>;
  /** Runs one hook, whatever its matcher says. */
  tryOne(hook: Hook, event: FiredEvent): Promise<ReadAnswer>;
  /** Ends what nobody waited for. */
  close(): Promise<void>;
};

export type IdleTeammate = { readonly sessionId: string; readonly teammate: string; readonly team: string };

export type WorktreeWish = { readonly sessionId: string; readonly name: string };

/** What Claude Code calls the settings of each scope. */
const settingsOf: { readonly [Scope in HookScope]: string } = {
  user: "user_settings",
  project: "project_settings",
  local: "local_settings",
  managed: "policy_settings",
};

export function createSessionHooks(hooks: readonly Hook[], parts: HookParts): SessionHooks {
  const set = createHookSet(hooks, parts);
  const notes = createSessionNotes();
  const calls = createHookPhases(set, parts, notes);
  const { hear, watchSource } = createHookObserver(set, notes, parts);
  return {
    callPhases: calls.phases,
    sessionMoments: [createHookMoment({ set, parts, notes, calls })],
    hear(sessionId, event) {
      hear(sessionId, event);
      if (event.kind === "fact" && event.record.fact.type === "run.ended") set.detach(sessionId);
    },
    attach: set.attach,
    watchSource,
    elicitation: createElicitationHooks({ set, notes, calls, cwd: parts.cwd }),
    async teammateIdle({ sessionId, teammate, team }, signal) {
      const place = { sessionId, cwd: parts.cwd };
      const fields = { ...notes.fieldsOf(place), teammate_name: teammate, team_name: team };
      const { decision, reason, stop } = foldAnswers(
        await set.fire({ name: "TeammateIdle", ...place, fields }, signal),
      );
      return decision === "deny" && stop === undefined ? reason : undefined;
    },
    async worktreeCreate({ sessionId, name }, signal) {
      const place = { sessionId, cwd: parts.cwd };
      const fields = { ...notes.fieldsOf(place), name };
      const { decision, reason, context } = foldAnswers(
        await set.fire({ name: "WorktreeCreate", ...place, fields }, signal),
      );
      if (decision === "deny") return { refusal: reason };
      // Whatever else a script prints, the path is its last line.
      const path = context[0]?.text.trim().split("\n").at(-1)?.trim();
      return path === undefined || path === "" ? {} : { path };
    },
    async worktreeRemove({ sessionId, path }, signal) {
      const place = { sessionId, cwd: parts.cwd };
      await set.fire(
        { name: "WorktreeRemove", ...place, fields: { ...notes.fieldsOf(place), worktree_path: path } },
        signal,
      );
    },
    configChanged({ scope, path }) {
      for (const sessionId of notes.sessions()) {
        const place = { sessionId, cwd: parts.cwd };
        const fields = { ...notes.fieldsOf(place), source: settingsOf[scope], file_path: path };
        set.tell({ name: "ConfigChange", ...place, fields });
      }
    },
    async tryEvent(event) {
      const call = sampleCall(event.fields, event.cwd);
      const seen = call === undefined ? event : { ...event, call };
      const options = call === undefined ? {} : { viewsFor: callViews(call, event.fields) };
      const { answers, failures } = await set.fire(seen, new AbortController().signal, options);
      return [
        ...answers.map(({ hook, answer }) => ({ hook, result: { ok: true as const, answer } })),
        ...failures.map(({ hook, problem }) => ({ hook, result: { ok: false as const, problem } })),
      ];
    },
    tryOne(hook, { fields, sessionId, cwd }) {
      const call = sampleCall(fields, cwd);
      const [view] = call === undefined ? [] : callViews(call, fields)(hook);
      return runHook({ hook, event: view?.fields ?? fields, sessionId, cwd }, parts, new AbortController().signal);
    },
    close: () => set.settle(parts.sessionEndMs),
  };
}
