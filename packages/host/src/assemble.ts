/** The one file that knows everybody: makes the parts once and wires them together, and does nothing else. */
import { existsSync, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createEngine, type Engine, type EngineParts, type LocalCommand, type SaveRules } from "@kedge/engine";
import { redactSecrets } from "@kedge/memory";
import { type Door, type Failure, FailureError, type RuleSet, type Store, type Tool } from "@kedge/protocol";
import { childEnvironment, isProtectedPath, isSecretName } from "@kedge/sandbox";
import { createGitSnapshots, createMachineLook } from "@kedge/store";
import {
  createArtifacts,
  createFileState,
  createJobs,
  createOutputSink,
  endOrphans,
  fileForContext,
  runUserShell,
} from "@kedge/tools";
import { findAddedDirectories } from "./added-directories.ts";
import { assembleTools } from "./assemble-tools.ts";
import type { Configuration } from "./configuration/load-configuration.ts";
import { isFixedByPolicy, rulesUnderPolicy } from "./configuration/managed-policy.ts";
import type { Settings } from "./configuration/setting-file.ts";
import { createDoor } from "./door/create-door.ts";
import type { HostDesk } from "./door/host-desk.ts";
import { concurrentCallsMax, thresholdOf } from "./engine-variables.ts";
import { type Home, profileOf } from "./home.ts";
import { isAlive, thisProcess } from "./identity.ts";
import { createIds, newRequestId } from "./ids.ts";
import { createJournalKey } from "./journal-key.ts";
import { createLocalCommands } from "./local-commands.ts";
import type { ModelCatalogue } from "./model-catalogue.ts";
import { openModels } from "./open-models.ts";
import { findProject, type Project } from "./project.ts";
import { createRandomBytes } from "./random-bytes.ts";
import { remoteSummaryOf } from "./remote-summary.ts";
import { createRetention, type Retention } from "./retention/retention.ts";
import { createSessionUpkeep } from "./retention/session-upkeep.ts";
import { createSessionFiles, type SessionFiles } from "./session-files.ts";
import type { RunShellLine } from "./shell-line.ts";
import { openStore } from "./storage/open-store.ts";
import { secretsOfStorage } from "./storage/storage-settings.ts";
import { createTelemetry } from "./telemetry/create-telemetry.ts";

/** What is kept of a tool's output while it runs; the pipeline shortens further for the model. */
const outputHeadBytes = 17 * 1024;
const outputTailBytes = 11 * 1024;

export type AssembleOptions = {
  readonly configuration: Configuration;
  /** Files of settings given on the command line, which are read again with all others. */
  readonly settingFiles?: readonly string[];
  /** The settings that the configuration was made of. */
  readonly settings?: Settings;
  readonly home: Home;
  readonly project: Project;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly userDirectory: string;
  readonly commandLineRules: RuleSet;
  /** True when a person can answer questions. */
  readonly interactive: boolean;
  /** True when nobody waits, so that limits of vendors are waited for. */
  readonly unattended: boolean;
  readonly kedgeVersion: string;
  /** Another one for every program; undefined where there is none. */
  readonly buildId?: string;
  /** Milliseconds since the epoch; the clock of the system without this. */
  readonly now?: () => number;
  /** Told what a person should know and what is no failure. */
  readonly onNotice: (sentence: string) => void;
  /** Tools of the program that uses kedge, beside our own and never under one of their names. */
  readonly tools?: readonly Tool[];
  /** The only tools that are offered; all without this. */
  readonly toolNames?: readonly string[];
  /** Directories beside the project that count as inside it; what changes in them is not undone. */
  readonly addedDirectories?: readonly string[];
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
};

