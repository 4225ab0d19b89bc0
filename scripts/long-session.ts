/** Facts of long conversations for measurements: the same on every machine, and no two texts alike. */
import { type Fact, noUsage, runWithoutSteps, type Store } from "@kedge/protocol";

const stepsPerPrompt = 4;
const outputCharacters = 1_500;

export const writer = { boot: "bench", durable: false };

export const vocabulary = Array.from(
  { length: 4_000 },
  (_, index) => `${(index * 7919).toString(36)}word${index % 97}`,
);
let drawn = 1;
export function draw(below: number): number {
  drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((drawn / 2 ** 32) * below);
}
export const words = (count: number) =>
  Array.from({ length: count }, () => vocabulary[draw(vocabulary.length)]).join(" ");

export function stepFacts(id: string, runId: string, promptId: string | undefined): readonly Fact[] {
  const call = { callId: `call_${id}`, stepId: `stp_${id}`, tool: "read" };
  const inputText = JSON.stringify({ filePath: `src/${words(1)}.ts` });
  const prompts = promptId === undefined ? [] : [{ promptId, form: "prompt" as const }];
  const model = "mock/small";
  const decision = { behavior: "allow", source: "default", reason: "", rules: [] } as const;
  return [
    {
      type: "step.started",
      stepId: call.stepId,
      runId,
      turn: 1,
      source: "main",
      model,
      requestId: `q${id}`,
      prompts,
      reminders: [],
    },
    {
      type: "step.ended",
      stepId: call.stepId,
      outcome: "answered",
      content: [
        { type: "text", text: words(40) },
        { type: "tool-call", callId: call.callId, tool: call.tool, inputText },
      ],
      usage: { ...noUsage, input: 100, output: 50 },
      cost: { usd: 0.01, estimated: false },
      stopReason: "tool-calls",
      durationMs: 900,
    },
    { type: "tool.started", ...call, inputText, readOnly: true, decision },
    {
      type: "tool.ended",
      ...call,
      outcome: "completed",
      output: words(outputCharacters / 9),
      title: words(3),
      phases: { run: 2 },
    },
  ];
}

/** One prompt and its steps: as many messages as there are steps, and one. */
export function runFacts(id: string): readonly Fact[] {
  const [promptId, runId] = [`prm_${id}`, `run_${id}`];
  return [
    { type: "prompt.admitted", promptId, runId, delivery: "follow-up", text: words(25) },
    ...Array.from({ length: stepsPerPrompt }, (_, index) =>
      stepFacts(`${id}.${index}`, runId, index === 0 ? promptId : undefined),
    ).flat(),
    { type: "run.ended", runId, ...runWithoutSteps("completed", "done") },
  ];
}

export type Place = { readonly directory: string; readonly projectId: string; readonly model: string };

/** One of five places, unless one is named. */
export async function fill(store: Store, sessionId: string, messages: number, named?: Place): Promise<void> {
  const projectId = `project-${draw(5)}`;
  const place = { directory: `/work/${projectId}`, projectId, model: "mock/small", ...named, mode: "default" } as const;
  await store.append(sessionId, [{ type: "session.created", ...place, kedgeVersion: "0", boot: "bench" }], writer);
  for (let made = 0; made < messages; made += 1 + stepsPerPrompt) {
    await store.append(sessionId, runFacts(`${sessionId}-${made}`), writer);
  }
}
