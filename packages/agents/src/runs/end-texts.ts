/** Ends of agents in words, for the model and for people. */
import type { AgentEnd, AgentRecord } from "@kedge/protocol";

/** What a notification says. The text of the agent is data, and stands behind the first line. */
export function describeEnd({ agent, agentId, name, description, end }: AgentRecord): string {
  if (end === undefined) return "";
  const who = name === undefined ? `${agent} agent ${agentId}` : `${agent} agent ${name} (${agentId})`;
  const head = `The ${who}, "${description}", ended: ${summaryOf(end)}.`;
  return [head, ...bodyOf(end)].join("\n");
}

/** `completed, 3 turns, 12.3 s, $0.0042`. */
export function summaryOf({ status, turns, durationMs, cost }: AgentEnd): string {
  const words = [
    status,
    `${turns} ${turns === 1 ? "turn" : "turns"}`,
    `${(durationMs / 1_000).toFixed(1)} s`,
    ...(cost.usd > 0 ? [`$${cost.usd.toFixed(4)}`] : []),
  ];
  return words.join(", ");
}

export function bodyOf({ result, structured, why, outputPath }: AgentEnd): readonly string[] {
  return [
    ...(why === undefined ? [] : [why]),
    ...(structured === undefined ? [] : [JSON.stringify(structured)]),
    ...(structured !== undefined || result === "" ? [] : [result]),
    ...(outputPath === undefined ? [] : [`The whole output: ${outputPath}`]),
  ];
}
