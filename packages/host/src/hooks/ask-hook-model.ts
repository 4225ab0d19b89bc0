/** Asks a model what a hook wants to know: a child session that may look around or not, and must give a verdict. */
import type { Engine } from "@kedge/engine";
import type { ModelQuestion, ModelVerdict } from "@kedge/extend/hooks";
import { type FactOf, isJsonObject, type JsonSchema, type Models, type SessionProfile } from "@kedge/protocol";

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
};

export async function askHookModel(
  { kind, prompt, model, sessionId, timeoutMs }: ModelQuestion,
  { engine, models, profile }: HookModelParts,
  signal: AbortSignal,
): Promise<ModelVerdict> {
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
    if (deadline.aborted) return { ok: false, problem: `it gave no verdict within ${timeoutMs / 1_000} s` };
    if (!isJsonObject(structured)) return { ok: false, problem: failure?.message ?? `it gave no verdict (${reason})` };
    const { ok, reason: why } = structured;
    return { ok: true, isGood: ok === true, ...(typeof why === "string" && { reason: why }) };
  } finally {
    deadline.removeEventListener("abort", stop);
    unsubscribe();
  }
}
