/** What one replayed segment knows while it runs: the place in the record, what was compared, and the first divergence. */
import { createMessages, jobReminder } from "@kedge/engine";
import {
  applyRecord,
  canonicalJson,
  emptySession,
  type Fact,
  type FactOf,
  type FactRecord,
  type Message,
} from "@kedge/protocol";
import { type Divergence, differingPart } from "./divergence.ts";
import { isOfHook } from "./recorded-hooks.ts";
import type { RecordedCall, RecordedRun, RecordedStep } from "./recorded-session.ts";

export type ReplayCounts = { requests: number; ranAgain: number; taken: number };

export type RecordedWorld = {
  readonly counts: ReplayCounts;
  /** The run under way, set by whoever drives. */
  run: RecordedRun | undefined;
  /** The step that was started last; undefined when the record does not have it. */
  step: RecordedStep | undefined;
  /** The calls of that step that were not made again. */
  readonly taken: Set<string>;
  time: number;
  /** A summary was let in: which files the tools still knew as read after it is not in the record. */
  hasSummary: boolean;
  /** The two lists of messages that were compared last, and how many of them. */
  compared: { readonly expected: readonly Message[]; readonly messages: readonly Message[]; readonly count: number };
  /** What came from outside while nothing ran; it is stored before whatever comes next. */
  readonly pending: Fact[];
  divergence(): Divergence | undefined;
  /** Only the first one counts. */
  diverge(divergence: Divergence): void;
  /** What the model saw with this step, by the record. Steps are asked about in their order. */
  messagesAt(step: RecordedStep): readonly Message[];
  callOf(callId: string): RecordedCall | undefined;
  callEnded(callId: string): void;
  /** Resolves when these calls of the step have ended. */
  whenEnded(callIds: readonly string[]): Promise<void>;
  /** Forgets the calls of the step before. */
  begin(step: RecordedStep | undefined): void;
};

export function createRecordedWorld(records: readonly FactRecord[], counts: ReplayCounts): RecordedWorld {
  const state = emptySession(records[0]?.sessionId ?? "");
  const messages = createMessages();
  const ended = new Set<string>();
  const waiting = new Set<() => void>();
  let first: Divergence | undefined;
  const world: RecordedWorld = {
    counts,
    run: undefined,
    step: undefined,
    taken: new Set(),
    time: records[0]?.time ?? 0,
    hasSummary: false,
    compared: { expected: [], messages: [], count: 0 },
    pending: [],
    divergence: () => first,
    diverge(divergence) {
      first ??= divergence;
    },
    messagesAt({ seq }) {
      for (const record of records.slice(state.lastSeq, seq)) applyRecord(state, record);
      return messages.all(state);
    },
    callOf: (callId) => world.step?.calls.get(callId),
    callEnded(callId) {
      ended.add(callId);
      for (const look of waiting) look();
    },
    whenEnded(callIds) {
      return new Promise((resolve) => {
        const look = () => {
          if (!callIds.every((callId) => ended.has(callId))) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    begin(step) {
      world.step = step;
      world.taken.clear();
      ended.clear();
    },
  };
  return world;
}

/** Both lists only grow for as long as they are the same arrays, so that what was equal stays so. */
export function compareRequest(world: RecordedWorld, step: RecordedStep, messages: readonly Message[]): void {
  const expected = world.messagesAt(step);
  const { compared } = world;
  const known = compared.expected === expected && compared.messages === messages ? compared.count : 0;
  world.compared = { expected, messages, count: Math.min(expected.length, messages.length) };
  world.counts.requests += 1;
  for (let index = known; index < Math.max(expected.length, messages.length); index += 1) {
    const wanted = messageText(expected[index]);
    const made = messageText(messages[index]);
    if (wanted === made) continue;
    const what = `Message ${index + 1} of the request is different.`;
    world.diverge({ seq: step.seq, kind: "request", what, ...differingPart(wanted, made) });
    return;
  }
}

function messageText(message: Message | undefined): string {
  return message === undefined ? "(no message)" : canonicalJson(message);
}

const slot = "\u0000";
const job = { jobId: slot, status: "completed", command: "", startedAtMs: 0, durationMs: 0, artifact: 0 } as const;
const jobEndedStart = jobReminder(job).split(slot)[0] ?? "";

/**
 * What the step is recorded to begin with, when the reminders that the engine made are among them in this order and the
 * others came from outside: from a source of context, from the end of a job, from a summary, from a hook, or from what a
 * run under pressure was told. What sources say depends on the tools and files of then, so it is taken from the record.
 */
export function joinReminders(fact: StartedStep, step: RecordedStep): Beginning | undefined {
  const { reminders, remindersBefore, sent } = step.started;
  const made = unsourced(fact).filter((text) => !isOfHook(text));
  const own = unsourced(step.started);
  let next = 0;
  for (const text of own) {
    if (text === made[next]) next += 1;
    else if (!step.hasOutsideReminders && !text.startsWith(jobEndedStart) && !isOfHook(text)) return undefined;
  }
  if (next !== made.length) return undefined;
  const before = remindersBefore === undefined ? {} : { remindersBefore };
  return { reminders, ...before, ...(sent !== undefined && { sent }) };
}

type StartedStep = FactOf<"step.started">;
type Beginning = Pick<StartedStep, "reminders" | "remindersBefore" | "sent">;

function unsourced({ reminders, sent = [] }: StartedStep): readonly string[] {
  return sent.length === 0
    ? reminders
    : reminders.filter((_, index) => !sent.some(({ reminder }) => reminder === index));
}

export function isContextFact({ type }: Fact): boolean {
  return type === "context.cleared" || type === "context.compacted" || type === "compaction.failed";
}
