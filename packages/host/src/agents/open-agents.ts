/** Agents of this place of work: the tools that sessions get, and what runs them, loaded with the first that starts. */
import { createAgentToolSource, createNewsSources } from "@kedge/agents";
import type { AgentDefinition, AgentTable } from "@kedge/agents/definitions";
import type {
  AgentRecord,
  AgentRuns,
  ContextSource,
  Failure,
  SessionOrigin,
  SessionProfile,
  ToolSource,
} from "@kedge/protocol";
import { hasFolder } from "../extensions/extension-places.ts";
import type { TeamDesk } from "../teams/open-teams.ts";
import { createTeamSource } from "../teams/team-source.ts";
import type { HostAgentDesk } from "./agent-desk.ts";
import type { AgentEngine, OpenAgentsParts } from "./agent-parts.ts";

export type OpenedAgents = {
  readonly toolSource: ToolSource;
  readonly newSources: () => readonly ContextSource[];
  bind(engine: AgentEngine): void;
  /** What the session of the user is given by the agent that they chose. */
  readonly primary: (profile: SessionProfile) => SessionProfile;
  /** Whether a definition brings hooks. */
  readonly bringsHooks: boolean;
  /** Why the chosen agent cannot be talked to. */
  readonly refusal: Failure | undefined;
  readonly table: () => Promise<AgentTable>;
  /** Models that definitions name and that nobody has, by the name of the definition. */
  readonly unknownModels: () => Promise<ReadonlyMap<string, string>>;
  readonly runs: () => Promise<AgentRuns>;
  readonly teams: () => Promise<TeamDesk>;
  /** An open session that never started an agent; answered without loading what runs them. */
  readonly isAlone: (sessionId: string) => boolean;
  /** Whether a session is open here or stored. */
  readonly hasSession: (sessionId: string) => Promise<boolean>;
  /** Agents of the tree that a session belongs to. */
  readonly ofTree: (sessionId: string) => Promise<readonly AgentRecord[]>;
  /** The final message of an agent, whole; empty where there is none yet. */
  readonly resultOf: (agentId: string) => Promise<string>;
  /** What a stored agent is opened with, where nobody else opens it for it. */
  readonly openedAlone: (profile: SessionProfile, origin: SessionOrigin) => Promise<SessionProfile>;
  close(): Promise<void>;
};

export async function openAgents(parts: OpenAgentsParts): Promise<OpenedAgents> {
  const { places, bases, acp } = parts;
  const settings =
    acp === undefined
      ? parts.settings
      : { ...parts.settings, definitions: { ...parts.settings.definitions, ...acp.definitions } };
  let bound: AgentEngine | undefined;
  let table: Promise<AgentTable> | undefined;
  let desk: Promise<HostAgentDesk> | undefined;

  /** Read once: a session uses what was there, whatever happens to the files. */
  function findTable(): Promise<AgentTable> {
    table ??= import("./find-agents.ts").then(({ findAgents }) =>
      findAgents({ ...parts, definitions: settings.definitions }),
    );
    return table;
  }

  function openDesk(): Promise<HostAgentDesk> {
    desk ??= import("./agent-desk.ts").then(({ createAgentDesk }) => {
      if (bound === undefined) throw new Error("Agents can only start once the engine is running.");
      return createAgentDesk({ ...parts, ...bound, table: findTable });
    });
    return desk;
  }

  // Only where somebody wrote agents, the tool has more to tell than kedge's own.
  const isWritten =
    hasFolder("agent", bases, places) ||
    Object.keys(settings.definitions).length > 0 ||
    Object.keys(parts.given).length > 0;
  const written = isWritten ? (await findTable()).startable().filter(({ tier }) => tier !== "built-in") : [];
  const problem = isWritten ? problemOf((await findTable()).refused) : undefined;
  if (problem !== undefined) parts.onNotice(problem);
  const primary = parts.primary === "build" ? undefined : (await findTable()).find(parts.primary);
  const isPrimary = parts.primary === "build" || (primary !== undefined && primary.mode !== "subagent");
  const added = written.map(({ name, description, isReadOnly, isolation }) => ({
    ...{ name, description },
    // What works in a worktree adds a directory and a branch, even if it only reads there.
    isReadOnly: isReadOnly && isolation === undefined,
  }));

  return {
    toolSource: createAgentToolSource({ desk: openDesk, added }),
    newSources: () => [...createNewsSources(), createTeamSource(parts.team.registry)],
    bind(engine) {
      bound = engine;
    },
    bringsHooks: written.some(({ hooks }) => hooks !== undefined),
    primary: (profile) => withPrimary(profile, primary),
    refusal: isPrimary && primary?.isHidden !== true ? undefined : noPrimary(parts.primary, await findTable()),
    table: findTable,
    async unknownModels() {
      const { findUnknownModels } = await import("./unknown-models.ts");
      return bound === undefined ? new Map() : findUnknownModels(await findTable(), bound.models, parts.model());
    },
    runs: async () => (await openDesk()).runs,
    teams: async () => (await openDesk()).openTeams(),
    isAlone(sessionId) {
      const open = bound?.engine.openSessions().find(({ state }) => state.sessionId === sessionId);
      return open?.state.agents.size === 0;
    },
    async hasSession(sessionId) {
      const { sessions } = await openDesk();
      return sessions.find(sessionId) !== undefined || (await sessions.stored(sessionId)) !== undefined;
    },
    async ofTree(sessionId) {
      const { agentsBelow, rootOf } = await import("@kedge/agents/runs");
      const { sessions } = await openDesk();
      const state = sessions.find(sessionId)?.state;
      return state === undefined ? [] : agentsBelow(rootOf(state, sessions), sessions);
    },
    async resultOf(agentId) {
      const { sessions } = await openDesk();
      const state = sessions.find(agentId)?.state ?? (await sessions.stored(agentId));
      const { lastRun } = state ?? {};
      return lastRun?.structured === undefined ? (lastRun?.text ?? "") : JSON.stringify(lastRun.structured, null, 2);
    },
    async openedAlone(profile, origin) {
      const { openedAlone } = await import("./opened-alone.ts");
      return openedAlone(profile, origin, { table: await findTable(), store: parts.store });
    },
    async close() {
      const opened = await desk;
      // Before the engine is closed: the ends of teammates are facts of their leader.
      await (await opened?.teamDesk())?.close();
      await opened?.runs.close();
      acp?.close();
    },
  };
}

