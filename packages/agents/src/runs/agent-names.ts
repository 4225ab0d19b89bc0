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

/** What `send_message` understands otherwise. Ids of sessions begin with `ses_`. */
const reserved = /^(?:leader|parent|ses_.*)$/i;

export interface AgentNames {
  /** Letters, digits, `.`, `_` and `-`; one that is taken gets a number. It is kept until `release`. */
  take(wished: string, root: Readonly<SessionState>): string;
  /** Its agent is recorded, or never will be. */
  release(rootId: string, name: string): void;
}

/** Several agents may start at once: a name is taken before the record of its agent is stored. */
export function createAgentNames(sessions: Pick<AgentSessions, "find">): AgentNames {
  const starting = new Set<string>();
  return {
    take(wished, root) {
      const isStarting = (name: string) => starting.has(keyOf(root.sessionId, name));
      const name = uniqueName(wished, root, sessions, isStarting);
      starting.add(keyOf(root.sessionId, name));
      return name;
    },
    release: (rootId, name) => void starting.delete(keyOf(rootId, name)),
  };
}

function keyOf(rootId: string, name: string): string {
  return `${rootId} ${name.toLowerCase()}`;
}

function uniqueName(
  wished: string,
  root: Readonly<SessionState>,
  sessions: Pick<AgentSessions, "find">,
  isStarting: (name: string) => boolean,
): string {
  const plain =
    wished
      .trim()
      .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, nameCharactersMax) || "agent";
  const names = new Set(agentsBelow(root, sessions).map(({ name }) => name?.toLowerCase()));
  const isTaken = (name: string) => names.has(name.toLowerCase()) || isStarting(name);
  if (!isTaken(plain) && !reserved.test(plain)) return plain;
  const numbered = (number: number) => `${plain.slice(0, nameCharactersMax - `-${number}`.length)}-${number}`;
  let number = 2;
  while (isTaken(numbered(number))) number += 1;
  return numbered(number);
}
