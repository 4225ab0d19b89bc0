/** The steps of a workflow: each agent it asks for is started once, and never again after it completed. */
import { createHash } from "node:crypto";
import {
  type AgentEnd,
  type AgentOrder,
  type AgentRuns,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from "@kedge/protocol";

export type WorkflowStep = {
  /** Counted from 1, in the order in which the workflow asked. */
  readonly number: number;
  readonly label: string;
  readonly agent: string;
  readonly state: "started" | "reused" | "completed" | "failed";
  readonly agentId?: string;
  readonly usd?: number;
  readonly durationMs?: number;
  /** Why it failed. */
  readonly problem?: string;
};

export type WorkflowStepsParts = {
  readonly runs: Pick<AgentRuns, "start" | "list">;
  readonly sessionId: string;
  readonly runId: string;
  readonly onStep: (step: WorkflowStep) => void;
};

export type WorkflowSteps = {
  /** Answers the wish `agent` of a workflow: `{ok: true, value}` or `{ok: false, problem}`. */
  agent(wish: JsonObject, signal: AbortSignal): Promise<JsonObject>;
};

/** A loop that asks for agents without end must not spend without end. */
const stepsMax = 1_000;
const agentDefault = "general";
const labelCharactersMax = 80;

/** Before the first step: agents of the session that are there already belong to earlier rounds. */
export async function openWorkflowSteps({
  runs,
  sessionId,
  runId,
  onStep,
}: WorkflowStepsParts): Promise<WorkflowSteps> {
  const earlier = new Set((await runs.list(sessionId)).map(({ agentId }) => agentId));
  /** How often each content was asked for in this round. */
  const counts = new Map<string, number>();
  let asked = 0;

  return {
    async agent(wish, signal) {
      const order = readOrder(wish);
      if (typeof order === "string") return { ok: false, problem: order };
      asked += 1;
      if (asked > stepsMax) return { ok: false, problem: `a workflow starts at most ${stepsMax} agents` };
      const content = contentOf(order);
      const nth = (counts.get(content) ?? 0) + 1;
      counts.set(content, nth);
      const step = { number: asked, label: order.description, agent: order.agent };
      const key = `workflow:${runId}:${content}:${nth}`;
      const started = await runs.start({ ...order, key }, { sessionId }, signal);
      if (!started.ok) {
        const { message: problem } = started.failure;
        onStep({ ...step, state: "failed", problem });
        return { ok: false, problem };
      }
      const { agentId, ended } = started.value;
      const isReused = earlier.has(agentId);
      if (!isReused) onStep({ ...step, state: "started", agentId });
      const end = await ended;
      const { reply, problem } = replyOf(end, order.outputSchema !== undefined);
      const spent = { agentId, usd: end.cost.usd, durationMs: end.durationMs };
      if (problem !== undefined) onStep({ ...step, state: "failed", ...spent, problem });
      else onStep({ ...step, state: isReused ? "reused" : "completed", ...spent });
      return reply;
    },
  };
}

type StepOrder = Pick<AgentOrder, "agent" | "prompt" | "description" | "model" | "outputSchema">;

/** A sentence about what is wrong with it otherwise. */
function readOrder(wish: JsonObject): StepOrder | string {
  const { prompt, schema, label, model } = wish;
  const agent = wish["agent"] ?? wish["agentType"] ?? wish["subagent_type"] ?? agentDefault;
  if (typeof prompt !== "string" || prompt.trim() === "") return "agent() needs a prompt";
  if (typeof agent !== "string") return "the option agent must be the name of an agent";
  if (schema !== undefined && !isJsonObject(schema)) return "the option schema must be a JSON schema";
  if (model !== undefined && typeof model !== "string") return "the option model must be a string";
  const words = typeof label === "string" && label.trim() !== "" ? label : prompt;
  const description = words.replaceAll(/\s+/g, " ").trim().slice(0, labelCharactersMax);
  return {
    ...{ agent, prompt, description },
    ...(model !== undefined && { model }),
    // A schema of any form is checked by whoever starts the agent.
    ...(schema !== undefined && { outputSchema: schema as JsonSchema }),
  };
}

/** What decides what the agent does: the same content asked for again is another agent, by its count. */
function contentOf({ agent, prompt, description, model, outputSchema }: StepOrder): string {
  const parts = [agent, prompt, description, model ?? null, outputSchema ?? null];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

function replyOf(end: AgentEnd, hasSchema: boolean): { readonly reply: JsonObject; readonly problem?: string } {
  const { status, result, structured, why } = end;
  const isDone = status === "completed" || status === "max_turns";
  if (isDone && (!hasSchema || structured !== undefined)) {
    const value: Json = hasSchema ? (structured ?? null) : result;
    return { reply: { ok: true, value } };
  }
  const problem = why ?? (isDone ? "it ended without the requested value" : `it ended as ${status}`);
  return { reply: { ok: false, problem }, problem };
}
