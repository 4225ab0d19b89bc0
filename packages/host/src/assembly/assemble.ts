/** The one file that knows everybody: makes the parts once and wires them together, and does nothing else. */
import { join } from "node:path";
import { createReadRights, type Engine, type EngineShared, type LocalCommand, offeredTools } from "@kedge/engine";
import {
  type Door,
  type Failure,
  FailureError,
  type Models,
  type ReadRights,
  type Redactor,
  type Store,
} from "@kedge/protocol";
import { childEnvironment } from "@kedge/sandbox";
import { createArtifacts } from "@kedge/tools";
import { rulesUnderPolicy } from "../configuration/managed-policy.ts";
import { createDoor } from "../desk/create-door.ts";
import type { HostDesk, HostDeskParts } from "../desk/host-desk.ts";
import { profileOf } from "../machine/home.ts";
import { isAlive } from "../machine/identity.ts";
import { createJournalKey } from "../machine/journal-key.ts";
import { clearLeftovers } from "../machine/leftovers.ts";
import type { Project } from "../machine/project.ts";
import type { ModelCatalogue } from "../models/model-catalogue.ts";
import { openModels } from "../models/open-models.ts";
import { openProof } from "../proof/open-proof.ts";
import type { ProofParts } from "../proof/proof-parts.ts";
import type { Retention } from "../retention/retention.ts";
import type { FindRecords } from "../search/search-records.ts";
import { findAddedDirectories } from "../sessions/added-directories.ts";
import type { SessionFiles } from "../sessions/session-files.ts";
import { createShellLineRunner, type RunShellLine } from "../shell/shell-line.ts";
import { openStore } from "../storage/open-store.ts";
import type { TeamDesk } from "../teams/open-teams.ts";
import { createTeamRegistry } from "../teams/team-registry.ts";
import { lateWorkflows, type Workflows } from "../workflows/late-workflows.ts";
import { assembleEngine } from "./assemble-engine.ts";
import type { AssembleOptions } from "./assemble-options.ts";
import { type AssembledProject, assembleProject } from "./assemble-project.ts";
import { assembleStorage, type Storage } from "./assemble-storage.ts";
import { type AssembledTools, assembleTools } from "./assemble-tools.ts";
import { fenceNonce } from "./fence-nonce.ts";
import { createLiveConfiguration } from "./live-configuration.ts";
import { createLocalCommands, withoutDoubles } from "./local-commands.ts";
import { createProcessParts, type ProcessParts } from "./process-parts.ts";
import { refuseUnknownTool } from "./refuse-unknown-tool.ts";
import { tellServers } from "./tell-servers.ts";

export type Kedge = {
  readonly engine: Engine;
  /** Everything that a client can ask of this place of work. */
  readonly door: Door;
  readonly store: Store;
  readonly toolNames: () => readonly string[];
  /** Every slash command that the engine answers, also those that users wrote. */
  readonly commands: () => Promise<readonly Pick<LocalCommand, "name" | "summary" | "argumentHint">[]>;
  readonly modelCatalogue: ModelCatalogue;
  readonly sessionFiles: SessionFiles;
  readonly retention: Retention;
  readonly runShellLine: RunShellLine;
  /** Which files may be read for a prompt before it is sent, by the rules alone. */
  readonly reading: ReadRights;
  /** Those of the user in this place of work. */
  readonly terminals: () => Promise<HostDesk["terminals"]>;
  /** Of all sessions of the project. */
  readonly events: () => Promise<HostDesk["events"]>;
  /** Scripts that start agents as durable steps. */
  readonly workflows: () => Promise<Workflows>;
  /** Undefined where agents are switched off. */
  readonly teams: () => Promise<TeamDesk | undefined>;
  /** The variable whose key is used for the model in place of the stored one, and so changes who pays. */
  readonly overridingVariable: (model: string) => string | undefined;
  /**
   * Ends runs and gives the sessions free. The database is left to the end of the process: everything awaited is
   * already stored, and closing it costs up to 34 ms.
   */
  close(): Promise<void>;
};

export type Assembled =
  | { readonly ok: true; readonly kedge: Kedge; readonly notice?: Failure }
  | { readonly ok: false; readonly failure: Failure };

