/** What agents of a place of work are made of. */
import type { OpenAgentWorktree } from "@kedge/agents/runs";
import type { Engine } from "@kedge/engine";
import type { FoundDefinitions } from "@kedge/extend/definitions";
import type { HookSource } from "@kedge/extend/hooks";
import type { ContextSource, JsonObject, Models, ProfileFor, SessionProfile, Store } from "@kedge/protocol";
import type { OpenedAcpAgents } from "../acp-agents/open-acp-agents.ts";
import type { ExtensionPlaces, FoundBases } from "../extensions/extension-places.ts";
import type { TeamParts } from "../teams/team-parts.ts";
import type { ConfiguredAgents } from "./agent-settings.ts";

export type OpenAgentsParts = {
  readonly settings: ConfiguredAgents;
  readonly places: ExtensionPlaces;
  readonly bases: FoundBases;
  readonly isTrusted: () => boolean;
  /** Definitions of the command line, or of the program that uses kedge. */
  readonly given: JsonObject;
  /** What new sessions work with. */
  readonly model: () => string | undefined;
  /** The agent that the user talks to. */
  readonly primary: string;
  /** Programs of others as agents; undefined where none is configured. */
  readonly acp: Pick<OpenedAcpAgents, "definitions" | "profileFor" | "close"> | undefined;
  readonly store: Store;
  readonly now: () => number;
  readonly newId: (prefix: "ses_" | "per_") => string;
  readonly onNotice: (sentence: string) => void;
  /** What teams need of this process and this place of work. */
  readonly team: Pick<
    TeamParts,
    "home" | "cwd" | "root" | "settings" | "registry" | "holder" | "environment" | "program" | "redact" | "timing"
  >;
};

/** What is known only once the engine is there. */
export type AgentEngine = {
  readonly engine: Engine;
  readonly models: Models;
  /** Instructions and the like, for an agent that works in the project. */
  readonly newInstructions: () => readonly ContextSource[];
  readonly skills: () => Promise<FoundDefinitions>;
  /** False where hooks of definitions do not run here. */
  readonly attachHooks: (sessionId: string, source: HookSource) => boolean;
  /** The same profile, without what hooks and plugins added to it. */
  readonly withoutHooks: (profile: SessionProfile) => SessionProfile;
  /** For agents that work in a worktree. */
  readonly openWorktree: OpenAgentWorktree;
  /** What a session of this place of work begins with. */
  readonly profileFor: ProfileFor;
  readonly teammateIdle: TeamParts["teammateIdle"];
};
