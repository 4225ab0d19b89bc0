/** Runs agents: the one value that tools, screens and workflows work with. */
import { type AgentRuns, type Answer, notFound, refused } from "@kedge/protocol";
import { findAgent, listAgents, type ParkedSessions } from "./agent-list.ts";
import { createAgentNames } from "./agent-names.ts";
import { type AgentRounds, createAgentRounds } from "./agent-rounds.ts";
import type { AgentRunsParts } from "./agent-sessions.ts";
import { continueAgent, findRecord } from "./continue-agent.ts";
import { messageAgent, readLateMail } from "./message-agent.ts";
import { createPlaces } from "./places.ts";
import { type StartParts, startAgent } from "./start-agent.ts";

const reviveText = "Continue your task from where you stopped.";

export function createAgentRuns(given: AgentRunsParts): AgentRuns {
  const { sessions } = given;
  const rounds: AgentRounds = createAgentRounds(given, (agentId) => {
    void rounds.alone(agentId, () => readLateMail(parts, agentId));
  });
  const parts: StartParts = {
    ...given,
    rounds,
    places: createPlaces(given.settings.maxParallel),
    names: createAgentNames(sessions),
  };
  const parked: ParkedSessions = new Map();
  const lastAction = (agentId: string) => rounds.running(agentId)?.lastAction();

  async function colors() {
    const table = await given.table();
    return (agent: string) => table.find(agent)?.color;
  }

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
    list: async (rootId) => listAgents({ sessions, lastAction, parked, colorOf: await colors() }, rootId),
    find: async (agentId) => findAgent({ sessions, lastAction, colorOf: await colors() }, agentId),
    message: (agentId, text, from) => messageAgent(parts, agentId, text, from),
    async interrupt(agentId) {
      if (rounds.running(agentId)?.isResident !== true) return stop(agentId);
      await sessions.interrupt(agentId);
      return { ok: true, value: {} };
    },
    async dismiss(agentId) {
      const round = rounds.running(agentId);
      if (round?.isResident !== true) return refused(`Agent ${agentId} is not a running member of a team.`);
      round.dismiss();
      await round.ended;
      return { ok: true, value: {} };
    },
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
