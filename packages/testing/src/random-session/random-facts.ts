/** Random sessions: facts in orders that the engine could have written them in. */

import { emptySession, type Fact, type FactRecord, noUsage, runWithoutSteps } from "@kedge/protocol";
import type { SeededRandom } from "../seeded-random.ts";
import { chance, cost, emit, pick, type Scene, sessionId } from "./random-scene.ts";
import { playStep } from "./random-step.ts";

/** A session with about this many model calls; every run in it has ended. */
export function randomSession(random: SeededRandom, { steps }: { readonly steps: number }): Fact[] {
  let count = 0;
  const newId = (prefix: string) => {
    count += 1;
    return `${prefix}${String(count).padStart(6, "0")}`;
  };
  const scene: Scene = { random, facts: [], state: emptySession(sessionId), newId, stepsLeft: steps };
  emit(scene, {
    type: "session.created",
    directory: "/work",
    projectId: "project",
    model: "mock/one",
    mode: "default",
    kedgeVersion: "0.0.0",
    boot: "boot_1",
  });
  while (scene.stepsLeft > 0) {
    playRun(scene);
    for (let times = random.below(3); times > 0; times -= 1) playBetween(scene);
  }
  return scene.facts;
}

/** The facts as a store would number them, ten milliseconds apart. */
export function recordsOf(facts: readonly Fact[], id: string = sessionId): readonly FactRecord[] {
  return facts.map((fact, index) => ({
    sessionId: id,
    seq: index + 1,
    time: 1_000 + index * 10,
    fact,
    prev: `hash ${index}`,
    hash: `hash ${index + 1}`,
  }));
}

function admit(scene: Scene, runId: string, delivery: "steer" | "follow-up"): string {
  const promptId = scene.newId("prm_");
  const media = { name: "a.png", mediaType: "image/png", base64: "AAAA" };
  const attachments = chance(scene, 0.2) && { attachments: [media] };
  emit(scene, { type: "prompt.admitted", promptId, runId, delivery, text: `Do ${promptId}.`, ...attachments });
  return promptId;
}

function playRun(scene: Scene): void {
  const runId = scene.state.queue[0]?.runId ?? scene.newId("run_");
  if (scene.state.queue.length === 0) admit(scene, runId, "follow-up");
  if (chance(scene, 0.1)) emit(scene, { type: "mode.changed", mode: pick(scene, ["default", "plan", "auto"]) });
  if (chance(scene, 0.1)) emit(scene, { type: "model.changed", model: pick(scene, ["mock/one", "mock/two"]) });
  for (let turn = 1; turn <= 1 + scene.random.below(4); turn += 1) {
    scene.stepsLeft -= 1;
    if (!playStep(scene, runId, turn)) break;
    playDuringRun(scene, runId);
  }
  if (chance(scene, 0.1)) {
    emit(scene, { type: "session.resumed", boot: scene.newId("boot_"), mode: scene.state.mode });
  }
  emit(scene, { type: "run.ended", runId, ...runWithoutSteps("completed", "Done.") });
}

function playDuringRun(scene: Scene, runId: string): void {
  if (chance(scene, 0.2)) admit(scene, runId, "steer");
  if (chance(scene, 0.15)) {
    const promptId = admit(scene, scene.newId("run_"), "follow-up");
    if (chance(scene, 0.5)) emit(scene, { type: "prompt.revised", promptId, text: `Rather do ${promptId}.` });
    if (chance(scene, 0.5)) emit(scene, { type: "prompt.withdrawn", promptId });
  }
  if (chance(scene, 0.1)) compact(scene);
  if (chance(scene, 0.1)) clear(scene);
}

/** What happens to a session while no run is under way. */
function playBetween(scene: Scene): void {
  const { state } = scene;
  const entries = [...state.tree.keys()];
  const entryId = entries[scene.random.below(entries.length)];
  switch (scene.random.below(12)) {
    case 0: {
      const promptId = state.undoPoints.at(-1)?.promptId;
      if (promptId === undefined) return;
      const files = [{ path: "a.txt", status: "modified" }] as const;
      const back = { promptId, ...(chance(scene, 0.2) && { only: "files" as const }), restores: [], files };
      emit(scene, { type: "session.reverted", ...back, snapshot: `before undo of ${promptId}` });
      if (chance(scene, 0.4)) emit(scene, { type: "session.unreverted", ...back });
      return;
    }
    case 1:
      emit(scene, { type: "session.resumed", boot: scene.newId("boot_"), mode: state.mode });
      return;
    case 2:
      emit(scene, { type: "leaf.moved", ...(entryId !== undefined && chance(scene, 0.9) && { leafId: entryId }) });
      return;
    case 3:
      if (entryId !== undefined)
        emit(scene, { type: "entry.labelled", entryId, ...(chance(scene, 0.8) && { label: entryId }) });
      return;
    case 4:
      emit(scene, {
        type: "message.added",
        messageId: scene.newId("msg_"),
        kind: "branch-summary",
        text: "Elsewhere.",
      });
      return;
    case 5:
      emit(scene, {
        type: "session.updated",
        title: `Title ${scene.facts.length}`,
        titleSource: "model",
        usage: noUsage,
        cost,
      });
      return;
    case 6:
      emit(scene, { type: "session.updated", isArchived: chance(scene, 0.5) });
      return;
    case 7:
      compact(scene);
      return;
    case 8:
      clear(scene);
      return;
    case 9: {
      const failure = { code: "server_error", message: "No.", retryable: true } as const;
      emit(scene, { type: "compaction.failed", trigger: "threshold", failure, usage: noUsage, cost });
      return;
    }
    case 10:
      emit(scene, { type: "command.ran", command: "/cost", text: "1 $" });
      return;
    default:
      if (state.checkpoint !== undefined) emit(scene, { type: "checkpoint.discarded" });
  }
}

function compact(scene: Scene): void {
  const { items } = scene.state;
  if (scene.state.leaf === undefined) return;
  const kept = items[scene.random.below(items.length)];
  emit(scene, {
    type: "context.compacted",
    compactionId: scene.newId("cmp_"),
    trigger: "threshold",
    strategy: "summary",
    summary: "What was done.",
    shortSummary: "Done.",
    restored: chance(scene, 0.5) ? ["A file."] : [],
    ...(chance(scene, 0.3) && {
      vendorHistory: { provider: "mock", family: "model", json: '{"type":"compaction"}', tokens: 9 },
    }),
    ...(kept !== undefined && chance(scene, 0.5) && { firstKeptId: kept.id }),
    files: { read: [], modified: [] },
    itemsReplaced: items.length,
    tokensBefore: 100,
    tokensAfter: 10,
    boundary: { mode: scene.state.mode },
    model: scene.state.model,
    usage: noUsage,
    cost,
  });
}

function clear(scene: Scene): void {
  const results = scene.state.items.flatMap((item) =>
    item.type === "results"
      ? item.results
          .filter(({ outcome, cleared }) => outcome === "completed" && cleared === undefined)
          .map(({ callId }) => ({ stepId: item.stepId, callId, text: "[cleared]" }))
      : [],
  );
  if (results.length > 0) emit(scene, { type: "context.cleared", reason: "size", results, tokensFreed: 1 });
}
