/** One step of a random session: its answer, its calls, and what happens around them. */
import { type AssistantBlock, type FactOf, noUsage, type PermissionDecision, type ToolOutcome } from "@kedge/protocol";
import { chance, cost, emit, pick, type Scene } from "./random-scene.ts";

const allowed: PermissionDecision = { behavior: "allow", source: "mode", reason: "random", rules: [] };

/** False when the run ends with it. */
export function playStep(scene: Scene, runId: string, turn: number): boolean {
  const { state } = scene;
  const stepId = scene.newId("stp_");
  const content = answerOf(scene);
  const prompts = state.queue
    .filter((prompt) => prompt.delivery === "steer" || prompt.runId === runId)
    .map(({ promptId, delivery }) => ({
      promptId,
      form: delivery === "steer" ? ("steer" as const) : ("prompt" as const),
    }));
  const reminders = chance(scene, 0.2) ? ["Mind the list.", "Mind the mode."] : [];
  const before = reminders.length > 0 && chance(scene, 0.5) ? { remindersBefore: 1 } : {};
  const asked = { source: "main", model: state.model, requestId: stepId } as const;
  emit(scene, { type: "step.started", stepId, runId, turn, ...asked, prompts, reminders, ...before });
  for (const piece of chance(scene, 0.4) ? piecesOf(content) : []) {
    emit(scene, { type: "step.progressed", stepId, appended: [piece] });
  }
  const calls = content.flatMap((block) => (block.type === "tool-call" ? [block] : []));
  const [first] = calls;
  if (first !== undefined && chance(scene, 0.3)) {
    startCall(scene, stepId, first.callId);
    if (chance(scene, 0.5)) endCall(scene, { stepId, callId: first.callId, outcome: "completed" });
  }
  // The process died, and what closes the run is all that follows.
  if (chance(scene, 0.05)) return false;
  const outcome = pick<FactOf<"step.ended">["outcome"]>(scene, [
    "answered",
    "answered",
    "answered",
    "failed",
    "interrupted",
  ]);
  const failure = {
    code: outcome === "failed" ? "server_error" : "aborted",
    message: "It broke.",
    retryable: false,
  } as const;
  emit(scene, {
    type: "step.ended",
    stepId,
    outcome,
    content,
    usage: { ...noUsage, input: 10, output: 5 },
    cost,
    ...(outcome === "answered" ? { stopReason: calls.length > 0 ? "tool-calls" : "end" } : { failure }),
    ...(chance(scene, 0.1) && { retries: [{ attempt: 1, code: "server_overload", delayMs: 5 }] }),
    durationMs: 3,
  });
  playCalls(scene, { stepId, calls: calls.map(({ callId }) => callId), isAnswered: outcome === "answered" });
  return outcome === "answered" && calls.length > 0;
}

function answerOf(scene: Scene): AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  for (let times = scene.random.below(5); times > 0; times -= 1) {
    const callId = scene.newId("call_");
    blocks.push(
      pick<AssistantBlock>(scene, [
        { type: "text", text: `Words before ${callId}.` },
        { type: "reasoning", text: `Thoughts before ${callId}.`, signature: "signed" },
        { type: "reasoning", text: "", signature: "hidden" },
        { type: "vendor", kind: "search", json: "{}" },
        { type: "tool-call", callId, tool: "read", inputText: `{"path":"${callId}"}` },
        { type: "tool-call", callId, tool: "bash", inputText: `{"command":"${callId}"}` },
      ]),
    );
  }
  return blocks;
}

/** Some of the answer, as it is stored while it streams: texts in halves, everything else whole. */
function piecesOf(content: readonly AssistantBlock[]): readonly AssistantBlock[] {
  return content.slice(0, 2).flatMap((block): readonly AssistantBlock[] => {
    if (block.type !== "text") return [block];
    const half = Math.ceil(block.text.length / 2);
    return [
      { ...block, text: block.text.slice(0, half) },
      { ...block, text: block.text.slice(half) },
    ];
  });
}

type PlayedCalls = { readonly stepId: string; readonly calls: readonly string[]; readonly isAnswered: boolean };

