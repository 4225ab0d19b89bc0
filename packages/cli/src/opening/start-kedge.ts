/** From the command line's flags to a running kedge, or to the sentence that says what is missing. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type AssembleOptions,
  assemble,
  type Configuration,
  commandLineRules,
  isContainer,
  type Kedge,
} from "@kedge/host";
import type { Client, Failure, JsonSchema, Media, Models, PermissionMode, RunOptions, Tool } from "@kedge/protocol";
import { isJsonObject } from "@kedge/protocol";
import { connectInProcess } from "@kedge/sdk";
import type { Flags } from "../arguments/flags.ts";
import { readAttachments } from "../attachments/attachments.ts";
import { failureText } from "../failure-text.ts";
import { writeDiagnostic } from "../output.ts";
import { buildId, version } from "../start/build-facts.ts";
import { ignoreStage, type PassStage } from "../start/startup-stages.ts";
import { settingsTexts } from "../texts/opening.ts";
import type { TrustQuestion } from "./establish-trust.ts";
import { openSettings } from "./open-settings.ts";
import { readAgentsFlag } from "./read-agents-flag.ts";
import { unknownRule } from "./refuse-unknown-rule.ts";
import type { Surroundings } from "./surroundings.ts";

/** The parts, and the client that every screen uses. */
export type ConnectedKedge = Kedge & { readonly client: Client };

export type Started = {
  readonly kedge: ConnectedKedge;
  readonly configuration: Configuration;
  readonly cwd: string;
  /** Of the worktree. */
  readonly root: string;
  readonly projectId: string;
  /** Where kedge keeps what is its own. */
  readonly home: string;
  readonly mode: PermissionMode;
  /** True when the command line said which mode. */
  readonly isModeNamed: boolean;
  readonly runOptions: RunOptions;
  /** Goes with the first prompt. */
  readonly attachments: readonly Media[];
};

export type StartOutcome =
  | { readonly ok: true; readonly started: Started }
  | { readonly ok: false; readonly failure: Failure; readonly isUsage: boolean };

export type StartOptions = {
  /** True when somebody can answer questions. */
  readonly interactive: boolean;
  /** No prompt will run, so that nothing is said about what a prompt would be told. */
  readonly runsNothing?: true;
  /** Part of another program, whose terminal is not ours to ask in. */
  readonly isEmbedded?: true;
  /** Asks in the place of the plain question in the terminal. */
  readonly ask?: TrustQuestion;
  readonly onNotice?: (sentence: string) => void;
  readonly passStage?: PassStage;
  /** Tools of the program that starts kedge, beside our own. */
  readonly tools?: readonly Tool[];
  /** Models of that program. */
  readonly addModels?: (models: Models) => Models;
  /** MCP servers of whoever starts kedge; given, also without any, where more may join later. */
  readonly mcpServers?: AssembleOptions["mcpServers"];
  readonly agents?: AssembleOptions["agents"];
  /** The interface that is started; the command line without this. */
  readonly app?: AssembleOptions["app"];
};