export async function assemble(options: AssembleOptions): Promise<Assembled> {
  const { configuration, home, project, environment, userDirectory, kedgeVersion, onNotice } = options;
  const { cwd, root, projectId } = project;
  const added = findAddedDirectories(options.addedDirectories ?? [], cwd);
  if (!added.ok) return added;
  const own = createProcessParts(options);
  const { now, monotonicMs, redact, learnSecret, resultRedactor, newId, holder, telemetry, tie } = own;
  const opened = await openSharedStore(options, own);
  if (!opened.ok) return opened;
  const storage = assembleStorage(options, own, opened.store);
  const { store, snapshots, sessionFiles, retention } = storage;
  const live = createLiveConfiguration(configuration);
  const models = openOwnModels(options, own);
  const { network, modelCatalogue, overridingVariable, keySource, hastenRetry, forgetKey, spending } = models;
  let brought: AssembledProject | undefined;
  const commandEnvironment = () => {
    const plain = childEnvironment(telemetry.forChildren(environment), { scrub: !options.interactive, ...live.env });
    return tie.environment(brought?.forCommands(plain) ?? plain);
  };
  const findRecords: FindRecords = async (query) => {
    const { searchRecords } = await import("../search/search-records.ts");
    return searchRecords({ ...query, projectId }, { search: store.search, memory, redact });
  };
  const tools = assembleTools({
    ...options,
    ...{ holder, tie, now, monotonicMs, commandEnvironment, addedDirectories: added.directories, ca: network.ca },
    teams: createTeamRegistry(),
    searchBackend: () => live.web.search,
    searchRecords: findRecords,
  });
  const { shellPath, lookAtPath } = tools;
  const newArtifacts = artifactsIn(join(home.data, "tool-output"), resultRedactor);
  const runShellLine = createShellLineRunner({
    ...{ cwd, shellPath, commandEnvironment, monotonicMs, newArtifacts, redactor: resultRedactor },
  });
  const { saveRules, removeSavedRule } = lateSavedRules({ home, root, userDirectory, now });
  const profile = profileOf(environment);
  const rules = [...rulesUnderPolicy([options.commandLineRules, ...configuration.rules], configuration.policy)];
  const reading = createReadRights({
    workspace: { cwd, root, home: userDirectory, kedgeHome: home.directory, lookAtPath },
    rules,
    grants: () => [],
    mode: () => "default",
  });
  brought = await assembleProject({
    ...{ options, own, live, tools, store, rules, reading, addedDirectories: added.directories },
    network,
  });
  const { instructions, memory, extensions, ownRules, fileCare, toolSources, addedCommands, closeProject } = brought;
  const refusal = refuseUnknownTool(toolSources, options.toolNames) ?? brought.agents?.refusal;
  if (refusal !== undefined) {
    await closeProject();
    return { ok: false, failure: refusal };
  }
  const workflows = lateWorkflows({ options, own, live, agents: brought.agents });
  const proof = openProof(proofParts(options, own, models.models, { storage, tools }), store);
  const localCommands = createLocalCommands({
    instructions: { of: instructions, root, now },
    ...{ kedgeVersion, home: home.directory, keySource, memory, findRecords, workflows: { open: workflows, onNotice } },
    hooks: {
      opened: brought.hooks,
      code: brought.code,
      ...(configuration.hooks.left !== undefined && { left: configuration.hooks.left }),
    },
    debugLog: own.debugLog,
    ...{ addedCommands, lsp: fileCare, mcp: { opened: brought.mcp }, proof },
    ...(brought.agents !== undefined && { agents: brought.agents }),
    plugins: { snapshot: configuration.plugins, home: home.directory, root },
    extensions: { ...brought.extensionParts, extensions, interactive: options.interactive },
    ...(profile !== undefined && { profile }),
  });
  const { engine, workerEngine } = assembleEngine({
    ...brought,
    ...{ options, own, live, storage, models, tools, localCommands, newArtifacts, rules, saveRules, proof },
    readFile: brought.extensionParts.readFile,
  });
  const newTools = () => offeredTools({ ...tools.offered, toolSources });
  const commands = async () => withoutDoubles([...localCommands, ...(await addedCommands())]);
  const toolNames = () => newTools().map((tool) => tool.name);
  telemetry.follow(engine, toolNames);
  tellServers(engine, { mcp: brought.mcp, languages: fileCare.servers });
  followMemory(brought, { engine, workerEngine }, { options, own, store, lookAtPath });
  const desk = openOnce(async () => {
    const { openHostDesk } = await import("../desk/open-host-desk.ts");
    return openHostDesk({
      ...{ engine, store, snapshots, sessionFiles, modelCatalogue, commands, newTools, runShellLine, fileCare },
      ...{ mcp: brought?.mcp, agents: brought?.agents, memory, spending },
      ...{ configuration, home, project, userDirectory, shellPath, holder, kedgeVersion, now, newId, redact },
      ...{ commandEnvironment, saveRules, lookAtPath, reading, environment, applyConfiguration: live.apply },
      ...{ removeSavedRule, network, hastenRetry, forgetKey, onKey: learnSecret },
      ...{ settings: options.settings ?? {}, settingFiles: options.settingFiles ?? [] },
      artifactPath: (sessionId, number) => newArtifacts(sessionId).pathOf(number),
      rules: {
        list: () => rules.filter((set) => !ownRules.includes(set)),
        replace: (sets) => rules.splice(0, rules.length, ...sets, ...ownRules),
      },
    });
  });
  const kedge: Kedge = {
    ...{ engine, store, toolNames, commands, runShellLine, reading, modelCatalogue, sessionFiles, retention },
    door: createDoor(engine, desk.open),
    ...{ terminals: async () => (await desk.open()).terminals, events: async () => (await desk.open()).events },
    ...{ overridingVariable, workflows, teams: async () => brought?.agents?.teams() },
    async close() {
      await (await desk.opened())?.close();
      await memory.session?.close();
      await brought?.agents?.close();
      await engine.close();
      await closeProject();
      await storage.catchUp.close().catch(leaveForLater);
      await retention.enforce().catch(leaveForLater);
      clearLeftovers(home, root);
      await tools.sandbox?.close();
      await tools.looks.close();
      tie.close();
      await telemetry.close();
    },
  };
  return { ok: true, kedge, ...(opened.notice !== undefined && { notice: opened.notice }) };
}

