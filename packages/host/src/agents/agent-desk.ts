/** What runs agents here: sessions of the engine, models, and the sources of context that an agent gets. */
import type { AgentDesk, TeamTools } from "@kedge/agents";
import type { AgentTable } from "@kedge/agents/definitions";
import {
  type AgentRunsParts,
  type AgentSessions,
  createAgentRuns,
  type OpenAgentSession,
  profileFor,
} from "@kedge/agents/runs";
import { judge, type OpenSession } from "@kedge/engine";
import { type CommandAnswer, type CommandType, emptySession, type SessionState } from "@kedge/protocol";
import { measuredRuns } from "../forks/measured-runs.ts";
import type { TeamDesk } from "../teams/open-teams.ts";
import { memorySources } from "./agent-memory.ts";
import type { AgentEngine, OpenAgentsParts } from "./agent-parts.ts";
import { attachHooksOf, skillSources } from "./definition-extras.ts";
import { createUsualCost } from "./usual-cost.ts";

export type AgentDeskParts = OpenAgentsParts & AgentEngine & { readonly table: () => Promise<AgentTable> };

export type HostAgentDesk = AgentDesk & {
  readonly openTeams: () => Promise<TeamDesk>;
  /** Undefined while nobody has a team. */
  readonly teamDesk: () => Promise<TeamDesk> | undefined;
};

export function createAgentDesk(parts: AgentDeskParts): HostAgentDesk {
  const { settings, onNotice, table } = parts;
  const sessions = engineSessions(parts);
  const runParts: AgentRunsParts = {
    sessions,
    table,
    settings,
    onNotice,
    openWorktree: parts.openWorktree,
    withoutHooks: parts.withoutHooks,
    newSources: async (definition) => [
      ...(definition.isReadOnly || definition.isHidden ? [] : parts.newInstructions()),
      ...(await skillSources(definition, parts)),
      ...memorySources(definition, parts.places),
    ],
    ruleAgainst,
    onRound: async (definition, agentId) => attachHooksOf(definition, agentId, parts),
    async modelFor(wish, parentModel) {
      if (wish === undefined) return parentModel;
      const found = await parts.models.find(wish, parentModel);
      // Whoever opens the agent says what is wrong with it.
      return found.ok ? found.model.ref : wish;
    },
    startTimer(work, delayMs) {
      const timer = setTimeout(work, delayMs);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
  const runs = measuredRuns(createAgentRuns(runParts), { engine: parts.engine, onNotice });
  const { modelFor } = runParts;
  const narrowed: AgentDesk["narrowed"] = (definition, above, record) =>
    profileFor(runParts, definition, above, record);
  const usualUsd = createUsualCost({ ...parts, sessions, modelFor });
  const own = { sessions, settings, table, narrowed, modelFor, usualUsd };
  let opening: Promise<TeamDesk> | undefined;
  const openTeams = () => {
    opening ??= import("../teams/open-teams.ts").then(({ openTeams: open }) =>
      open({ ...parts, ...parts.team, desk: { ...own, runs } }),
    );
    return opening;
  };
  const reached = async () => (opening === undefined ? runs : (await opening).runsWith(runs));
  return {
    ...own,
    runs: {
      ...runs,
      kill: async (agentId) => (await reached()).kill(agentId),
      interrupt: async (agentId) => (await reached()).interrupt(agentId),
      message: async (agentId, text, from) => (await reached()).message(agentId, text, from),
    },
    teams: lateTeams(parts, openTeams),
    openTeams,
    teamDesk: () => opening,
  };
}

/** Only what a rule denies: what a question would be about is decided by whoever starts the agent. */
function ruleAgainst(
  { profile: { rules, workspace }, state: { grants } }: Pick<OpenAgentSession, "profile" | "state">,
  agent: string,
): string | undefined {
  const { cwd, root, lookAtPath } = workspace;
  const need = { permission: "agent", patterns: [agent], always: [agent], access: "read" } as const;
  const call = { tool: "agent", needs: [need], readOnly: true, cwd };
  const verdict = judge(call, { rules, grants, mode: "default", lookAtPath, root, isTrial: true });
  return verdict.verdict === "deny" ? `A rule denies ${agent} agents here: ${verdict.decision.reason}.` : undefined;
}

function lateTeams({ team: { registry } }: AgentDeskParts, open: () => Promise<TeamDesk>): TeamTools {
  return {
    isMember: (sessionId) => registry.find(sessionId) !== undefined,
    create: async (...given) => (await open()).create(...given),
    add: async (...given) => (await open()).add(...given),
    write: async (...given) => (await open()).write(...given),
    answerShutdown: async (...given) => (await open()).answerShutdown(...given),
    end: async (...given) => (await open()).end(...given),
  };
}

function engineSessions({ engine, store, now, newId, acp }: AgentDeskParts): AgentSessions {
  const opened = (session: OpenSession): OpenAgentSession => session;
  const find = (sessionId: string) => {
    const session = engine.openSessions().find(({ state }) => state.sessionId === sessionId);
    return session && opened(session);
  };
  return {
    newId: () => newId("ses_"),
    now,
    find,
    open: () => engine.openSessions().map(opened),
    async stored(sessionId) {
      if ((await store.session(sessionId)) === undefined) return undefined;
      const state: SessionState = emptySession(sessionId);
      await store.fold(state);
      return state;
    },
    create: async ({ agentId, parent, model }, given) => {
      const profile = acp?.profileFor(model, given) ?? given;
      const command = { type: "session.create", sessionId: agentId, parent, model } as const;
      return withoutValue(await engine.send<"session.create">(command, { profile }));
    },
    resume: async (sessionId, profile) =>
      withoutValue(await engine.send<"session.resume">({ type: "session.resume", sessionId }, { profile })),
    submit: async (sessionId, text, options) =>
      withoutValue(
        await engine.send<"prompt.submit">({ type: "prompt.submit", sessionId, text, delivery: "steer", options }),
      ),
    async interrupt(sessionId) {
      await engine.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
    },
    close: async (sessionId) => withoutValue(await engine.send<"session.close">({ type: "session.close", sessionId })),
    subscribe: (sessionId, listener) => engine.subscribe(sessionId, listener),
  };
}

function withoutValue<Type extends CommandType>(answer: CommandAnswer<Type>) {
  return answer.ok ? ({ ok: true, value: {} } as const) : answer;
}
