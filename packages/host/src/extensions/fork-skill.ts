/** Runs a skill in an agent: a fork of the session, or an agent that the skill names. Its report comes back as data. */
import type { ForkSkill, SkillTask } from "@kedge/extend/skills";
import { type AgentEnd, type AgentOrder, type AgentRuns, fenceText, type ToolOutput } from "@kedge/protocol";

/** Whose turn limit a fork has. */
const agentDefault = "general";

export function createForkSkill(sessionId: string, runs: () => Promise<AgentRuns>): ForkSkill {
  return async (task, context) => {
    const { callId, signal, fence } = context;
    const title = task.skill.name;
    const started = await (await runs()).start(orderOf(task), { sessionId, callId }, signal);
    if (!started.ok) {
      const { message, recovery = "" } = started.failure;
      return { output: `The skill ${title} was not started. ${message} ${recovery}`.trim(), title, isError: true };
    }
    const end = await started.value.ended;
    return outputOf(title, end, (await fence(end.result)).text);
  };
}

function orderOf({ skill, task, agent, model }: SkillTask): AgentOrder {
  const order = { agent: agent ?? agentDefault, prompt: task, description: `Skill ${skill.name}` };
  // A fork has the model of its session, whose cache it uses.
  return agent === undefined ? { ...order, isFork: true } : { ...order, ...(model !== undefined && { model }) };
}

function outputOf(title: string, end: AgentEnd, report: string): ToolOutput {
  const { agentId, status, why, cost } = end;
  const isDone = status === "completed" || status === "max_turns";
  const fenced = fenceText(report, { source: "agent", id: agentId, status });
  const head = `The skill ${title} ran in an agent: ${status}.${why === undefined ? "" : ` ${why}`}`;
  return {
    output: `${head}\n${fenced}`,
    title,
    metadata: { skill: title, agentId, status, usd: cost.usd },
    ...(!isDone && { isError: true }),
  };
}
