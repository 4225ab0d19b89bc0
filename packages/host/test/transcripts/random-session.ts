/** Random sessions with branches, summaries, failures and calls that never ended. */
import { type AssistantBlock, applyRecord, emptySession, type Fact, noUsage, runWithoutSteps } from "@kedge/protocol";
import type { SeededRandom } from "@kedge/testing";

const cost = { usd: 0.25, estimated: false };
const usage = { ...noUsage, input: 3, output: 2 };

export function randomSession(random: SeededRandom, { runs }: { readonly runs: number }): readonly Fact[] {
  const facts: Fact[] = [];
  const state = emptySession("ses_random");
  let count = 0;
  const newId = (prefix: string) => `${prefix}x${++count}`;
  const chance = (share: number) => random.next() < share;
  const emit = (fact: Fact) => {
    facts.push(fact);
    applyRecord(state, { sessionId: "ses_random", seq: facts.length, time: 0, fact, prev: "", hash: "" });
  };
  const anyPlace = () => [...state.tree.keys()][random.below(Math.max(1, state.tree.size))];

  function playCall(stepId: string, callId: string): void {
    const decision = { behavior: "allow", source: "mode", reason: "random", rules: [] } as const;
    const call = { callId, stepId, tool: "bash" };
    if (chance(0.7)) emit({ type: "tool.started", ...call, inputText: "{}", readOnly: false, decision });
    if (chance(0.05)) return;
    const outcome = chance(0.7) ? "completed" : "failed";
    const media = chance(0.2) && { media: [{ name: "a.png", mediaType: "image/png", base64: "AAAA" }] };
    const metadata = chance(0.3) && { metadata: { exitCode: 1, lines: ["</x>"] } };
    emit({
      type: "tool.ended",
      ...call,
      outcome,
      output: `out of ${callId}`,
      phases: { run: 1 },
      ...media,
      ...metadata,
    });
  }

  function playStep(runId: string, turn: number): boolean {
    const stepId = newId("stp_");
    const prompts = state.queue.map(({ promptId }) => ({ promptId, form: "prompt" as const }));
    const reminders = chance(0.2) ? ["Mind the list."] : [];
    const asked = { source: "main", model: "mock/one", requestId: newId("req_") } as const;
    emit({ type: "step.started", stepId, runId, turn, ...asked, prompts, reminders });
    if (chance(0.2)) emit({ type: "step.progressed", stepId, appended: [{ type: "text", text: "Half " }] });
    const content: AssistantBlock[] = [];
    if (chance(0.4)) content.push({ type: "reasoning", text: `thinking ${stepId}`, signature: "signed" });
    if (chance(0.1)) content.push({ type: "vendor", kind: "search", json: "{}" });
    if (chance(0.6)) content.push({ type: "text", text: `Half of it: \u2028 é 𝒳 ${stepId}` });
    for (let calls = random.below(3); calls > 0; calls -= 1) {
      content.push({ type: "tool-call", callId: newId("call_"), tool: "bash", inputText: "{}" });
    }
    const failure = { code: "server_error", message: "It broke.", retryable: true } as const;
    const end = chance(0.1)
      ? ({ outcome: "failed", failure } as const)
      : ({ outcome: "answered", stopReason: "end" } as const);
    emit({ type: "step.ended", stepId, ...end, content, usage, cost, durationMs: 4 });
    const calls = end.outcome === "failed" ? [] : content.filter((block) => block.type === "tool-call");
    for (const { callId } of calls) playCall(stepId, callId);
    return calls.length > 0;
  }

  function playBetween(): void {
    const place = anyPlace();
    if (place === undefined) return;
    switch (random.below(7)) {
      case 0:
        emit({ type: "leaf.moved", ...(chance(0.9) && { leafId: place }) });
        return;
      case 1:
        emit({ type: "entry.labelled", entryId: place, label: "here" });
        return;
      case 2: {
        const kept = chance(0.5) && state.items[0] !== undefined && { firstKeptId: state.items[0].id };
        const texts = { summary: "All of it.", shortSummary: "All.", restored: [], files: { read: [], modified: [] } };
        const sizes = { itemsReplaced: state.items.length, tokensBefore: 9, tokensAfter: 1 };
        const boundary = { mode: "bypass", todos: [] };
        const about = { compactionId: newId("cmp_"), trigger: "manual", strategy: "summary", boundary } as const;
        emit({ type: "context.compacted", ...about, ...texts, ...sizes, ...kept, usage, cost });
        return;
      }
      case 3: {
        const promptId = state.undoPoints.at(-1)?.promptId;
        if (promptId === undefined) return;
        emit({ type: "session.reverted", promptId, snapshot: "tree", restores: [], files: [] });
        if (chance(0.5)) emit({ type: "session.unreverted", promptId, restores: [], files: [] });
        return;
      }
      case 4:
        emit({ type: "message.added", messageId: newId("msg_"), kind: "branch-summary", text: "Elsewhere." });
        return;
      case 5:
        emit({ type: "session.updated", title: `Title ${facts.length}`, titleSource: "user" });
        return;
      default:
        emit({ type: "mode.changed", mode: "bypass" });
    }
  }

  const place = { directory: "/there", projectId: "prj_there", model: "mock/there", mode: "bypass" } as const;
  emit({ type: "session.created", ...place, kedgeVersion: "1.2.3", boot: "boot_there" });
  for (let run = 0; run < runs; run += 1) {
    const runId = newId("run_");
    emit({ type: "prompt.admitted", promptId: newId("prm_"), runId, delivery: "follow-up", text: `Do ${run}` });
    for (let turn = 1; turn < 5 && playStep(runId, turn); turn += 1);
    emit({ type: "run.ended", runId, ...runWithoutSteps("completed", "Done.") });
    if (chance(0.6)) playBetween();
  }
  return facts;
}