function openSharedStore({ configuration, home, onNotice, buildId }: AssembleOptions, own: ProcessParts) {
  const { now, randomBytes, redact } = own;
  return openStore({
    ...{ storage: configuration.storage, home, now, randomBytes, redact },
    journalKey: createJournalKey({ home, settings: configuration.conversation, randomBytes, onNotice }),
    ...(buildId !== undefined && { buildId }),
  });
}

function openOwnModels(options: AssembleOptions, { now, randomBytes, redact, learnSecret }: ProcessParts) {
  const { configuration, home, environment, userDirectory, kedgeVersion, onNotice } = options;
  return openModels({
    ...{ configuration, home: home.directory, environment, userDirectory, now, randomBytes, redact },
    ...{ kedgeVersion, onNotice, onKey: learnSecret },
    unattended: options.unattended,
    app: options.app ?? "cli",
  });
}

type FollowedPlace = Pick<AssembledTools, "lookAtPath"> & {
  readonly options: AssembleOptions;
  readonly own: ProcessParts;
  readonly store: Store;
};

/** Memory looks after itself beside the sessions of this process. */
function followMemory(
  { memory }: Pick<AssembledProject, "memory">,
  { engine, workerEngine }: ReturnType<typeof assembleEngine>,
  { options, own, store, lookAtPath }: FollowedPlace,
): void {
  const { projectId } = options.project;
  memory.session?.follow(engine, {
    ...{ workerEngine, onNotice: options.onNotice, nonceOf: fenceNonce },
    process: { holder: own.holder, isAlive: (other) => isAlive({ ...other, boot: "" }) },
    isInside: (path) => lookAtPath(path).place === "inside",
    sessionsSince: async (timeMs) => (await store.sessions({ projectId, updatedAfter: timeMs, limit: 100 })).length,
  });
}

/** A folder for each session, and one row of numbers for a session and all that work for it. */
function artifactsIn(directory: string, redactor: Redactor): EngineShared["resources"]["newArtifacts"] {
  return (sessionId, aboveId) =>
    createArtifacts({
      ...{ directory: join(directory, sessionId), redactor },
      ...(aboveId !== undefined && { above: join(directory, aboveId) }),
    });
}

type Places = { readonly storage: Storage; readonly tools: AssembledTools };

/** Agents that judge work in copies, with tools of their own. */
function proofParts(
  options: AssembleOptions,
  own: ProcessParts,
  models: Models,
  { storage, tools }: Places,
): ProofParts {
  const { now, monotonicMs } = own;
  const toolsAt = (project: Project) => assembleTools({ ...tools.parts, project });
  return { ...options, now, monotonicMs, models, snapshotsAt: storage.newSnapshots, toolsAt };
}

type SavedRulesPlace = Pick<AssembleOptions, "home" | "userDirectory"> & {
  readonly root: string;
  readonly now: () => number;
};

function lateSavedRules(place: SavedRulesPlace): Pick<HostDeskParts, "saveRules" | "removeSavedRule"> {
  return {
    saveRules: async (rules) => (await import("../sessions/saved-rules.ts")).saveRulesForProject(rules, place),
    removeSavedRule: async (rule) => (await import("../sessions/removed-rules.ts")).removeRuleOfProject(rule, place),
  };
}

/** Opens with the first wish, and only once. */
function openOnce<Value>(make: () => Promise<Value>) {
  let opening: Promise<Value> | undefined;
  return {
    open() {
      opening ??= make();
      return opening;
    },
    opened: () => opening,
  };
}

/** Catching up that a full or failing disk refuses is done by a later process; the run has told of the disk already. */
function leaveForLater(error: unknown): void {
  if (!(error instanceof FailureError) && !(error instanceof Error && "syscall" in error)) throw error;
}
