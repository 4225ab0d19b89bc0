/** Collects the settings of all files, weakest first, into what the parts of kedge are told. */
import type { AutoModeSettings, EngineParts } from "@kedge/engine";
import type { ProviderSettings, TierModels } from "@kedge/models";
import {
  type EditMode,
  type Effort,
  type Failure,
  isJsonObject,
  type PermissionMode,
  type ReasoningWish,
  type RuleSet,
  type RunOptions,
} from "@kedge/protocol";
import type { SearchBackend } from "@kedge/tools";
import { type AcpAgentSettings, readAcpSettings } from "../acp-agents/acp-settings.ts";
import { type ConfiguredAgents, readAgentSettings } from "../agents/agent-settings.ts";
import { type CodeSettings, readCodeSettings } from "../code/code-settings.ts";
import {
  type CollabSettings,
  readCollabSettings,
  readShareSettings,
  type ShareSettings,
} from "../collab/collab-settings.ts";
import { type ExtensionSettings, readExtensionSettings } from "../extensions/extension-settings.ts";
import { type FormatterSettings, readFormatterSettings } from "../formatters/formatter-settings.ts";
import type { CapturedHooks } from "../hooks/capture-hooks.ts";
import { type InstructionSettings, readInstructionSettings } from "../instructions/instruction-settings.ts";
import { type LspSettings, readLspSettings } from "../lsp/lsp-settings.ts";
import type { NetworkSettings } from "../machine/network.ts";
import type { CapturedServers } from "../mcp/capture-servers.ts";
import {
  type BackgroundSettings,
  type MemorySettings,
  readBackgroundSettings,
  readMemorySettings,
} from "../memory/memory-settings.ts";
import type { PluginSnapshot } from "../plugins/plugin-snapshot.ts";
import { type RetentionSettings, readRetentionSettings } from "../retention/retention-settings.ts";
import { readSignInSettings, type SignInSettings } from "../sign-in/sign-in-settings.ts";
import { readSpendingLimits, type SpendingLimits } from "../spending/spending-settings.ts";
import { readStorageSettings, type StorageSettings } from "../storage/storage-settings.ts";
import { readTeamSettings, type TeamSettings } from "../teams/team-settings.ts";
import { readTelemetrySettings, type TelemetrySettings } from "../telemetry/telemetry-settings.ts";
import type { TranscriptForm } from "../transcripts/transcript-place.ts";
import { readTranscriptSettings } from "../transcripts/transcript-settings.ts";
import { readWorktreeSettings, type WorktreeSettings } from "../worktrees/worktree-settings.ts";
import { policyWithBroken } from "./broken-files.ts";
import { describeProblem } from "./checks.ts";
import { type ConversationSettings, readConversationSettings } from "./conversation-settings.ts";
import { type EnvSettings, readEnvSettings } from "./env-settings.ts";
import { readVariable, thinkingTokensVariable } from "./environment-settings.ts";
import { type Gathered, gatherSettings, settingsWithRules } from "./gather-settings.ts";
import { interruptModeDefault, readLimits } from "./limit-settings.ts";
import { isFixedByPolicy, type Policy, readPolicy, rulesUnderPolicy } from "./managed-policy.ts";
import { readNetworkSettings } from "./network-settings.ts";
import { readProviders } from "./read-providers.ts";
import { type RedactionSettings, readRedactionSettings } from "./redaction-settings.ts";
import { readSandboxSettings, type SandboxSettings } from "./sandbox-settings.ts";
import { readServerSettings, type ServerSettings } from "./server-settings.ts";
import type { Settings } from "./setting-file.ts";
import type { ConfigurationSources } from "./setting-layers.ts";
import { readDisabledProviders } from "./source-settings.ts";
import { readToolSearchSettings, type ToolSearchSettings } from "./tool-search-settings.ts";
import { readToolSettings, type ToolSettings } from "./tool-settings.ts";

