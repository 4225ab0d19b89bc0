/** An agent that somebody opens by itself: it keeps what its definition takes away, and those of the agents above it. */
import type { AgentDefinition, AgentTable } from "@kedge/agents/definitions";
import { childProfile } from "@kedge/agents/runs";
import { originOf, type SessionOrigin, type SessionProfile, type Store } from "@kedge/protocol";

export type OpenedAloneParts = {
  readonly table: AgentTable;
  readonly store: Pick<Store, "session" | "read">;
};

/** No tree is deeper; a record that says so was not written by kedge. */
const levelsMax = 8;

/** `given` is what a session of the user would be opened with. */
export async function openedAlone(
  given: SessionProfile,
  origin: SessionOrigin,
  { table, store }: OpenedAloneParts,
): Promise<SessionProfile> {
  const levels = [origin, ...(await agentsAbove(origin, store))].toReversed();
  return levels.reduce((above, level) => narrowedBy(above, level, table.find(level.agent ?? "")), given);
}

/** From the nearest to the one at the top. */
async function agentsAbove(origin: SessionOrigin, store: OpenedAloneParts["store"]): Promise<readonly SessionOrigin[]> {
  const above: SessionOrigin[] = [];
  let next: SessionOrigin | undefined = origin;
  while (next?.kind === "child" && above.length < levelsMax) {
    const summary = await store.session(next.sessionId);
    next = summary === undefined ? undefined : await originOf(summary, store);
    if (next?.agent !== undefined) above.push(next);
  }
  return above;
}

/** One whose definition nobody knows any more only reads. */
function narrowedBy(
  above: SessionProfile,
  { agent = "", depth = 1 }: SessionOrigin,
  definition: AgentDefinition | undefined,
): SessionProfile {
  if (definition === undefined) {
    const excludedTools = [...new Set([...(above.excludedTools ?? []), "agent"])];
    return { ...above, excludedTools, onlyLooks: true, agent: { name: agent, depth } };
  }
  const { toolNames, excludedTools, rules, prompt, onlyLooks, temperature } = childProfile(above, {
    ...{ definition, depth, calledName: undefined, sources: [], softRequestBudget: 0 },
    // Whoever opened it sits in front of it; its agents ended with its leader.
    ...{ isBackground: false, mayStartAgents: false },
  });
  const { workerTools: _, ...kept } = above;
  return {
    ...{ ...kept, rules, prompt, agent: { name: agent, depth } },
    ...(toolNames !== undefined && { toolNames }),
    ...(excludedTools !== undefined && { excludedTools }),
    ...(onlyLooks && { onlyLooks }),
    ...(temperature !== undefined && { temperature }),
  };
}
