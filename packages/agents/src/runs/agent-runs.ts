/** Runs agents: the one value that tools, screens and workflows work with. */
import { type AgentRuns, type Answer, notFound, refused } from "@kedge/protocol";
import { findAgent, listAgents, type ParkedSessions } from "./agent-list.ts";
import { createAgentRounds } from "./agent-rounds.ts";
import type { AgentRunsParts } from "./agent-sessions.ts";
import { continueAgent, findRecord } from "./continue-agent.ts";
import { messageAgent } from "./message-agent.ts";
import { createPlaces } from "./places.ts";
import { type StartParts, startAgent } from "./start-agent.ts";

const reviveText = "Continue your task from where you stopped.";

export function createAgentRuns(given: AgentRunsParts): AgentRuns {
  const { sessions } = given;
  const rounds = createAgentRounds(given);
  const parts: StartParts = { ...given, rounds, places: createPlaces(given.settings.maxParallel) };
  const parked: ParkedSessions = new Map();
  const lastAction = (agentId: string) => rounds.running(agentId)?.lastAction();

  async function stop(agentId: string): Promise<Answer<Record<never, never>>> {
    const round = rounds.running(agentId);
    if (round !== undefined) {
      round.cancel("cancelled");
      await round.ended;
      return { ok: true, value: {} };
    }
    return (await findRecord(parts, agentId)) === undefined
      ? notFound("agent", agentId)
      : refused(`Agent ${agentId} is not running.`);
  }

  return {
    start: (order, parent, signal) => startAgent(parts, order, parent, signal),
    list: (rootId) => listAgents({ sessions, lastAction, parked }, rootId),
    find: (agentId) => findAgent(sessions, agentId, lastAction),
    message: (agentId, text, from) => messageAgent(parts, agentId, text, from),
    interrupt: stop,
    async kill(agentId) {
      const below = rounds.below(agentId);
      const stopped = await stop(agentId);
      await Promise.all(below.map((id) => (rounds.running(id) === undefined ? undefined : stop(id))));
      await rounds.park(agentId);
      return stopped;
    },
    revive: (agentId, text = reviveText) =>
      rounds.alone(agentId, async () =>
        rounds.running(agentId) === undefined
          ? continueAgent(parts, agentId, (options) => sessions.submit(agentId, text, options))
          : refused(`Agent ${agentId} is running.`, "Send it a message instead."),
      ),
    close: rounds.close,
  };
}
