/** Whether a run goes on because of agents when the model is done. */
import type { EngineParts } from "../parts.ts";
import type { AgentNews } from "../session/agent-news.ts";
import type { Run } from "./loop-state.ts";

export type HearParts = { readonly engine: Pick<EngineParts, "awaitsAgents">; readonly agentNews: AgentNews };

/** For ends and messages that came since the last step; where nobody is there afterwards, also for those to come. */
export async function hearsAgents(
  { engine, agentNews }: HearParts,
  { structured, signal }: Pick<Run, "structured" | "signal">,
  mayGoOn: () => boolean,
): Promise<boolean> {
  const isExpected = engine.awaitsAgents === true && agentNews.isExpected();
  if (!agentNews.isWaiting() && !isExpected) return false;
  if (structured?.accepted() !== undefined || !mayGoOn()) return false;
  if (isExpected) await agentNews.wait(signal);
  return agentNews.isWaiting() && !signal.aborted;
}
