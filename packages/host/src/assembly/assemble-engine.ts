/** Makes the engine: what its sessions share, and the profile that each session of this place of work is given. */

import { existsSync, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { OpenAgentWorktree } from "@kedge/agents/runs";
import { type ConversationSettings, createEngine, type EngineShared, type LocalCommand } from "@kedge/engine";
import { neutraliseText } from "@kedge/memory";
import type {
  OpenProfile,
  ProfileFor,
  PromptParts,
  RuleSet,
  SaveRules,
  SessionProfile,
  ToolSource,
} from "@kedge/protocol";
import { isProtectedPath } from "@kedge/sandbox";
import { createMachineLook } from "@kedge/store";
import { copyArtifacts, createFileState, createJobs, createOutputSink, endOrphans, fileForContext } from "@kedge/tools";
import type { OpenedAcpAgents } from "../acp-agents/open-acp-agents.ts";
import { createAddressSchemes } from "../addresses/address-schemes.ts";
import { createAgentScheme } from "../agents/agent-scheme.ts";
import { hiddenPrompt } from "../agents/hidden-prompt.ts";
import type { OpenedAgents } from "../agents/open-agents.ts";
import type { OpenedCode } from "../code/open-code.ts";
import { isFixedByPolicy } from "../configuration/managed-policy.ts";
import type { Extensions } from "../extensions/open-extensions.ts";
import type { WorkerEngine } from "../forks/run-worker.ts";
import type { OpenedHooks } from "../hooks/open-hooks.ts";
import type { Instructions } from "../instructions/open-instructions.ts";
import type { RunLessons } from "../lessons/run-lessons.ts";
import { gitBranchOf } from "../machine/git-branch.ts";
import { watchHeap } from "../machine/heap-watch.ts";
import { isAlive } from "../machine/identity.ts";
import { newRequestId } from "../machine/ids.ts";
import { createChangeNotes } from "../machine/leftovers.ts";
import { createMcpScheme } from "../mcp/mcp-scheme.ts";
import type { OpenedMcp } from "../mcp/open-mcp.ts";
import { isWithinBackground } from "../memory/background/background-budget.ts";
import type { ProjectMemory } from "../memory/open-memory.ts";
import type { OpenedModels } from "../models/open-models.ts";
import { remoteSummaryOf } from "../models/remote-summary.ts";
import type { OpenedProof } from "../proof/open-proof.ts";
import { worktreeHooks } from "../worktrees/worktree-hooks.ts";
import type { AssembleOptions } from "./assemble-options.ts";
import type { Storage } from "./assemble-storage.ts";
import type { AssembledTools } from "./assemble-tools.ts";
import { concurrentCallsMax, thresholdOf } from "./engine-variables.ts";
import { fenceNonce } from "./fence-nonce.ts";
import type { FileCare } from "./file-care.ts";
import type { LiveConfiguration } from "./live-configuration.ts";
import type { ProcessParts } from "./process-parts.ts";

/** What is kept of a tool's output while it runs; the pipeline shortens further for the model. */
const outputHeadBytes = 17 * 1024;
const outputTailBytes = 11 * 1024;

export type EngineAssembly = {
  readonly options: AssembleOptions;
  readonly own: ProcessParts;
  readonly live: LiveConfiguration;
  readonly storage: Storage;
  readonly models: OpenedModels;
  readonly tools: AssembledTools;
  readonly instructions: Instructions;
  readonly localCommands: readonly LocalCommand[];
  /** Those that users and servers brought; asked where no other one fits. */
  readonly addedCommands: () => Promise<readonly LocalCommand[]>;
  readonly newArtifacts: EngineShared["resources"]["newArtifacts"];
  /** One list for as long as this runs: what a user changes in it counts from the next call on. */
  readonly rules: readonly RuleSet[];
  readonly saveRules: SaveRules;
  /** Undefined for what may not be read unasked. */
  readonly readFile: (path: string) => string | undefined;
  readonly memory: ProjectMemory;
  readonly extensions: Extensions;
  readonly fileCare: FileCare;
  /** Undefined where there are none. */
  readonly hooks: OpenedHooks | undefined;
  /** Undefined where no server is configured. */
  readonly mcp: OpenedMcp | undefined;
  /** Custom tools and plugins; undefined where there are none. */
  readonly code: OpenedCode | undefined;
  readonly toolSources: readonly ToolSource[];
  /** Undefined where they are switched off. */
  readonly agents: OpenedAgents | undefined;
  /** Hooks that skills and agents bring may run. */
  readonly mayAttachHooks: boolean;
  /** Programs of others as models; undefined where none is configured. */
  readonly acp: Pick<OpenedAcpAgents, "beside"> | undefined;
  /** Undefined where nothing is remembered. */
  readonly lessons: RunLessons | undefined;
  readonly proof: OpenedProof;
};

export function assembleEngine(assembly: EngineAssembly) {
  const { live, instructions, memory, extensions, hooks, mcp, lessons, code, agents, proof } = assembly;
  const bare = profileOf(assembly);
  const profile = [code, hooks].reduce(withHooks, bare);
  const plainProfile: ProfileFor = (opening) => {
    proof.opening(opening);
    const sessionId = opening.kind === "create" ? opening.sessionId : opening.state.sessionId;
    const sources = [
      ...instructions.newSources(),
      ...(memory.session?.newSources() ?? []),
      ...(lessons === undefined ? [] : [lessons.newSource()]),
      ...extensions.newSources(sessionId),
      ...(mcp?.newSources(sessionId) ?? []),
      ...(code?.newSources(sessionId) ?? []),
      ...(agents?.newSources() ?? []),
    ];
    return {
      ...profile,
      prompt: withFiles(profile.prompt, instructions),
      contextSources: hooks === undefined ? sources : sources.map(hooks.watchSource),
      ...(live.model !== undefined && { model: live.model }),
      ...(mcp !== undefined && {
        toolSources: [...profile.toolSources, ...mcp.toolSources()],
        addressSchemes: [...(profile.addressSchemes ?? []), createMcpScheme(mcp)],
      }),
    };
  };
  const profileFor: ProfileFor = (opening) => {
    const given = plainProfile(opening);
    return agents === undefined ? given : agents.primary(given);
  };
  /** An agent that somebody opens by itself keeps what its definition takes away; without definitions it only reads. */
  const openProfile: OpenProfile = (opening) => {
    const origin = opening.kind === "resume" ? opening.state.origin : undefined;
    const given = profileFor(opening);
    if (origin?.agent === undefined) return given;
    return agents === undefined ? { ...given, onlyLooks: true } : agents.openedAlone(given, origin);
  };
  const shared = sharedOf(assembly);
  const engine = createEngine(shared, openProfile, assembly.options.commands);
  assembly.own.debugLog.follow(engine);
  watchHeap(engine);
  hooks?.bind({ engine, models: shared.models, profile: bare, ...(agents !== undefined && { agents: agents.runs }) });
  code?.bind(engine);
  proof.bind(engine);
  agents?.bind({
    ...{ engine, models: shared.models, newInstructions: instructions.newSources },
    skills: () => extensions.find("skill"),
    attachHooks(sessionId, source) {
      if (assembly.mayAttachHooks) hooks?.attachSource(sessionId, source);
      return assembly.mayAttachHooks && hooks !== undefined;
    },
    withoutHooks: ({ callPhases: _, sessionMoments: __, ...given }) => ({
      ...given,
      ...(bare.callPhases !== undefined && { callPhases: bare.callPhases }),
    }),
    openWorktree: lateAgentWorktrees(assembly),
    profileFor,
    teammateIdle: async (idle, signal) => hooks?.teammateIdle(idle, signal),
  });
  // Hooks judge the calls of workers too; the turning points of a session are not theirs.
  const forWorkers = { ...profile, sessionMoments: [] };
  return {
    engine,
    /** For workers that continue from where a session is. */
    workerEngine: (): WorkerEngine => ({ shared, profile: forWorkers, randomBytes: assembly.own.randomBytes }),
  };
}

/** Worktrees for agents, loaded with the first that wants one. */
function lateAgentWorktrees({ options, own, storage, tools, hooks }: EngineAssembly): OpenAgentWorktree {
  return async (agentId, leader) => {
    const { createAgentWorktrees } = await import("../worktrees/agent-worktrees.ts");
    const { assembleTools } = await import("./assemble-tools.ts");
    const open = createAgentWorktrees({
      site: { ...options, now: own.now, worktreeHooks: worktreeHooks(hooks, agentId) },
      snapshotsAt: storage.newSnapshots,
      toolsAt(project, isSandboxed) {
        const { configuration } = options;
        const sandbox = isSandboxed ? { ...configuration.sandbox, mode: "on" as const } : configuration.sandbox;
        return assembleTools({ ...tools.parts, project, configuration: { ...configuration, sandbox } });
      },
    });
    return open(agentId, leader);
  };
}

/** Plugins see what memory made of a call, and hooks what plugins made of it. */
function withHooks(profile: SessionProfile, hooks: OpenedHooks | OpenedCode | undefined): SessionProfile {
  if (hooks === undefined) return profile;
  return {
    ...profile,
    callPhases: [...(profile.callPhases ?? []), ...hooks.callPhases],
    sessionMoments: [...(profile.sessionMoments ?? []), ...hooks.sessionMoments],
  };
}

function sharedOf({
  options,
  own,
  storage,
  models,
  instructions,
  localCommands,
  addedCommands,
  newArtifacts,
  lessons,
  code,
  acp,
}: EngineAssembly): EngineShared {
  const { configuration, environment, kedgeVersion } = options;
  const { now, monotonicMs, newId, redact, resultRedactor, holder } = own;
  const kept = { headBytes: outputHeadBytes, tailBytes: outputTailBytes };
  const { policy } = configuration;
  const noteChange = createChangeNotes(options.home);
  const outputs = join(options.home.data, "tool-output");
  const given = options.addModels?.(models.models) ?? models.models;
  const known = acp?.beside(given) ?? given;
  const offered = code?.models(known) ?? known;
  return {
    store: storage.store,
    models: models.spending?.limit(offered) ?? offered,
    resources: {
      newFileState: () => createFileState({ noteChange }),
      newOutputSink: (sink) => createOutputSink({ ...kept, now: monotonicMs, redactor: resultRedactor, ...sink }),
      newArtifacts,
      copyArtifacts: (fromId, toId) => copyArtifacts(join(outputs, fromId), join(outputs, toId)),
      newJobs: () => createJobs({ now, max: configuration.tools.jobs.max, redactor: resultRedactor }),
      endOrphans: (boot) => endOrphans(boot, isAlive),
      fileChangedAtMs: async (path) => (await stat(path).catch(() => undefined))?.ctimeMs,
    },
    machine: createMachineLook({ monotonicMs }),
    holder,
    kedgeVersion,
    clock: { now, monotonicMs },
    newId,
    newRequestId,
    redact,
    fenceNonce,
    resultRedactor,
    neutralise: neutraliseText,
    // Only for pages of the web, which few sessions read.
    isSuspicious: async (text) => (await import("@kedge/memory/text-guard")).isSuspicious(text),
    localCommands,
    addedCommands,
    concurrentCallsMax: concurrentCallsMax(environment["KEDGE_MAX_TOOL_CONCURRENCY"]),
    ...(policy !== undefined && { policy }),
    autoMode: configuration.autoMode,
    pressure: configuration.pressure,
    compaction: compactionOf(options, models),
    conversation: conversationOf(options, instructions),
    sessionDeleted: storage.retention.sessionDeleted,
    ...(lessons !== undefined && { learn: lessons.learn }),
  };
}

function compactionOf(
  { configuration: { conversation, policy }, environment }: AssembleOptions,
  { network }: OpenedModels,
): NonNullable<EngineShared["compaction"]> {
  return {
    settings: conversation.compaction,
    system: () => hiddenPrompt("compaction"),
    ...(conversation.compactionModel !== undefined && { model: conversation.compactionModel }),
    ...(conversation.promotionModel !== undefined && { promotionModel: conversation.promotionModel }),
    ...(!isFixedByPolicy("compaction.thresholdPercent", policy) && thresholdOf(environment["KEDGE_AUTOCOMPACT_PCT"])),
    readFile: fileForContext,
    snapcompact: conversation.snapcompact,
    // Fonts and tables are large, and few conversations come to this.
    printHistory: async (...history) => (await import("@kedge/memory/picture-archive")).printHistory(...history),
    ...remoteSummaryOf(conversation.remoteSummary, network),
  };
}

function conversationOf(
  { configuration, interactive, app }: AssembleOptions,
  { promptFile }: Instructions,
): ConversationSettings {
  const { titles, unexpectedStop, branchSummary, workSummary, steeringMode, followUpMode } = configuration.conversation;
  return {
    editChoice: configuration.edit,
    toolSearch: configuration.toolSearch.mode,
    interruptMode: configuration.interruptMode,
    steeringMode,
    followUpMode,
    unexpectedStop,
    // The Agent Client Protocol has no way to move an editor to another session.
    ...(app === "acp" && { staysInSession: true }),
    ...(branchSummary !== undefined && { branchSummary }),
    ...(workSummary !== undefined && {
      workSummary: {
        ...workSummary,
        prompt: () => hiddenPrompt("summary"),
        isAffordable: (state) => isWithinBackground(state, configuration.background),
      },
    }),
    ...(interactive &&
      titles !== undefined && {
        titles: { ...titles, prompt: async () => promptFile("TITLE_SYSTEM.md") ?? hiddenPrompt("title") },
      }),
  };
}

function profileOf(assembly: EngineAssembly): SessionProfile {
  const { options, own, storage, tools, instructions, rules, saveRules, memory, extensions, fileCare, toolSources } =
    assembly;
  const { configuration, home, project, userDirectory, interactive, systemPrompt, appendSystemPrompt } = options;
  const { cwd, root, projectId, isGitRepository } = project;
  const { permissionTimeoutMs, continueOnReject } = configuration;
  return {
    ...tools.offered,
    toolSources: [...toolSources, assembly.proof.toolSource],
    upkeep: fileCare.upkeep,
    workspace: {
      cwd,
      root,
      projectId,
      ...(isGitRepository && { branch: () => gitBranchOf(cwd) }),
      lookAtPath: tools.lookAtPath,
      analyseShell: tools.shell.analyse,
      confinesLooks: tools.looks.isConfining,
      isSandboxed: tools.sandbox !== undefined && configuration.sandbox.autoAllow,
      isProtected: (path) =>
        isProtectedPath(path, { home: userDirectory, root }) && memory.session?.isTopicPath(path) !== true,
      home: userDirectory,
      kedgeHome: home.directory,
    },
    snapshots: storage.snapshots,
    addressSchemes: [
      ...createAddressSchemes({
        ...{ store: storage.store, sessionFiles: storage.sessionFiles, projectId, memory, instructions },
        artifactsDirectory: join(home.data, "tool-output"),
        ...{ findSkills: () => extensions.find("skill"), readFile: assembly.readFile },
      }),
      ...(assembly.agents === undefined ? [] : [createAgentScheme(assembly.agents)]),
    ],
    isInstruction: instructions.isInstruction,
    recentInstructions: instructions.recent,
    steeringChanged: instructions.steeringChanged,
    rules,
    callPhases: [...(memory.session?.callPhases ?? []), ...assembly.proof.callPhases],
    // Headless nobody answers, so nothing is saved.
    ...(interactive && { saveRules }),
    continueOnReject,
    ...(configuration.spending?.session !== undefined && { budget: { usdMax: configuration.spending.session } }),
    // Headless the process ends with the run.
    ...(!interactive && { awaitsAgents: true }),
    ...(permissionTimeoutMs !== undefined && { permissionTimeoutMs }),
    prompt: {
      ...(systemPrompt !== undefined && { override: systemPrompt }),
      ownBase: (family) => textOfFile(join(home.directory, "prompts", `${family}.md`)),
      ...(appendSystemPrompt !== undefined && { append: appendSystemPrompt }),
      platform: process.platform,
      shell: tools.shellPath,
      isGitRepository,
      today: () => new Date(own.now()).toISOString().slice(0, "2000-01-01".length),
    },
  };
}

/** A text that was given outright wins over a file; what extends the prompt adds up. */
function withFiles(prompt: PromptParts, { promptFile }: Instructions): PromptParts {
  const { override, append } = prompt;
  const base = override === undefined ? promptFile("SYSTEM.md") : undefined;
  const extension = promptFile("APPEND_SYSTEM.md");
  const appended = [extension, append].filter((text) => text !== undefined);
  return {
    ...prompt,
    ...(base !== undefined && { ownBase: () => base }),
    ...(appended.length > 0 && { append: appended.join("\n\n") }),
  };
}

/** Undefined when no such file. */
function textOfFile(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
