/** Drives the engine through what one process did with a session, from the inputs of the record. */
import type { Fact, FactRecord, Failure, SessionCommand, SessionCommandType, Tool } from "@kedge/protocol";
import { createMemoryStore } from "@kedge/store";
import type { Divergence } from "./divergence.ts";
import { recordedCommand } from "./recorded-command.ts";
import type { RecordedRun, Segment } from "./recorded-session.ts";
import { createRecordedStore } from "./recorded-store.ts";
import { createRecordedWorld, type ReplayCounts } from "./recorded-world.ts";
import { createReplayEngine, type ReplayEngineParts, replayHolder } from "./replay-engine.ts";
import { createReplayProvider } from "./replay-provider.ts";
import { runOptionsOf } from "./run-options.ts";
import type { ScratchWorkspace } from "./scratch-workspace.ts";
import { createStandInTools } from "./stand-in-tools.ts";

export type SegmentParts = {
  readonly records: readonly FactRecord[];
  readonly counts: ReplayCounts;
  readonly scratch: ScratchWorkspace;
  readonly trees: ReadonlyMap<string, string>;
  /** The tools of this kedge, for the throw-away workspace. */
  readonly newTools: () => readonly Tool[];
  readonly isInside: (path: string) => boolean;
  readonly editChoice: ReplayEngineParts["editChoice"];
};

/** A run that does not move for so long waits for something that the record does not have. */
const runWaitMsMax = 30_000;

const over: Failure = { code: "aborted", message: "The replay has ended.", retryable: false };

export async function replaySegment(segment: Segment, parts: SegmentParts): Promise<Divergence | undefined> {
  const { records, scratch } = parts;
  const sessionId = records[0]?.sessionId ?? "";
  const world = createRecordedWorld(records, parts.counts);
  const memory = createMemoryStore({
    now: () => world.time,
    randomBytes: (size) => new Uint8Array(size),
    isAlive: () => true,
  });
  const runs = segment.moves.flatMap((move) => (move.kind === "run" ? [move.run] : []));
  const ids = { prompt: "", run: "" };
  let gate = Promise.withResolvers<void>();
  let ended = Promise.withResolvers<void>();
  let isOver = false;
  let movements = 0;
  let isIdle = true;
  const interrupt = async () => void (await engine.send({ type: "turn.interrupt", sessionId }));
  const reachedEnd = () => ended.resolve();
  const deliverNow = (fact: Fact) => deliver(fact, world.step?.seq ?? 0);
  const provider = createReplayProvider({ world, interrupt, reachedEnd, deliver: deliverNow });
  const calledTools = records.flatMap(({ fact }) => (fact.type === "tool.ended" ? [fact.tool] : []));
  const standIns = { world, scratch, trees: parts.trees, isInside: parts.isInside, interrupt, reachedEnd };
  const engine = createReplayEngine({
    ...{ world, provider, scratch, sessionId, ids, editChoice: parts.editChoice },
    store: createRecordedStore(memory, world),
    newTools: () => createStandInTools(parts.newTools(), calledTools, standIns),
    async mayStart() {
      if (isIdle) return undefined;
      await gate.promise;
      if (isOver) return over;
      const { run } = world;
      return run?.steps.length === 0 ? run.end?.fact.failure : undefined;
    },
  });

  async function send(command: SessionCommand, seq: number): Promise<void> {
    const answer = await engine.send<SessionCommandType>(command);
    if (answer.ok) return;
    const what = `What was accepted then is refused now (${command.type}).`;
    world.diverge({ seq, kind: "run", what, expected: "accepted", got: answer.failure.message });
  }

  /** What came from outside comes again. */
  async function deliver(fact: Fact, seq: number): Promise<void> {
    if (fact.type === "context.cleared" || fact.type === "context.compacted" || fact.type === "message.added") {
      world.pending.push(fact);
      return;
    }
    if (fact.type === "prompt.admitted") {
      ids.prompt = fact.promptId;
      ids.run = fact.runId;
    }
    const command = recordedCommand(fact, sessionId, runs);
    if (command !== undefined) await send(command, seq);
  }

  async function open(): Promise<void> {
    const { before, opening } = segment;
    if (opening.type === "session.created") {
      return send({ type: "session.create", mode: "bypass", model: opening.model }, 1);
    }
    world.time = before.at(-1)?.time ?? 0;
    await memory.acquireLease(sessionId, replayHolder);
    const facts = before.map(({ fact }) => fact);
    await memory.append(sessionId, facts, { boot: replayHolder.boot, durable: false });
    return send({ type: "session.resume", sessionId, mode: "bypass" }, before.length + 1);
  }

  async function replayRun(run: RecordedRun): Promise<void> {
    world.run = run;
    world.begin(undefined);
    isIdle = false;
    ended = Promise.withResolvers<void>();
    const seq = run.steps[0]?.seq ?? run.end?.seq ?? 0;
    if (run.start.by === "prompt") await deliver(run.start.fact, seq);
    else if (run.start.by === "continue") {
      ids.run = run.runId;
      await send({ type: "run.continue", sessionId, options: runOptionsOf(run) }, seq);
    }
    for (const fact of run.early) await deliver(fact, seq);
    if (world.divergence() !== undefined) return;
    gate.resolve();
    if (await isStuck(ended.promise, () => movements)) {
      const at = world.step?.seq ?? seq;
      world.diverge({ seq: at, kind: "run", what: "The run never ends.", expected: "an end", got: "nothing" });
    }
  }

  /** In the moment in which the end is told, before the next run can begin by itself. */
  const unsubscribe = engine.subscribe(sessionId, (event) => {
    movements += 1;
    if (event.kind === "signal" && event.signal.type === "run.unrecorded") {
      const { message: got } = event.signal.failure;
      const seq = world.step?.seq ?? 0;
      world.diverge({ seq, kind: "run", what: "The run failed.", expected: "an end", got });
    } else if (event.kind === "signal" || event.record.fact.type !== "run.ended") return;
    gate = Promise.withResolvers<void>();
    ended.resolve();
  });
  try {
    await open();
    for (const move of segment.moves) {
      if (world.divergence() !== undefined) break;
      if (move.kind === "run") await replayRun(move.run);
      else {
        isIdle = true;
        await deliver(move.fact, move.seq);
        isIdle = false;
      }
    }
    return world.divergence();
  } finally {
    isOver = true;
    gate.resolve();
    await engine.close();
    unsubscribe();
  }
}

/** True when nothing moved for too long. */
async function isStuck(work: Promise<void>, movements: () => number): Promise<boolean> {
  const ended = work.then(() => "ended" as const);
  for (;;) {
    const before = movements();
    const timer = Promise.withResolvers<"late">();
    const timeout = setTimeout(() => timer.resolve("late"), runWaitMsMax);
    const first = await Promise.race([ended, timer.promise]);
    clearTimeout(timeout);
    if (first === "ended") return false;
    if (movements() === before) return true;
  }
}