export type Configuration = {
  /** `provider/model`, when one was chosen. */
  readonly model: string | undefined;
  /** What the user chose for each tier. */
  readonly tiers: TierModels;
  readonly providers: ProviderSettings;
  readonly mode: PermissionMode | undefined;
  /** Continue the run after a rejection without a message. */
  readonly continueOnReject: boolean;
  /** After this an unanswered permission question counts as a no. */
  readonly permissionTimeoutMs?: number;
  readonly env: EnvSettings;
  /** Present where the machine has a managed policy, or where a settings file is broken. */
  readonly policy?: Policy;
  /** One set per source that has rules. */
  readonly rules: readonly RuleSet[];
  /** What holds for every run unless the command line says otherwise. */
  readonly limits: RunOptions;
  /** Present where the user limits what is spent per session, day or month. */
  readonly spending?: SpendingLimits;
  readonly tools: ToolSettings;
  readonly lsp: LspSettings;
  readonly formatter: FormatterSettings;
  readonly toolSearch: ToolSearchSettings;
  readonly worktree: WorktreeSettings;
  readonly collab: CollabSettings;
  readonly share: ShareSettings;
  readonly sandbox: SandboxSettings;
  readonly redaction: RedactionSettings;
  readonly server: ServerSettings;
  readonly telemetry: TelemetrySettings;
  readonly conversation: ConversationSettings;
  readonly memory: MemorySettings;
  readonly background: BackgroundSettings;
  readonly storage: StorageSettings;
  /** Present where old sessions are to be deleted. */
  readonly retention?: RetentionSettings;
  /** What is kept of each session as a file; usually nothing. */
  readonly transcripts: readonly TranscriptForm[];
  readonly interruptMode: "immediate" | "boundary";
  /** What answers in auto mode, and what it is told beside our own lines. */
  readonly autoMode: AutoModeSettings;
  /** How a run is watched for signs that it forces its result. */
  readonly pressure: NonNullable<EngineParts["pressure"]>;
  readonly web: { readonly search?: SearchBackend };
  readonly edit: { readonly mode?: EditMode; readonly modes?: { readonly [pattern: string]: EditMode } };
  /** Captured once; what changes on the disk meanwhile counts at the next start. */
  readonly hooks: Pick<CapturedHooks, "sources" | "allowedUrls" | "left" | "skillHooksOff">;
  /** Captured once, as hooks are. */
  readonly mcp: Pick<CapturedServers, "files" | "lists">;
  readonly instructions: InstructionSettings & { readonly disabledSources: readonly string[] };
  readonly extensions: ExtensionSettings;
  /** Enabled plugins, captured with the hooks. */
  readonly plugins: PluginSnapshot;
  readonly code: CodeSettings;
  readonly agents: ConfiguredAgents;
  readonly teams: TeamSettings;
  readonly acpAgents: AcpAgentSettings;
  readonly network: NetworkSettings;
  readonly signIn: SignInSettings;
  readonly catalogue: {
    readonly url?: string;
    readonly refresh?: boolean;
    /** Vendors that are as if they did not exist. */
    readonly disabled?: readonly string[];
    /** The managed policy says where it is, and no variable says otherwise. */
    readonly isFixed?: boolean;
  };
};

export type Loaded =
  | {
      readonly ok: true;
      readonly configuration: Configuration;
      readonly warnings: readonly string[];
      /** What it was made of, for whoever asks later what has changed since. */
      readonly settings: Settings;
    }
  | { readonly ok: false; readonly failure: Failure };

export async function loadConfiguration(sources: ConfigurationSources): Promise<Loaded> {
  const outcome = await gatherSettings(sources);
  return outcome.ok ? readConfiguration(outcome.gathered, sources) : { ok: false, failure: invalid(outcome.sentence) };
}