function playCalls(scene: Scene, { stepId, calls, isAnswered }: PlayedCalls): void {
  const { state } = scene;
  for (const callId of calls) {
    const call = state.calls.get(callId);
    const last = scene.facts.findLast((fact) => fact.type === "tool.ended" && fact.callId === callId);
    if (call?.result !== undefined || last !== undefined) continue;
    // A run that is killed here leaves the call open.
    if (chance(scene, 0.05)) return;
    if (!isAnswered) endCall(scene, { stepId, callId, outcome: "interrupted" });
    else if (call?.started)
      endCall(scene, { stepId, callId, outcome: pick(scene, ["completed", "failed", "interrupted"]) });
    else playCall(scene, stepId, callId);
  }
  if (isAnswered && calls.length > 0 && chance(scene, 0.3)) {
    const files = [{ path: `${stepId}.txt`, status: "added" }] as const;
    const uncovered = chance(scene, 0.2) ? ["huge.bin"] : [];
    emit(scene, {
      type: "files.changed",
      stepId,
      before: `before ${stepId}`,
      after: `after ${stepId}`,
      files,
      uncovered,
    });
  }
  if (state.checkpoint?.placeId !== undefined && state.checkpoint.stepId !== stepId && chance(scene, 0.3)) {
    emit(scene, { type: "conversation.rewound", stepId, report: "It was a dead end.", files: [] });
  }
}

function playCall(scene: Scene, stepId: string, callId: string): void {
  if (chance(scene, 0.2)) askPermission(scene, stepId, callId);
  if (chance(scene, 0.15)) {
    endCall(scene, { stepId, callId, outcome: pick(scene, ["refused", "failed"]) });
    return;
  }
  startCall(scene, stepId, callId);
  if (chance(scene, 0.1))
    emit(scene, { type: "todos.replaced", todos: [{ content: callId, status: "pending", priority: "low" }] });
  if (chance(scene, 0.1)) {
    const requestId = scene.newId("qst_");
    emit(scene, { type: "question.asked", requestId, callId, questions: [{ question: "Which?", options: [] }] });
    emit(scene, { type: "question.answered", requestId, answers: ["That one."] });
  }
  if (chance(scene, 0.1)) {
    const jobId = scene.newId("job_");
    emit(scene, { type: "job.started", jobId, callId, command: "sleep 1" });
    if (chance(scene, 0.5)) emit(scene, { type: "job.ended", jobId, status: "done" });
  }
  if (chance(scene, 0.15)) {
    const child = `${callId}_1`;
    if (chance(scene, 0.7)) startCall(scene, stepId, child);
    const wasStarted = scene.state.calls.has(child);
    const outcome = wasStarted ? pick<ToolOutcome>(scene, ["completed", "failed"]) : "refused";
    endCall(scene, { stepId, callId: child, outcome, parentCallId: callId });
  }
  if (scene.state.checkpoint === undefined && chance(scene, 0.15)) {
    emit(scene, { type: "checkpoint.opened", stepId, callId, goal: "Find out." });
  }
  if (chance(scene, 0.05)) emit(scene, { type: "pressure.changed", level: "elevated", score: 1, contributions: [] });
  endCall(scene, { stepId, callId, outcome: pick(scene, ["completed", "completed", "completed", "failed"]) });
}

function askPermission(scene: Scene, stepId: string, callId: string): void {
  const requestId = scene.newId("per_");
  const asked = { tool: "bash", permission: "bash", patterns: ["ls"], always: [], reason: "random" };
  emit(scene, { type: "permission.asked", stepId, requestId, callId, ...asked });
  const { boot } = scene.state;
  emit(scene, { type: "permission.answered", requestId, callId, reply: "once", source: "user", boot, grants: [] });
}

function startCall(scene: Scene, stepId: string, callId: string): void {
  const snapshot = chance(scene, 0.3) && { snapshot: `before ${stepId}` };
  const inputText = `{"of":"${callId}"}`;
  emit(scene, {
    type: "tool.started",
    callId,
    stepId,
    tool: "bash",
    inputText,
    readOnly: false,
    decision: allowed,
    ...snapshot,
  });
}

type CallEnd = Pick<FactOf<"tool.ended">, "stepId" | "callId" | "outcome" | "parentCallId">;

function endCall(scene: Scene, end: CallEnd): void {
  const title = chance(scene, 0.5) && { title: `Ran ${end.callId}` };
  emit(scene, { type: "tool.ended", tool: "bash", output: `Output of ${end.callId}.`, ...title, phases: {}, ...end });
}
