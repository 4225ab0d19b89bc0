/** Names of agents: unique in a tree, so that a message finds one of them. */
import type { AgentRecord, SessionState } from "@kedge/protocol";
import type { AgentSessions } from "./agent-sessions.ts";

/** The session at the top, as far up as sessions are open here. */
export function rootOf(state: Readonly<SessionState>, sessions: Pick<AgentSessions, "find">): Readonly<SessionState> {
  const parent = state.origin?.kind === "child" ? sessions.find(state.origin.sessionId)?.state : undefined;
  return parent === undefined ? state : rootOf(parent, sessions);
}

/** All agents below a session that are known here. */
export function agentsBelow(
  state: Readonly<SessionState>,
  sessions: Pick<AgentSessions, "find">,
): readonly AgentRecord[] {
  return [...state.agents.values()].flatMap((agent) => {
    const own = sessions.find(agent.agentId)?.state;
    return own === undefined ? [agent] : [agent, ...agentsBelow(own, sessions)];
  });
}

const nameCharactersMax = 48;

/** Letters, digits, `.`, `_` and `-`; one that is taken gets a number. */
export function uniqueName(
  wished: string,
  root: Readonly<SessionState>,
  sessions: Pick<AgentSessions, "find">,
): string {
  const plain =
    wished
      .trim()
      .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, nameCharactersMax) || "agent";
  const taken = new Set(agentsBelow(root, sessions).map(({ name }) => name));
  if (!taken.has(plain)) return plain;
  let number = 2;
  while (taken.has(`${plain}-${number}`)) number += 1;
  return `${plain}-${number}`;
}
