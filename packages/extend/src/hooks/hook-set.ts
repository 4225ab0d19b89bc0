/** The hooks of a process: which of them an event concerns, and what all of their answers together come to. */
import type { JsonObject, PhasedCall } from "@kedge/protocol";
import { dialects } from "./dialects/dialects.ts";
import type { CallView } from "./event-input.ts";
import type { Hook } from "./hook.ts";
import type { HookAnswer } from "./hook-answer.ts";
import { type HookEvent, hookEvents } from "./hook-events.ts";
import type { HookParts } from "./hook-parts.ts";
import { matcherOf } from "./matcher.ts";
import { runHook } from "./run-hook.ts";
import { createUnawaitedWork } from "./unawaited-work.ts";

export type FiredEvent = {
  readonly name: HookEvent;
  readonly sessionId: string;
  readonly cwd: string;
  /** In the names of Claude Code. */
  readonly fields: JsonObject;
  /** The call that it is about, for hooks with a condition. */
  readonly call?: PhasedCall;
};

/** An event may look different to hooks of different agents, or stand for several things. */
export type EventView = {
  readonly fields: JsonObject;
  /** What the hook's matcher is compared with; its field of the event without it. */
  readonly matched?: string;
  /** From an input that the hook changed to one of ours; undefined where that cannot be done. */
  readonly inputFrom?: CallView["inputFrom"];
};

export type Answered = { readonly hook: Hook; readonly answer: HookAnswer; readonly view: EventView };

/** `reason` is a sentence about the hook, and `isBlocking` whether what it was asked about must not happen. */
export type Failed = { readonly hook: Hook; readonly problem: string; readonly isBlocking: boolean };

export type Fired = { readonly answers: readonly Answered[]; readonly failures: readonly Failed[] };

export type FireOptions = {
  readonly viewsFor?: (hook: Hook) => readonly EventView[];
  /** Only some of the hooks. */
  readonly only?: (hook: Hook) => boolean;
  /** For all of them together. */
  readonly totalMs?: number;
};

export interface HookSet {
  readonly hooks: readonly Hook[];
  /** Also true where one may be attached later. */
  has(event: HookEvent): boolean;
  /** Whether hooks may be attached. */
  readonly mayGrow: boolean;
  /** Hooks of one session until they are detached, such as those of a skill that runs. The same ones count once. */
  attach(sessionId: string, hooks: readonly Hook[]): void;
  detach(sessionId: string): void;
  /** Runs all hooks that the event concerns at once; identical ones run once. In the order of the hooks. */
  fire(event: FiredEvent, signal: AbortSignal, options?: FireOptions): Promise<Fired>;
  /** Runs them without anybody waiting. */
  tell(event: FiredEvent, options?: FireOptions): void;
  /** Waits for those that nobody waited for, for so long, and ends them. */
  settle(waitMs: number): Promise<void>;
}

const nothing: Fired = { answers: [], failures: [] };

