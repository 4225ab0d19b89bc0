/** Another round of an agent that has ended: because somebody wrote to it, or because it is revived. */
import {
  type AgentRecord,
  type Answer,
  type FactOf,
  notFound,
  type RunOptions,
  refused,
  type StartedAgent,
} from "@kedge/protocol";
import { forkName } from "../forks/fork-profile.ts";
import type { OpenAgentSession } from "./agent-sessions.ts";
import { optionsOf, profileFor, type StartParts } from "./start-agent.ts";

export type FoundRecord = {
  readonly parentId: string;
  /** Undefined where the session that it works for is not open here. */
  readonly leader: OpenAgentSession | undefined;
  readonly record: AgentRecord;
};

/** An id alone is no proof: the session it works for must know it too. */
export async function findRecord({ sessions }: StartParts, agentId: string): Promise<FoundRecord | undefined> {
  const state = sessions.find(agentId)?.state ?? (await sessions.stored(agentId));
  const parentId = state?.origin?.kind === "child" ? state.origin.sessionId : undefined;
  if (parentId === undefined) return undefined;
  const leader = sessions.find(parentId);
  const record = (leader?.state ?? (await sessions.stored(parentId)))?.agents.get(agentId);
  return record === undefined ? undefined : { parentId, leader, record };
}

/** To be called alone. `speak` is what makes it work again, once its session is open. */
export async function continueAgent(
  parts: StartParts,
  agentId: string,
  speak: (options: RunOptions) => Promise<Answer<object>>,
): Promise<Answer<StartedAgent>> {
  const { sessions } = parts;
  const found = await findRecord(parts, agentId);
  if (found === undefined) return notFound("agent", agentId);
  const { leader, record } = found;
  if (leader === undefined)
    return refused(`The session of agent ${agentId} is not open.`, `Resume ${found.parentId} first.`);
  if (record.agent === forkName)
    return refused(
      "A fork cannot be continued, because it shares the conversation of its session.",
      "Start a new one.",
    );
  const table = await parts.table();
  const definition = table.find(record.agent);
  if (definition === undefined) return refused(table.unknown(record.agent));
  const past = sessions.find(agentId)?.state ?? (await sessions.stored(agentId));
  if (past === undefined) return refused(`Agent ${agentId} never started, so nothing can be continued.`);
  const { name, key, depth, description } = record;
  const started: FactOf<"agent.started"> = {
    type: "agent.started",
    ...{ agentId, agent: record.agent, description, depth, isBackground: true, isRevived: true },
    afterSeq: past.lastSeq,
    ...(name !== undefined && { name }),
    ...(key !== undefined && { key }),
  };
  const options = optionsOf(definition);
  const isAway = past.directory !== leader.state.directory;
  const worktree = isAway ? await parts.openWorktree?.(agentId, leader.profile) : undefined;
  if (worktree?.ok === false) return worktree;
  return parts.rounds.begin(leader, started, {
    options,
    past: { ...past },
    leavePlace: () => undefined,
    ...(worktree !== undefined && { worktree: worktree.value }),
    async begin() {
      if (sessions.find(agentId) === undefined) {
        const resumed = await sessions.resume(
          agentId,
          await profileFor(parts, definition, worktree?.value.profile ?? leader.profile, started),
        );
        if (!resumed.ok) return resumed.failure.message;
      }
      await parts.onRound(definition, agentId);
      const spoken = await speak(options);
      return spoken.ok ? undefined : spoken.failure.message;
    },
  });
}
