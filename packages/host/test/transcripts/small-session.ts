/** One session with everything that a reader sees: a prompt, a thought, a call, an answer. */
import { type Fact, noUsage, runWithoutSteps } from "@kedge/protocol";

const cost = { usd: 0.5, estimated: false };
const usage = { ...noUsage, input: 10, output: 5 };

type Words = { readonly prompt: string; readonly thought: string; readonly output: string; readonly answer: string };

const plain: Words = {
  prompt: "What is in a.txt?",
  thought: "I should look.",
  output: "one\ntwo",
  answer: "It has **two** lines.",
};

export function smallSession(words: Partial<Words> = {}): readonly Fact[] {
  const { prompt, thought, output, answer } = { ...plain, ...words };
  const inputText = '{"path":"a.txt"}';
  const step = { runId: "run_r1", source: "main", model: "mock/one", reminders: [] } as const;
  const decision = { behavior: "allow", source: "mode", reason: "reading", rules: [] } as const;
  return [
    {
      type: "session.created",
      directory: "/work",
      projectId: "prj_1",
      model: "mock/one",
      mode: "default",
      kedgeVersion: "1.2.3",
      boot: "boot_1",
    },
    { type: "prompt.admitted", promptId: "prm_p1", runId: "run_r1", delivery: "follow-up", text: prompt },
    {
      type: "step.started",
      stepId: "stp_s1",
      turn: 1,
      requestId: "req_1",
      prompts: [{ promptId: "prm_p1", form: "prompt" }],
      ...step,
    },
    {
      type: "step.ended",
      stepId: "stp_s1",
      outcome: "answered",
      content: [
        { type: "reasoning", text: thought, signature: "signed" },
        { type: "text", text: "..." },
        { type: "tool-call", callId: "call_1", tool: "read", inputText },
      ],
      usage,
      cost,
      stopReason: "tool-calls",
      durationMs: 1,
    },
    { type: "tool.started", callId: "call_1", stepId: "stp_s1", tool: "read", inputText, readOnly: true, decision },
    {
      type: "tool.ended",
      callId: "call_1",
      stepId: "stp_s1",
      tool: "read",
      outcome: "completed",
      output,
      title: "a.txt",
      phases: {},
    },
    { type: "step.started", stepId: "stp_s2", turn: 2, requestId: "req_2", prompts: [], ...step },
    {
      type: "step.ended",
      stepId: "stp_s2",
      outcome: "answered",
      content: [{ type: "text", text: answer }],
      usage,
      cost,
      stopReason: "end",
      durationMs: 1,
    },
    { type: "run.ended", runId: "run_r1", ...runWithoutSteps("completed", answer) },
  ];
}