export function createHookSet(hooks: readonly Hook[], parts: HookParts): HookSet {
  const byEvent = Map.groupBy(hooks, ({ event }) => event);
  const { mayGrow = false } = parts;
  const attached = new Map<string, readonly Hook[]>();
  const matchers = new Map(hooks.map((hook) => [hook, matcherOf(hook)]));
  /** Hooks that run once, with the session they ran in. */
  const done = new Set<string>();
  const warned = new Set<string>();
  const unawaited = createUnawaitedWork();

  function concerns(hook: Hook, { name, call }: FiredEvent, view: EventView): boolean {
    const { matches } = hookEvents[name];
    const field = matches === undefined ? undefined : view.fields[matches];
    const value = view.matched ?? (typeof field === "string" ? field : "");
    if (matches !== undefined && matchers.get(hook)?.(value) !== true) return false;
    if (hook.condition === undefined) return true;
    if (call === undefined) return false;
    // A condition that is no rule was reported at the start, and concerns everything.
    return parts.matchesRule(hook.condition, call) ?? true;
  }

  function isDone(hook: Hook, sessionId: string): boolean {
    if (!hook.once) return false;
    const key = `${sessionId} ${hook.name}`;
    if (done.has(key)) return true;
    done.add(key);
    return false;
  }

  async function run(hook: Hook, view: EventView, event: FiredEvent, turn: Turn): Promise<Answered | Failed> {
    const { sessionId, cwd } = event;
    const { totalMs: timeoutMs } = turn.options;
    const given = { hook, event: view.fields, sessionId, cwd, ...(timeoutMs !== undefined && { timeoutMs }) };
    const read = await runHook(given, parts, turn.signal);
    const isUnblockable = dialects[hook.dialect].unblockable?.includes(event.name) === true;
    if (read.ok) {
      const { warning, message } = read.answer;
      if (warning !== undefined) warn(hook, warning, sessionId);
      if (message !== undefined) parts.onNotice(message, sessionId);
      return { hook, answer: isUnblockable ? withoutDecision(read.answer) : read.answer, view };
    }
    const isAsking = hook.action.type === "prompt" || hook.action.type === "agent";
    const isBlocking = hook.failClosed || (hookEvents[event.name].blocks === "refuse" && !isAsking && !isUnblockable);
    if (!turn.signal.aborted) parts.onNotice(`Hook ${hook.name} failed: ${read.problem}.`, sessionId);
    return { hook, problem: read.problem, isBlocking };
  }

  /** What is odd about the form of an answer is said once in a session: some hooks run with every call. */
  function warn(hook: Hook, warning: string, sessionId: string): void {
    const key = `${sessionId} ${hook.name} ${warning}`;
    if (warned.has(key) && !warning.startsWith("it exited")) return;
    warned.add(key);
    parts.onNotice(`Hook ${hook.name}: ${warning}.`, sessionId);
  }

  type Turn = { readonly signal: AbortSignal; readonly options: FireOptions };

  /** Each hook once for each view that concerns it, and equal ones only once. */
  function wanted(event: FiredEvent, { viewsFor, only }: FireOptions) {
    const seen = new Set<string>();
    const own = attached.get(event.sessionId)?.filter(({ event: name }) => name === event.name) ?? [];
    return [...(byEvent.get(event.name) ?? []), ...own].flatMap((hook) => {
      if (only?.(hook) === false) return [];
      const views = viewsFor?.(hook) ?? [{ fields: event.fields }];
      return views.flatMap((view) => {
        if (!concerns(hook, event, view)) return [];
        const key = JSON.stringify([hook.action, hook.dialect, view.fields]);
        if (seen.has(key) || isDone(hook, event.sessionId)) return [];
        seen.add(key);
        return [{ hook, view }];
      });
    });
  }

  return {
    hooks,
    has: (event) => mayGrow || byEvent.has(event),
    mayGrow,
    attach(sessionId, added) {
      const present = attached.get(sessionId) ?? [];
      const names = new Set(present.map(({ name }) => name));
      const fresh = added.filter(({ name }) => !names.has(name));
      for (const hook of fresh) matchers.set(hook, matcherOf(hook));
      attached.set(sessionId, [...present, ...fresh]);
    },
    detach(sessionId) {
      for (const hook of attached.get(sessionId) ?? []) matchers.delete(hook);
      attached.delete(sessionId);
    },
    async fire(event, signal, options = {}) {
      if (!byEvent.has(event.name) && !attached.has(event.sessionId)) return nothing;
      const results = await Promise.all(
        wanted(event, options).map(({ hook, view }) => {
          if (!hook.isAsync) return run(hook, view, event, { signal, options });
          unawaited.keep(run(hook, view, event, { signal: unawaited.signal, options }));
          return { hook, answer: {}, view };
        }),
      );
      return {
        answers: results.filter((result): result is Answered => "answer" in result),
        failures: results.filter((result): result is Failed => "problem" in result),
      };
    },
    tell(event, options = {}) {
      if (unawaited.signal.aborted) return;
      for (const { hook, view } of wanted(event, options))
        unawaited.keep(run(hook, view, event, { signal: unawaited.signal, options }));
    },
    settle: unawaited.settle,
  };
}

function withoutDecision({ decision: _, stop: __, ...rest }: HookAnswer): HookAnswer {
  return rest;
}