export async function startKedge(
  flags: Flags,
  surroundings: Surroundings,
  options: StartOptions,
): Promise<StartOutcome> {
  const { onNotice = writeDiagnostic, passStage = ignoreStage } = options;
  const { environment, userDirectory } = surroundings;
  const canAsk = options.interactive && options.isEmbedded !== true && process.stdin.isTTY === true;
  const ask = options.ask ?? (canAsk ? (await import("./trust-question.ts")).askForTrust : undefined);
  const opened = await openSettings(flags, surroundings, {
    ...{ onNotice, passStage },
    ...(options.runsNothing !== true && { loadsInstructions: true }),
    ...(ask !== undefined && { ask }),
  });
  if (!opened.ok) return { ...opened, isUsage: false };
  const { home, project, configuration, settings, isTrusted } = opened;
  const rules = commandLineRules({ allow: flags.allow ?? [], deny: flags.deny ?? [] });
  if (!rules.ok) return usage(rules.sentence);
  const { policy } = configuration;
  const conflict =
    policy === undefined ? undefined : (await import("../arguments/policy-conflict.ts")).policyConflict(flags, policy);
  if (conflict !== undefined) return usage(conflict);
  const mode = modeOf(flags, configuration);
  if (mode === "bypass" && process.getuid?.() === 0 && !isContainer(environment)) {
    return usage(settingsTexts.bypassAsRoot);
  }
  const runOptions = runOptionsOf(flags, configuration, project.cwd);
  if (!runOptions.ok) return usage(runOptions.sentence);
  const attached = readAttachments(flags.attach ?? [], project.cwd);
  if (!attached.ok) return usage(attached.sentence);
  const agents = readAgentsFlag(flags, options.agents, project.cwd);
  if (!agents.ok) return usage(agents.sentence);
  const named =
    flags.mcpConfig === undefined
      ? undefined
      : await (await import("@kedge/host/mcp")).namedServers(flags.mcpConfig, environment, {
          projectRoot: project.root,
          userDirectory,
        });
  if (named?.ok === false) return usage(named.failure.message);
  const mcpServers = named === undefined ? options.mcpServers : [...named.servers, ...(options.mcpServers ?? [])];
  const assembled = await assemble({
    ...{ configuration, settings },
    ...(isTrusted && { isTrusted: true as const }),
    ...(flags.settings !== undefined && { settingFiles: flags.settings }),
    home,
    project,
    environment,
    userDirectory,
    commandLineRules: rules.rules,
    interactive: options.interactive,
    unattended: flags.unattended === true || environment["KEDGE_UNATTENDED"] === "1",
    kedgeVersion: version,
    ...(options.app !== undefined && { app: options.app }),
    // What is part of another program cannot be started by its file.
    ...(process.argv[1] !== undefined &&
      options.isEmbedded !== true && { program: [process.execPath, process.argv[1]] }),
    ...(flags.debug !== undefined && { debug: flags.debug }),
    ...(buildId !== undefined && { buildId }),
    onNotice: (sentence) => onNotice(`kedge: ${sentence}`),
    ...(options.tools !== undefined && { tools: options.tools }),
    ...(options.addModels !== undefined && { addModels: options.addModels }),
    ...(mcpServers !== undefined && { mcpServers }),
    ...(flags.tools !== undefined && { toolNames: flags.tools }),
    ...(flags.noMemory && { memory: false }),
    ...((flags.init || flags.maintenance) && { setup: flags.maintenance ? "maintenance" : "init" }),
    ...(options.runsNothing && { code: false }),
    ...(flags.addDir !== undefined && { addedDirectories: flags.addDir }),
    ...(flags.systemPrompt !== undefined && { systemPrompt: flags.systemPrompt }),
    ...(flags.appendSystemPrompt !== undefined && { appendSystemPrompt: flags.appendSystemPrompt }),
    ...(flags.agent !== undefined && { agent: flags.agent }),
    ...(agents.definitions !== undefined && { agents: agents.definitions }),
  });
  // The settings were sound, so it is a flag that names what is not there.
  if (!assembled.ok) return { ...assembled, isUsage: assembled.failure.code === "configuration" };
  const wrongRule = unknownRule(flags, assembled.kedge.toolNames);
  if (wrongRule !== undefined) {
    await assembled.kedge.close();
    return usage(wrongRule);
  }
  passStage("assemble");
  if (assembled.notice !== undefined) onNotice(failureText(assembled.notice));
  const { door, store } = assembled.kedge;
  const kedge = { ...assembled.kedge, client: connectInProcess(door, store) };
  const { cwd, root, projectId } = project;
  return {
    ok: true,
    started: {
      kedge,
      configuration,
      cwd,
      root,
      projectId,
      home: home.directory,
      mode,
      isModeNamed: flags.permissionMode !== undefined || flags.skipPermissions === true,
      runOptions: runOptions.options,
      attachments: attached.attachments,
    },
  };
}

function modeOf(flags: Flags, configuration: Configuration): PermissionMode {
  if (flags.skipPermissions) return "bypass";
  return flags.permissionMode ?? configuration.mode ?? "default";
}

type ReadOptions =
  | { readonly ok: true; readonly options: RunOptions }
  | { readonly ok: false; readonly sentence: string };

function runOptionsOf(flags: Flags, configuration: Configuration, cwd: string): ReadOptions {
  const schema = flags.jsonSchema === undefined ? undefined : readSchema(flags.jsonSchema, cwd);
  if (schema !== undefined && !schema.ok) return schema;
  return {
    ok: true,
    options: {
      ...configuration.limits,
      ...(flags.maxTurns !== undefined && { turnsMax: flags.maxTurns }),
      ...(flags.maxBudgetUsd !== undefined && { budgetUsdMax: flags.maxBudgetUsd }),
      ...(flags.maxSteps !== undefined && { stepsMax: flags.maxSteps }),
      ...(schema !== undefined && { answerSchema: schema.schema }),
      ...(flags.fallbackModel !== undefined && { fallbackModel: flags.fallbackModel }),
      ...(flags.effort !== undefined && { reasoning: { ...configuration.limits.reasoning, effort: flags.effort } }),
    },
  };
}

type ReadSchema =
  | { readonly ok: true; readonly schema: JsonSchema }
  | { readonly ok: false; readonly sentence: string };

/** The schema itself, or the name of a file that holds it. */
function readSchema(given: string, cwd: string): ReadSchema {
  try {
    const text = given.trimStart().startsWith("{") ? given : readFileSync(resolve(cwd, given), "utf8");
    const schema: unknown = JSON.parse(text);
    // Unknown keywords are ignored by the validator, so any object is a schema.
    if (isJsonObject(schema)) return { ok: true, schema: schema as JsonSchema };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Unreadable and unparsable end in the same sentence: the value is no schema.
  }
  return { ok: false, sentence: settingsTexts.schemaForm };
}

function usage(message: string): StartOutcome {
  return { ok: false, failure: { code: "invalid_command", message, retryable: false }, isUsage: true };
}
