/** How a fact is kept: which of its fields are sealed, which facts wait for the disk, and the record that is chained. */
import type { Fact, FactOf, FactType } from "./facts.ts";

/**
 * Fields that hold text of a user, a model or a tool. They stand in the chained record as one salted digest and are
 * stored beside it, so that they can be removed later without breaking the chain.
 */
export const sealedFields: { readonly [Type in FactType]: readonly Exclude<keyof FactOf<Type>, "type">[] } = {
  "session.created": [],
  "session.updated": ["title", "summary"],
  "session.deleted": [],
  "chain.closed": [],
  "journal.recovered": [],
  "session.resumed": [],
  "model.changed": [],
  "mode.changed": [],
  "style.changed": ["style", "brevity"],
  "prompt.admitted": ["text", "from", "attachments", "subtasks", "options"],
  "prompt.revised": ["text"],
  "prompt.withdrawn": [],
  "command.ran": ["text", "data"],
  "step.started": ["reminders", "sent"],
  "step.progressed": ["appended"],
  "step.ended": ["content"],
  "tool.started": ["inputText", "decision"],
  "tool.ended": ["output", "title", "metadata", "media", "decision"],
  "job.started": ["command"],
  "job.ended": [],
  "agent.started": ["description"],
  "agent.ended": ["result", "structured", "why"],
  "mail.received": ["text"],
  "todos.replaced": ["todos"],
  "question.asked": ["questions"],
  "question.answered": ["answers"],
  "permission.asked": ["patterns", "always", "reason", "preview", "inputText", "evidence", "saves"],
  "permission.answered": ["grants", "message", "updatedInputText"],
  "grants.replaced": ["grants"],
  "files.changed": [],
  "pressure.changed": ["contributions"],
  "checkpoint.opened": ["goal"],
  "checkpoint.discarded": [],
  "conversation.rewound": ["report"],
  "context.cleared": ["results"],
  "context.compacted": ["summary", "shortSummary", "restored", "frames", "archive", "vendorHistory", "boundary"],
  "compaction.failed": [],
  "leaf.moved": [],
  "entry.labelled": ["label"],
  "message.added": ["text"],
  "message.removed": [],
  "session.reverted": [],
  "session.unreverted": [],
  "run.ended": ["text", "structured", "denials"],
  "instructions.loaded": ["blocks"],
  "reproduction.judged": ["issue", "task", "file", "command", "signature", "why"],
  "memory.written": ["path"],
  "memory.quarantined": ["path", "why"],
  "memory.recalled": ["selected"],
  "memory.extracted": ["paths", "denials"],
  "memory.consolidated": ["paths", "denials"],
  "memory.lesson_extracted": ["lesson"],
  "content.removed": [],
};

/**
 * These are on the disk, not only in the operating system's cache, before anything follows from them. The end of a run
 * is among them so that everything before it is flushed as well.
 */
export const durableFacts: ReadonlySet<FactType> = new Set<FactType>([
  "prompt.admitted",
  "permission.answered",
  "run.ended",
  "agent.started",
  "agent.ended",
  "mail.received",
]);

/** A fact as it was stored: numbered within its session, timed, chained. */
export type FactRecord = {
  readonly sessionId: string;
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly fact: Fact;
  /** Digest of the sealed fields, when there are any. */
  readonly digest?: string;
  /** True when the sealed fields were removed; the fact then holds empty values in their place. */
  readonly removed?: true;
  readonly prev: string;
  readonly hash: string;
};