/** From settings that were checked file by file to what the parts of kedge are told. */
function readConfiguration(gathered: Gathered, sources: ConfigurationSources): Loaded {
  const { settings, rules, providerFile } = gathered;
  const managed = gathered.policy === undefined ? undefined : readPolicy(gathered.policy);
  const policy = policyWithBroken(managed, gathered.broken);
  const sandbox = readSandboxSettings(settings["sandbox"]);
  const { mode, warnings } = modeOf(gathered, policy);
  const retention = readRetentionSettings(settings["retention"]);
  const spending = readSpendingLimits(settings["budget"]);
  const { permissionTimeoutSeconds: timeoutSeconds } = settings;
  const disabled = readDisabledProviders(settings, sources);
  const providers = readProviders(withoutNames(settings["provider"], disabled));
  if (!providers.ok) return { ok: false, failure: invalid(describeProblem(providerFile, providers.problem)) };
  return {
    ok: true,
    warnings,
    settings: settingsWithRules(gathered),
    configuration: {
      // Each value was checked against `knownSettings` when its file was read.
      model: settings["model"] as string | undefined,
      tiers: (settings["models"] ?? {}) as TierModels,
      providers: providers.providers,
      mode,
      continueOnReject: settings["continueOnReject"] === true,
      ...(typeof timeoutSeconds === "number" && { permissionTimeoutMs: timeoutSeconds * 1000 }),
      env: readEnvSettings(settings["env"]),
      ...(policy !== undefined && { policy }),
      rules: rulesUnderPolicy(rules, policy),
      limits: {
        ...readLimits(settings["limits"]),
        ...readWishes(settings, isFixedByPolicy("thinking.maxTokens", policy) ? {} : sources.environment),
      },
      edit: readEditModes(settings["edit"] as EditSettings | undefined),
      tools: readToolSettings(settings),
      lsp: readLspSettings(settings["lsp"]),
      formatter: readFormatterSettings(settings["formatter"]),
      worktree: readWorktreeSettings(settings["worktree"]),
      collab: readCollabSettings(settings["collab"]),
      share: readShareSettings(settings["share"]),
      toolSearch: readToolSearchSettings(
        settings["toolSearch"],
        isFixedByPolicy("toolSearch.mode", policy) ? {} : sources.environment,
      ),
      sandbox: policy?.broken === undefined ? sandbox : { ...sandbox, autoAllow: false },
      redaction: readRedactionSettings(settings["redaction"]),
      conversation: readConversationSettings(settings),
      memory: readMemorySettings(settings["memory"]),
      background: readBackgroundSettings(settings["background"]),
      storage: readStorageSettings(
        settings["storage"],
        isFixedByPolicy("storage.url", policy) ? {} : sources.environment,
      ),
      ...(retention !== undefined && { retention }),
      ...(spending !== undefined && { spending }),
      transcripts: readTranscriptSettings(settings["transcripts"]),
      interruptMode: (settings["interruptMode"] as Configuration["interruptMode"] | undefined) ?? interruptModeDefault,
      autoMode: {
        allow: [],
        softDeny: [],
        environment: [],
        ...(settings["auto"] as Partial<AutoModeSettings> | undefined),
      },
      pressure: readPressure(settings["pressure"] as PressureSettings | undefined),
      server: readServerSettings(settings["server"]),
      telemetry: readTelemetrySettings(settings["telemetry"]),
      web: (settings["web"] ?? {}) as Configuration["web"],
      hooks: hooksOf(gathered.hooks),
      mcp: { files: gathered.mcp.files, lists: gathered.mcp.lists },
      instructions: {
        ...readInstructionSettings(settings["instructions"]),
        disabledSources: disabled,
        named: gathered.named,
      },
      extensions: readExtensionSettings(settings["skills"], settings["outputStyle"]),
      plugins: gathered.plugins,
      code: readCodeSettings(settings["tools"], settings["compat"]),
      agents: readAgentSettings(settings["agents"]),
      teams: readTeamSettings(settings["teams"]),
      acpAgents: readAcpSettings(settings["acpAgents"]),
      network: readNetworkSettings(settings["network"], (key) =>
        isFixedByPolicy(key, policy) ? {} : sources.environment,
      ),
      signIn: readSignInSettings(settings["signIn"]),
      catalogue: {
        ...(settings["catalogue"] as Configuration["catalogue"] | undefined),
        ...(disabled.length > 0 && { disabled }),
        ...(isFixedByPolicy("catalogue.url", policy) && { isFixed: true }),
      },
    },
  };
}

function hooksOf({ warnings: _warnings, ...hooks }: CapturedHooks): Configuration["hooks"] {
  return hooks;
}

/** A mode that the policy switched off is as if no file had chosen it. */
function modeOf(
  { settings, warnings }: Gathered,
  policy: Policy | undefined,
): { readonly mode: PermissionMode | undefined; readonly warnings: readonly string[] } {
  const mode = settings["permissionMode"] as PermissionMode | undefined;
  if (mode === undefined || policy?.disabledModes.includes(mode) !== true) return { mode, warnings };
  const because = policy.disabledBecause ?? "disabled by this machine's managed policy";
  const warning = `permissionMode ${mode} is ignored: ${because}`;
  return { mode: undefined, warnings: [...warnings, warning] };
}

/** The setting `provider` was checked to be an object. */
function withoutNames(providers: unknown, names: readonly string[]): unknown {
  if (names.length === 0 || !isJsonObject(providers)) return providers;
  return Object.fromEntries(Object.entries(providers).filter(([name]) => !names.includes(name)));
}

type EditSettings = Configuration["edit"];

function readEditModes({ mode, modes }: EditSettings = {}): Configuration["edit"] {
  return { ...(mode !== undefined && { mode }), ...(modes !== undefined && { modes }) };
}

type PressureSettings = { readonly enabled?: boolean; readonly elevated?: number; readonly high?: number };

function readPressure({ enabled, elevated, high }: PressureSettings = {}): Configuration["pressure"] {
  const thresholds = { ...(elevated !== undefined && { elevated }), ...(high !== undefined && { high }) };
  return { ...(enabled !== undefined && { enabled }), thresholds };
}

/** A variable wins over the files, because it was set for this one start. */
function readWishes(settings: Settings, environment: ConfigurationSources["environment"]): RunOptions {
  const fallbackModel = settings["fallbackModel"] as string | undefined;
  const thinking = settings["thinking"] as { readonly effort?: Effort; readonly maxTokens?: number } | undefined;
  const given = readVariable(thinkingTokensVariable, environment);
  const tokensMax = typeof given === "number" ? given : thinking?.maxTokens;
  const reasoning: ReasoningWish = {
    ...(thinking?.effort !== undefined && { effort: thinking.effort }),
    ...(tokensMax !== undefined && { tokensMax }),
  };
  return {
    ...(fallbackModel !== undefined && { fallbackModel }),
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
  };
}

function invalid(message: string): Failure {
  return { code: "configuration", message: `${message}.`, retryable: false };
}
