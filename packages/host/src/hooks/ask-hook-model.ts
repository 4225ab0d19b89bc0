/** Asks a model what a hook wants to know: a child session that may look around or not, and must give a verdict. */
import type { Engine } from "@kedge/engine";
import type { ModelQuestion, ModelVerdict } from "@kedge/extend/hooks";
import {
  type AgentEnd,
  type AgentRuns,
  type FactOf,
  isJsonObject,
  type Json,
  type JsonSchema,
  type Models,
  type SessionProfile,
} from "@kedge/protocol";

const verdictSchema: JsonSchema = {
  type: "object",
  properties: {
    ok: { type: "boolean", description: "whether the condition is met" },
    reason: { type: "string", description: "why it is not" },
  },
  required: ["ok"],
};

/** What the agent of a hook may use; nothing that starts agents or plans. */
const agentTools: readonly string[] = ["read", "grep", "glob", "list", "bash"];
const agentTurnsMax = 50;
const promptTurnsMax = 3;

export type HookModelParts = {
  readonly engine: Engine;
  readonly models: Models;
  /** Without hooks, so that a hook never sets off another one. */
  readonly profile: SessionProfile;
  /** Absent where agents are turned off; what should look around then works in a plain child session. */
  readonly agents?: () => Promise<AgentRuns>;
};

export async function askHookModel(
  question: ModelQuestion,
  parts: HookModelParts,
  signal: AbortSignal,
): Promise<ModelVerdict> {
  const { kind, prompt, model, sessionId, timeoutMs } = question;
  const { engine, models, profile, agents } = parts;
  if (kind === "agent" && agents !== undefined) return askAgent(question, await agents(), signal);
  const beside = engine.openSessions().find(({ state }) => state.sessionId === sessionId)?.state.model;
  const named = model === undefined ? undefined : await models.find(model, beside);
  if (named?.ok === false) return { ok: false, problem: named.failure.message };
  const opened = await engine.send(
    {
      type: "session.create",
      parent: { sessionId },
      mode: "default",
      ...(named !== undefined && { model: named.model.ref }),
    },
    { profile: { ...profile, toolNames: kind === "agent" ? agentTools : [], interactive: false } },
  );
  if (!opened.ok) return { ok: false, problem: opened.failure.message };
  const child = opened.value.sessionId;
  try {
    return await ask(
      { engine, child, prompt, turnsMax: kind === "agent" ? agentTurnsMax : promptTurnsMax },
      timeoutMs,
      signal,
    );
  } finally {
    await engine.send({ type: "session.close", sessionId: child });
  }
}

/** An agent like any other: recorded before it starts, listed, and paid for by the session. */
async function askAgent(
  { prompt, model, sessionId, timeoutMs }: ModelQuestion,
  runs: AgentRuns,
  signal: AbortSignal,
): Promise<ModelVerdict> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const order = {
    ...{ agent: "hook", prompt, description: "Check for a hook", outputSchema: verdictSchema, isOwn: true as const },
    ...(model !== undefined && { model }),
  };
  const started = await runs.start(order, { sessionId }, deadline);
  if (!started.ok) return { ok: false, problem: started.failure.message.replace(/\.$/, "") };
  const { structured, why, status }: AgentEnd = await started.value.ended;
  if (signal.aborted) return { ok: false, problem: "it was interrupted" };
  if (deadline.aborted) return { ok: false, problem: late(timeoutMs) };
  return verdictOf(structured, why?.replace(/\.$/, "") ?? `it returned no verdict (${status})`);
}

function verdictOf(structured: Json | undefined, problem: string): ModelVerdict {
  if (!isJsonObject(structured)) return { ok: false, problem };
  const { ok, reason } = structured;
  return { ok: true, isGood: ok === true, ...(typeof reason === "string" && { reason }) };
}

function late(timeoutMs: number): string {
  return `it returned no verdict within ${timeoutMs / 1_000} s`;
}

type Asked = {
  readonly engine: Engine;
  readonly child: string;
  readonly prompt: string;
  readonly turnsMax: number;
};

async function ask(
  { engine, child, prompt, turnsMax }: Asked,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ModelVerdict> {
  const ended = Promise.withResolvers<FactOf<"run.ended">>();
  const unsubscribe = engine.subscribe(child, (event) => {
    if (event.kind === "fact" && event.record.fact.type === "run.ended") ended.resolve(event.record.fact);
  });
  const stop = () => void engine.send({ type: "turn.interrupt", sessionId: child });
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  deadline.addEventListener("abort", stop, { once: true });
  try {
    const options = { turnsMax, answerSchema: verdictSchema, reasoning: { effort: "off" } } as const;
    const submitted = await engine.send({
      type: "prompt.submit",
      sessionId: child,
      text: prompt,
      delivery: "steer",
      options,
    });
    if (!submitted.ok) return { ok: false, problem: submitted.failure.message };
    if (deadline.aborted) stop();
    const { structured, reason, failure } = await ended.promise;
    if (signal.aborted) return { ok: false, problem: "it was interrupted" };
    if (deadline.aborted) return { ok: false, problem: late(timeoutMs) };
    return verdictOf(structured, failure?.message ?? `it returned no verdict (${reason})`);
  } finally {
    deadline.removeEventListener("abort", stop);
    unsubscribe();
  }
}