/** Files that somebody wrote and that nobody gets. */
function problemOf(refused: AgentTable["refused"]): string | undefined {
  const [first, ...others] = refused;
  if (first === undefined) return undefined;
  const more =
    others.length === 0 ? "" : ` ${others.length} more ${others.length === 1 ? "is" : "are"} not used either.`;
  return `The agent in ${first.file} is not used: ${first.why}.${more} List them with /agents definitions.`;
}

/** Its tools are held by the pool, and not by its prompt. */
function withPrimary(profile: SessionProfile, definition: AgentDefinition | undefined): SessionProfile {
  if (definition === undefined) return profile;
  const { tools, disallowedTools, permission, isReadOnly, prompt, initialPrompt } = definition;
  const wanted = profile.toolNames;
  const toolNames = tools === undefined || wanted === undefined ? tools : tools.filter((name) => wanted.includes(name));
  return {
    ...profile,
    ...(toolNames !== undefined && { toolNames }),
    excludedTools: [...(profile.excludedTools ?? []), ...disallowedTools],
    ...(permission.length > 0 && { rules: [...profile.rules, { source: "agent", rules: permission }] }),
    ...(isReadOnly && { onlyLooks: true }),
    // Whoever coordinates has few tools, and those who work for it have all.
    ...(definition.name === "coordinator" && { workerTools: workerTools(profile) }),
    ...(initialPrompt !== undefined && {
      contextSources: [...(profile.contextSources ?? []), initialPromptSource(initialPrompt)],
    }),
    prompt: prompt === "" ? profile.prompt : { ...profile.prompt, agent: { name: definition.name, text: prompt } },
  };
}

/** What the definition wants to be said first stands before what the user says. */
function initialPromptSource(text: string): ContextSource {
  return {
    name: "initial prompt",
    kind: "instruction",
    place: "head",
    read: () => [{ text, origin: "initialPrompt" }],
  };
}

function workerTools({ toolNames, excludedTools = [] }: SessionProfile): NonNullable<SessionProfile["workerTools"]> {
  return { excludedTools, ...(toolNames !== undefined && { toolNames }) };
}

function noPrimary(name: string, table: AgentTable): Failure {
  const names = table.used.filter(({ isHidden, mode }) => !isHidden && mode !== "subagent").map((each) => each.name);
  const message = `Unknown agent ${JSON.stringify(name)}.`;
  return { code: "configuration", message, recovery: `Choose one of: ${names.join(", ")}.`, retryable: false };
}
