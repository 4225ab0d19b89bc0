/** Facts of short conversations, numbered so that tests can name their messages. */
import { type Fact, noUsage, runWithoutSteps } from "@kedge/protocol";

export function started(step: number, prompts: readonly string[] = []): Fact {
  return {
    type: "step.started",
    stepId: `s${step}`,
    runId: `r${step}`,
    turn: 1,
    source: "main",
    model: "mock/small",
    requestId: `q${step}`,
    prompts: prompts.map((promptId) => ({ promptId, form: "prompt" })),
    reminders: [],
  };
}

/** Says the text and calls `read`. */
export function answerStep(step: number, text: string, filePath = "a.ts"): Fact {
  return {
    type: "step.ended",
    stepId: `s${step}`,
    outcome: "answered",
    content: [
      { type: "text", text },
      { type: "tool-call", callId: `c${step}`, tool: "read", inputText: JSON.stringify({ filePath }) },
    ],
    usage: { ...noUsage, input: 10, output: 2 },
    cost: { usd: 0.001, estimated: false },
    stopReason: "tool-calls",
    durationMs: 1,
  };
}

export function readCall(step: number, output: string, filePath = "a.ts"): readonly Fact[] {
  const call = { callId: `c${step}`, stepId: `s${step}`, tool: "read" };
  const decision = { behavior: "allow", source: "default", reason: "test", rules: [] } as const;
  return [
    { type: "tool.started", ...call, inputText: JSON.stringify({ filePath }), readOnly: true, decision },
    { type: "tool.ended", ...call, outcome: "completed", output, phases: { run: 1 } },
  ];
}

export function ended(step: number): Fact {
  return { type: "run.ended", runId: `r${step}`, ...runWithoutSteps("completed", "done") };
}

/** A prompt `p<n>`, an answer `s<n>` that calls `read` for the last word of the prompt if that is a path, and the end. */
export function conversation(step: number, text: string): readonly Fact[] {
  const promptId = `p${step}`;
  const last = text.split(" ").at(-1) ?? "";
  const filePath = last.endsWith(".ts") ? last : "none";
  return [
    { type: "prompt.admitted", promptId, runId: `r${step}`, delivery: "follow-up", text },
    started(step, [promptId]),
    answerStep(step, "done", filePath),
    ...readCall(step, "the output is not searched: parser harbour lighthouse", filePath),
    ended(step),
  ];
}
