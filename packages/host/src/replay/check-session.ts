/** `--check`: runs a recorded session again and tells whether every request and every outcome is what it was. */
import type { FactRecord, Tool } from "@kedge/protocol";
import { createLookAtPath } from "@kedge/sandbox";
import type { Divergence } from "./divergence.ts";
import { readSegments } from "./read-segments.ts";
import { hearsOfAgents } from "./recorded-hooks.ts";
import type { ReplayEngineParts } from "./replay-engine.ts";
import { replaySegment } from "./replay-segment.ts";
import { type CheckOut, createScratchWorkspace } from "./scratch-workspace.ts";
import { planTrees } from "./tree-plan.ts";

export type CheckParts = {
  readonly temporaryDirectory: string;
  /** The tools of this kedge, for a workspace at that root. */
  readonly newTools: (place: {
    readonly root: string;
    readonly isInside: (path: string) => boolean;
  }) => readonly Tool[];
  /** Writes a recorded tree into a directory; false when it is not there any more. Without it no file tool runs again. */
  readonly checkOut?: CheckOut;
  /** The root of the worktree, when it is not where the session worked. */
  readonly root?: string;
  readonly editChoice?: ReplayEngineParts["editChoice"];
};

export type CheckReport = {
  readonly sessionId: string;
  readonly records: number;
  readonly requestsCompared: number;
  /** Outcomes of calls that came out of the tools or the engine again. */
  readonly outcomesRunAgain: number;
  readonly outcomesFromRecord: number;
  readonly divergence?: Divergence;
  /** From this fact on the record does not hold what a replay would need. */
  readonly notReplayable?: { readonly seq: number; readonly why: string };
};

/** Nothing is asked of a network, nothing of the session is written, and nothing is left in the temporary directory. */
export async function checkSession(records: readonly FactRecord[], parts: CheckParts): Promise<CheckReport> {
  const [first] = records;
  const counts = { requests: 0, ranAgain: 0, taken: 0 };
  const limit = limitOf(records);
  const segments = readSegments(limit === undefined ? records : records.slice(0, limit.seq - 1));
  const directory = first?.fact.type === "session.created" ? first.fact.directory : "/";
  const scratch = createScratchWorkspace({
    temporaryDirectory: parts.temporaryDirectory,
    cwd: directory,
    root: parts.root ?? directory,
    checkOut: parts.checkOut,
  });
  let divergence: Divergence | undefined;
  try {
    const lookAtPath = createLookAtPath({ root: scratch.root, added: [] });
    const isInside = (path: string) => lookAtPath(path).place === "inside";
    const trees = planTrees(segments);
    const newTools = () => parts.newTools({ root: scratch.root, isInside });
    const shared = { records, counts, scratch, trees, newTools, isInside, editChoice: parts.editChoice ?? {} };
    for (const segment of segments) {
      divergence = await replaySegment(segment, shared);
      if (divergence !== undefined) break;
    }
  } finally {
    scratch.remove();
  }
  return {
    sessionId: first?.sessionId ?? "",
    records: records.length,
    requestsCompared: counts.requests,
    outcomesRunAgain: counts.ranAgain,
    outcomesFromRecord: counts.taken,
    ...(divergence !== undefined && { divergence }),
    ...(limit !== undefined && { notReplayable: limit }),
  };
}

/** Where the record stops being enough, whatever comes first. */
function limitOf(records: readonly FactRecord[]): CheckReport["notReplayable"] {
  const removed = records.find((record) => record.removed);
  const awoken = runOfNews(removed === undefined ? records : records.slice(0, removed.seq - 1));
  if (awoken !== undefined) return { seq: awoken.seq, why: "the session continued by itself for news of its agents" };
  return removed && { seq: removed.seq, why: "content was removed from the record" };
}

/** The first step of a run that nobody asked for: no agent works in a replay, so nothing would begin it. */
function runOfNews(records: readonly FactRecord[]): FactRecord | undefined {
  let isRunning = false;
  let isCompleted = false;
  return records.find(({ fact }) => {
    if (fact.type === "run.ended") {
      isRunning = false;
      isCompleted = fact.reason === "completed";
    }
    const begins = fact.type === "step.started" && fact.source === "main" && !isRunning;
    if (begins || fact.type === "prompt.admitted") isRunning = true;
    return begins && isCompleted && fact.prompts.length === 0 && hearsOfAgents(fact);
  });
}
