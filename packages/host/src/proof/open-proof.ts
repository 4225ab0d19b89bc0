/** Proof of work in sessions: tools that join a session with the command that needs them, and the guard of bug fixes. */
import type { Engine } from "@kedge/engine";
import {
  type CallPhase,
  emptySession,
  type Reproduction,
  type SessionOpening,
  type Store,
  type Tool,
  type ToolSource,
} from "@kedge/protocol";
import type { ProofParts, SessionProof } from "./proof-parts.ts";
import { createReproduceTool } from "./reproduce-tool.ts";
import { createReproductionGuard } from "./reproduction-guard.ts";

export type ProofToolName = "reproduce" | "grade_tests";

export type OpenedProof = {
  readonly toolSource: ToolSource;
  readonly callPhases: readonly CallPhase[];
  readonly parts: ProofParts;
  of(sessionId: string): SessionProof;
  bind(engine: Engine): void;
  /** Types a command into a session, so that its answer is part of it. */
  type(sessionId: string, command: string): Promise<void>;
  /** A session that had a reproduction gets its tool again. */
  opening(session: SessionOpening): void;
  /** From the next step on the session has this tool. */
  offer(sessionId: string, tool: ProofToolName, made: Tool): void;
};

/** No session is deeper below another; a record that says so was not written by kedge. */
const levelsMax = 8;

export function openProof(parts: ProofParts, store: Pick<Store, "fold">): OpenedProof {
  let engine: Engine | undefined;
  const offered = new Map<string, Map<ProofToolName, Tool>>();
  const listeners = new Map<string, Set<() => void>>();
  const sessionOf = (sessionId: string) => engine?.openSessions().find(({ state }) => state.sessionId === sessionId);

  /** Of all sessions that are open here, and of those above that another process has open: a team shares its tasks. */
  async function around(sessionId: string): Promise<readonly Reproduction[]> {
    const states = (engine?.openSessions() ?? []).map(({ state }) => state);
    let origin = sessionOf(sessionId)?.state.origin;
    for (let level = 0; origin?.kind === "child" && level < levelsMax; level += 1) {
      const above = sessionOf(origin.sessionId)?.state ?? emptySession(origin.sessionId);
      if (!states.includes(above)) {
        await store.fold(above);
        states.push(above);
      }
      origin = above.origin;
    }
    return states.flatMap(({ reproductions }) => [...reproductions.values()]);
  }

  const opened: OpenedProof = {
    parts,
    callPhases: [createReproductionGuard({ around, of: (sessionId) => opened.of(sessionId).reproductions() })],
    toolSource: {
      name: "proof",
      kind: "built-in",
      open: ({ sessionId }) => ({
        tools: () => [...(offered.get(sessionId)?.values() ?? [])],
        subscribe(changed) {
          const heard = listeners.get(sessionId) ?? new Set();
          listeners.set(sessionId, heard.add(changed));
          return () => heard.delete(changed);
        },
      }),
    },
    of: (sessionId) => ({
      ...{ parts, sessionId },
      reproductions: () => [...(sessionOf(sessionId)?.state.reproductions.values() ?? [])],
      async record(reproduction) {
        await sessionOf(sessionId)?.record({ type: "reproduction.judged", ...reproduction });
      },
    }),
    bind(given) {
      engine = given;
    },
    async type(sessionId, text) {
      const command = { type: "prompt.submit", sessionId, text, delivery: "follow-up", options: {} } as const;
      await engine?.send<"prompt.submit">(command);
    },
    opening(session) {
      if (session.kind !== "resume" || session.state.reproductions.size === 0) return;
      const { sessionId } = session.state;
      opened.offer(sessionId, "reproduce", createReproduceTool(opened.of(sessionId)));
    },
    offer(sessionId, name, tool) {
      const tools = offered.get(sessionId) ?? new Map<ProofToolName, Tool>();
      if (tools.has(name)) return;
      offered.set(sessionId, tools.set(name, tool));
      for (const changed of listeners.get(sessionId) ?? []) changed();
    },
  };
  return opened;
}