export type Kedge = {
  readonly engine: Engine;
  /** Everything that a client can ask of this place of work. */
  readonly door: Door;
  readonly store: Store;
  readonly toolNames: () => readonly string[];
  readonly localCommands: readonly Pick<LocalCommand, "name" | "summary">[];
  readonly modelCatalogue: ModelCatalogue;
  readonly sessionFiles: SessionFiles;
  readonly retention: Retention;
  readonly runShellLine: RunShellLine;
  /** Those of the user in this place of work. */
  readonly terminals: () => Promise<HostDesk["terminals"]>;
  /** Of all sessions of the project. */
  readonly events: () => Promise<HostDesk["events"]>;
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
  const { cwd, root, projectId, isGitRepository } = project;
  // What may change while this runs; everything else stays as it was at the start.
  let live: Pick<Configuration, "env" | "web"> = configuration;
  const { now = Date.now } = options;
  const monotonicMs = () => performance.now();
  const randomBytes = createRandomBytes();
  const secrets = knownSecrets(configuration, environment);
  const redact = (text: string) => redactSecrets(text, secrets);
  const telemetry = createTelemetry({ settings: configuration.telemetry, environment, kedgeVersion, onNotice });
  secrets.push(...telemetry.secrets);
  const added = findAddedDirectories(options.addedDirectories ?? [], cwd);
  if (!added.ok) return added;
  secrets.push(...secretsOfStorage(configuration.storage));
  const journalKey = createJournalKey({ home, settings: configuration.conversation, randomBytes, onNotice });
  const { buildId } = options;
  const opened = await openStore({
    ...{ storage: configuration.storage, home, now, randomBytes, redact, journalKey },
    ...(buildId !== undefined && { buildId }),
  });
  if (!opened.ok) return opened;
  const { notice } = opened;
  const { models, network, modelCatalogue, overridingVariable, keySource, hastenRetry, forgetKey } = openModels({
    configuration,
    home: home.directory,
    environment,
    userDirectory,
    unattended: options.unattended,
    now,
    randomBytes,
    redact,
    onKey: (key) => secrets.push(key),
  });
  const { conversation } = configuration;
  const commandEnvironment = () =>
    childEnvironment(telemetry.forChildren(environment), { scrub: !options.interactive, ...live.env });
  const holder = thisProcess();
  const { newTools, refusal, shellPath, judgePath, shell, sandbox } = assembleTools({
    ...options,
    addedDirectories: added.directories,
    ...{ holder, now, monotonicMs, commandEnvironment },
    ca: network.ca,
    searchBackend: () => live.web.search,
    searchSessions: (query) => store.search({ ...query, projectId }),
  });
  if (refusal !== undefined) return { ok: false, failure: refusal };
  let shellLines = 0;
  const newArtifacts = (sessionId: string) =>
    createArtifacts({ directory: join(home.data, "tool-output", sessionId), redact });
  const runShellLine: RunShellLine = (command, { sessionId, signal, onProgress }) => {
    shellLines += 1;
    return runUserShell({
      command,
      cwd,
      shellPath,
      environment: commandEnvironment(),
      lineId: `line-${shellLines}`,
      signal,
      onProgress,
      now: monotonicMs,
      artifacts: newArtifacts(sessionId),
    });
  };
  const saveRules: SaveRules = async (rules) => {
    const { saveRulesForProject } = await import("./saved-rules.ts");
    return saveRulesForProject(rules, { home, root, userDirectory, now });
  };
  const newSnapshots = (workspace: Project) =>
    createGitSnapshots({
      directory: join(home.snapshots, workspace.projectId),
      root: workspace.root,
      environment: () => childEnvironment(environment, { scrub: true }),
      home: userDirectory,
      isInsideGitRepository: workspace.isGitRepository,
      processes: { own: holder, isAlive },
    });
  const snapshots = newSnapshots(project);
  const upkeep = createSessionUpkeep({
    ...{ store: opened.store, snapshots },
    ...(configuration.transcripts.length > 0 && { transcripts: { load: () => sessionFiles.transcripts(), projectId } }),
  });
  const { store } = upkeep;
  const retention = createRetention({
    ...{ store, holder, home, project, snapshots, now, settings: configuration.retention },
    onNotice: options.onNotice,
    snapshotsOf: (directory, owner) =>
      existsSync(directory) ? newSnapshots({ ...findProject(directory), projectId: owner }) : undefined,
    redact,
    rewriteTranscripts: async (sessionId) => (await sessionFiles.transcripts()).rewrite(sessionId),
  });
  const newId = createIds(now, randomBytes);
  const sessionFiles = createSessionFiles({
    ...{ store, holder, environment, redact, newRequestId, now, kedgeVersion, projectId, newId },
    ...{ home: home.directory, directory: cwd, kept: configuration.transcripts, onNotice: options.onNotice },
  });
  const profile = profileOf(environment);
  const localCommands = createLocalCommands({
    ...{ kedgeVersion, home: home.directory, keySource },
    ...(profile !== undefined && { profile }),
  });
  // One list for as long as this runs: what a user changes in it counts from the next call on.
  const engineRules = [...rulesUnderPolicy([options.commandLineRules, ...configuration.rules], configuration.policy)];
  // The engine is given this very object, so that sessions begin with the model that counts by then.
  const engineParts: EngineParts & { defaultModel?: string } = {
    store,
    models,
    newTools,
    snapshots,
    sessionDeleted: retention.sessionDeleted,
    newFileState: createFileState,
    newOutputSink: (sink) =>
      createOutputSink({ headBytes: outputHeadBytes, tailBytes: outputTailBytes, now: monotonicMs, ...sink }),
    newArtifacts,
    machine: createMachineLook({ monotonicMs }),
    pressure: configuration.pressure,
    newJobs: () => createJobs({ now, max: configuration.tools.jobs.max }),
    workspace: {
      cwd,
      root,
      projectId,
      judgePath,
      analyseShell: shell.analyse,
      isSandboxed: sandbox !== undefined && configuration.sandbox.autoAllow,
      isProtected: (path) => isProtectedPath(path, { home: userDirectory, root }),
      home: userDirectory,
      kedgeHome: home.directory,
    },
    rules: engineRules,
    ...(configuration.policy !== undefined && { policy: configuration.policy }),
    // Headless nobody answers, so nothing is saved.
    ...(options.interactive && { saveRules }),
    continueOnReject: configuration.continueOnReject,
    ...(configuration.permissionTimeoutMs !== undefined && { permissionTimeoutMs: configuration.permissionTimeoutMs }),
    interactive: options.interactive,
    concurrentCallsMax: concurrentCallsMax(environment["KEDGE_MAX_TOOL_CONCURRENCY"]),
    holder,
    endOrphans: (boot) => endOrphans(boot, isAlive),
    kedgeVersion,
    clock: { now, monotonicMs },
    newId,
    newRequestId,
    redact,
    localCommands,
    compaction: {
      settings: conversation.compaction,
      ...(conversation.compactionModel !== undefined && { model: conversation.compactionModel }),
      ...(conversation.promotionModel !== undefined && { promotionModel: conversation.promotionModel }),
      ...(!isFixedByPolicy("compaction.thresholdPercent", configuration.policy) &&
        thresholdOf(environment["KEDGE_AUTOCOMPACT_PCT"])),
      readFile: fileForContext,
      snapcompact: conversation.snapcompact,
      // Fonts and tables are large, and few conversations come to this.
      printHistory: async (...history) => (await import("@kedge/memory/picture-archive")).printHistory(...history),
      ...remoteSummaryOf(conversation.remoteSummary, network),
    },
    ...(options.interactive && conversation.titles !== undefined && { titles: conversation.titles }),
    unexpectedStop: conversation.unexpectedStop,
    ...(conversation.branchSummary !== undefined && { branchSummary: conversation.branchSummary }),
    fileChangedAtMs: async (path) => (await stat(path).catch(() => undefined))?.ctimeMs,
    editChoice: configuration.edit,
    autoMode: configuration.autoMode,
    interruptMode: configuration.interruptMode,
    prompt: {
      ...(options.systemPrompt !== undefined && { override: options.systemPrompt }),
      ownBase: (family) => textOfFile(join(home.directory, "prompts", `${family}.md`)),
      ...(options.appendSystemPrompt !== undefined && { append: options.appendSystemPrompt }),
      platform: process.platform,
      shell: shellPath,
      isGitRepository,
      today: () => new Date(now()).toISOString().slice(0, "2000-01-01".length),
    },
  };
  const engine = createEngine(engineParts);
  const applyConfiguration = (next: Configuration, when: "at once" | "on reload") => {
    if (next.model === undefined) delete engineParts.defaultModel;
    else engineParts.defaultModel = next.model;
    if (when === "on reload") live = { env: next.env, web: next.web };
  };
  applyConfiguration(configuration, "at once");
  const toolNames = () => newTools().map((tool) => tool.name);
  telemetry.follow(engine, toolNames);
  let desk: Promise<HostDesk> | undefined;
  const openDesk = async () => {
    const { openHostDesk } = await import("./door/open-host-desk.ts");
    return openHostDesk({
      ...{ engine, store, snapshots, sessionFiles, modelCatalogue, localCommands, newTools, runShellLine },
      ...{ configuration, home, project, userDirectory, shellPath, holder, kedgeVersion, now, newId, redact },
      ...{ commandEnvironment, saveRules, judgePath, environment, applyConfiguration },
      ...{ network, hastenRetry, forgetKey },
      ...{ settings: options.settings ?? {}, settingFiles: options.settingFiles ?? [] },
      onKey: (key) => secrets.push(key),
      artifactPath: (sessionId, number) => newArtifacts(sessionId).pathOf(number),
      rules: {
        list: () => engineRules,
        replace: (sets) => engineRules.splice(0, engineRules.length, ...sets),
      },
    });
  };
  const openedDesk = () => {
    desk ??= openDesk();
    return desk;
  };
  const door = createDoor(engine, openedDesk);
  const kedge: Kedge = {
    engine,
    door,
    store,
    toolNames,
    localCommands,
    runShellLine,
    terminals: async () => (await openedDesk()).terminals,
    events: async () => (await openedDesk()).events,
    modelCatalogue,
    sessionFiles,
    retention,
    overridingVariable,
    async close() {
      await (await desk)?.close();
      await engine.close();
      await upkeep.close().catch(leaveForLater);
      await retention.enforce().catch(leaveForLater);
      await sandbox?.close();
      await telemetry.close();
    },
  };
  return notice === undefined ? { ok: true, kedge } : { ok: true, kedge, notice };
}

/** Upkeep that a full or failing disk refuses is done by a later process; the run has told of the disk already. */
function leaveForLater(error: unknown): void {
  if (!(error instanceof FailureError) && !(error instanceof Error && "syscall" in error)) throw error;
}

/** Undefined when there is no such file. */
function textOfFile(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Keys from the configuration and values of variables that are known to hold secrets. */
function knownSecrets({ providers }: Configuration, environment: AssembleOptions["environment"]): string[] {
  const keys = Object.values(providers).map(({ apiKey }) => apiKey);
  const variables = Object.keys(environment)
    .filter(isSecretName)
    .map((name) => environment[name]);
  return [...keys, ...variables].filter((value) => value !== undefined);
}
