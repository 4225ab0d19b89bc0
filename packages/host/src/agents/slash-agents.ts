/** `/agents`: what agents there are, what those of this session do, and what can be done about them. */
import type { Answer, Json, SessionState } from "@kedge/protocol";
import { agentsText, definitionsText, listAgentDefinitions } from "./list-agents.ts";
import type { OpenedAgents } from "./open-agents.ts";

export type AgentsAnswer = { readonly text: string; readonly data?: Json };

const usage =
  "Usage: /agents, or /agents with one of: definitions, show <agent>, message <agent> <text>, interrupt <agent>, kill <agent>, revive <agent>.";

export async function runSlashAgents(
  argument: string,
  { sessionId }: SessionState,
  agents: OpenedAgents,
): Promise<AgentsAnswer> {
  const [, action = "list", target, rest = ""] = /^\s*(\S+)?(?:\s+(\S+))?\s*([\s\S]*?)\s*$/.exec(argument) ?? [];
  const definitions = async () => listAgentDefinitions(await agents.table(), await agents.unknownModels());
  if (action === "definitions") {
    const rows = await definitions();
    return { text: definitionsText(rows), data: toJson({ definitions: rows }) };
  }
  const runs = await agents.runs();
  const all = await runs.list(sessionId);
  if (action === "list" && target === undefined) {
    const rows = await definitions();
    const text = [agentsText(all), "", "Agents that can be started:", definitionsText(rows)].join("\n");
    return { text, data: toJson({ agents: all, definitions: rows }) };
  }
  if (target === undefined) return { text: usage };
  const found = all.find(({ agentId, name }) => agentId === target || name === target);
  if (found === undefined) return { text: `This session has no agent ${target}. List agents with /agents.` };
  const { agentId } = found;
  switch (action) {
    case "show": {
      const result = await agents.resultOf(agentId);
      return { text: [agentsText([found]), "", result || "No result yet."].join("\n"), data: toJson({ agent: found }) };
    }
    case "message":
      if (rest === "") return { text: "Add a message after the agent." };
      return told(await runs.message(agentId, rest, { kind: "user" }), `Sent to ${target}.`);
    case "interrupt":
      return told(await runs.interrupt(agentId), `Interrupted ${target}.`);
    case "kill":
      return told(await runs.kill(agentId), `Stopped ${target}.`);
    case "revive":
      return told(await runs.revive(agentId, rest === "" ? undefined : rest), `${target} continues.`);
    default:
      return { text: usage };
  }
}

function told(answer: Answer<object>, done: string): AgentsAnswer {
  if (answer.ok) return { text: done };
  const { message, recovery } = answer.failure;
  return { text: recovery === undefined ? message : `${message} ${recovery}` };
}

/** Rows are plain data; what is undefined is left out. */
function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
