/** The settings about conversations: how they are kept within a window, what they are called, when a stop is no end. */
import {
  type CompactionSettings,
  compactionStrategies,
  defaultCompaction,
  type QueueMode,
  type UnexpectedStopSettings,
  unexpectedStopDefaults,
} from "@kedge/engine";
import { shapeNames } from "@kedge/memory";
import { isJsonObject, type PrintSettings } from "@kedge/protocol";
import type { RemoteSummarySettings } from "../models/remote-summary.ts";
import {
  amount,
  checkWith,
  flag,
  list,
  modelName,
  modelReference,
  number,
  object,
  oneOf,
  said,
  satisfies,
  text,
  wholeNumber,
} from "./checks.ts";
import { followUpModeDefault, steeringModeDefault } from "./limit-settings.ts";
import { ignored, type SettingDeclarations } from "./setting-declaration.ts";
import type { Settings } from "./setting-file.ts";

const summaryModel = "fast";

export type ConversationSettings = {
  readonly compaction: CompactionSettings;
  /** The model that sums up; without it the one that works. */
  readonly compactionModel?: string;
  /** An address of the user's own that sums up before any model is asked. */
  readonly remoteSummary?: RemoteSummarySettings;
  readonly snapcompact: PrintSettings;
  /** A model with a larger window that takes over before anything is shortened. */
  readonly promotionModel?: string;
  /** Absent when sessions are called by their first prompt. */
  readonly titles?: { readonly model?: string };
  readonly unexpectedStop: UnexpectedStopSettings;
  /** How many messages that wait are taken together, during a run and after it. */
  readonly steeringMode: QueueMode;
  readonly followUpMode: QueueMode;
  /** Absent when nobody is offered a summary of the branch that is left. */
  readonly branchSummary?: { readonly reserveTokens: number };
  /** The model that sums up work; absent where none does. */
  readonly workSummary?: { readonly model: string };
  /** True when the ends of sessions are signed. */
  readonly signsJournal: boolean;
};

/** What of the window is left to the summary of a branch. */
const branchReserveTokens = 16_384;

/** Negative ones are as if nothing had been said. */
const anyNumber = satisfies("a number", { type: "number" }, (value) => typeof value === "number");
/** Whether a host of this machine may be asked at all is judged with every request. */
const secureAddress = satisfies("an https URL", { type: "string", format: "uri" }, (value) => {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url?.protocol === "https:") return true;
  return url?.protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
});
/** Asked for only where a file names one: the table is read then. */
const shape = checkWith(
  () => oneOf(shapeNames()).schema(),
  (value, path) => oneOf(shapeNames())(value, path),
);
/** `context-full` is what other programs call a summary. */
const strategies = [...compactionStrategies, "context-full"];
const detections = ["none", "mechanical", "smart"] as const;
const { idle } = defaultCompaction;

const compaction = object({
  enabled: said("Compact long conversations automatically.", flag, defaultCompaction.enabled),
  strategy: said("Compaction strategy.", oneOf(strategies), defaultCompaction.strategy),
  model: said("Model for summaries; default: the session's model.", modelName),
  reserveTokens: said("Share of the context to keep free.", wholeNumber, defaultCompaction.reserveTokens),
  keepRecentTokens: said(
    "Tokens of recent messages to keep unchanged.",
    wholeNumber,
    defaultCompaction.keepRecentTokens,
  ),
  autoContinue: said("Continue the run automatically after compaction.", flag, defaultCompaction.autoContinue),
  remoteEnabled: said("Let providers that support it compact the conversation.", flag, defaultCompaction.remoteEnabled),
  remoteEndpoint: said("HTTPS URL of a self-hosted compaction service.", secureAddress),
  remoteAllowedHosts: said("Private hosts allowed for that service.", list(text), []),
  thresholdPercent: said("Threshold as a share of the context.", anyNumber, defaultCompaction.thresholdPercent),
  thresholdTokens: said("Threshold in tokens.", anyNumber, defaultCompaction.thresholdTokens),
  dropUseless: said("Drop tool output that is no longer useful.", flag, defaultCompaction.dropUseless),
  supersedeReads: said("Drop older reads of a file that was read again.", flag, defaultCompaction.supersedeReads),
  idle: object({
    enabled: said("Also compact while idle.", flag, idle.enabled),
    thresholdTokens: said("Minimum size in tokens.", wholeNumber, idle.thresholdTokens),
    seconds: said("Idle time in seconds.", number({ min: 10, max: 86_400 }), idle.seconds),
  }),
  idleEnabled: said("Alias of idle.enabled.", flag),
  idleThresholdTokens: said("Alias of idle.thresholdTokens.", wholeNumber),
  idleTimeoutSeconds: said("Alias of idle.seconds.", amount),
});

const stopFields = object({
  detection: said(
    "How to detect that the model stopped too early.",
    oneOf(detections),
    unexpectedStopDefaults.detection,
  ),
  model: said("Model used with smart.", modelName),
  questions: said("Also treat questions as early stops.", flag, unexpectedStopDefaults.questions),
});

/** One word says as much as an object with it. */
const unexpectedStop = checkWith(
  () => ({ anyOf: [oneOf(detections).schema(), stopFields.schema()] }),
  (value, path) => (typeof value === "string" ? oneOf(detections)(value, path) : stopFields(value, path)),
);

const costsMore = ignored("a project may not choose more expensive models");

export const conversationSettings = {
  compaction: {
    check: compaction,
    project: ignored("only you decide how conversations are compacted"),
    counts: "at start",
  },
  snapcompact: {
    check: object({
      shape: said("Font of the pictures.", shape),
      framesMax: said("Maximum number of pictures per summary.", wholeNumber),
      resultCharactersMax: said("Maximum characters to keep of a tool result.", wholeNumber),
      valueCharactersMax: said("Maximum characters to keep of a value.", wholeNumber),
      callCharactersMax: said("Maximum characters to keep of a call.", wholeNumber),
    }),
    project: ignored("only you decide what stays in the context"),
    counts: "at start",
  },
  contextPromotion: {
    check: object({
      enabled: said("Switch to a model with a larger context before compacting.", flag, false),
      model: said("Model to switch to.", modelReference),
    }),
    project: costsMore,
    counts: "at start",
  },
  titles: {
    check: object({
      enabled: said("Generate session titles with a model.", flag, true),
      model: said("Model for titles; default: the session's model.", modelName),
    }),
    project: costsMore,
    counts: "at start",
  },
  summary: {
    check: object({
      enabled: said("Let a model summarize the work in exports.", flag, true),
      model: said("Model for these summaries.", modelName, summaryModel),
    }),
    project: costsMore,
    counts: "at start",
  },
  branchSummary: {
    check: object({
      enabled: said("Offer a summary when leaving a branch.", flag, false),
      reserveTokens: said("Tokens of context reserved for it.", wholeNumber, branchReserveTokens),
    }),
    project: costsMore,
    counts: "at start",
  },
  unexpectedStop: {
    check: said("How to detect that the model stopped too early.", unexpectedStop),
    project: costsMore,
    counts: "at start",
  },
  journal: {
    check: object({ sign: said("Sign the end of each session.", flag, true) }),
    project: ignored("a project may not decide whether its sessions are signed"),
    sources: ["user", "policy"],
    counts: "at start",
  },
} satisfies SettingDeclarations;

type RawCompaction = Partial<Omit<CompactionSettings, "strategy" | "idle">> & {
  readonly strategy?: CompactionSettings["strategy"] | "context-full";
  readonly model?: string;
  readonly remoteEndpoint?: string;
  readonly remoteAllowedHosts?: readonly string[];
  readonly idle?: Partial<CompactionSettings["idle"]>;
  readonly idleEnabled?: boolean;
  readonly idleThresholdTokens?: number;
  readonly idleTimeoutSeconds?: number;
};

type Raw = {
  readonly compaction?: RawCompaction;
  readonly snapcompact?: PrintSettings;
  readonly contextPromotion?: { readonly enabled?: boolean; readonly model?: string };
  readonly titles?: { readonly enabled?: boolean; readonly model?: string };
  readonly branchSummary?: { readonly enabled?: boolean; readonly reserveTokens?: number };
  readonly summary?: { readonly enabled?: boolean; readonly model?: string };
  readonly journal?: { readonly sign?: boolean };
  readonly unexpectedStop?: UnexpectedStopSettings["detection"] | Partial<UnexpectedStopSettings>;
  readonly steeringMode?: QueueMode;
  readonly followUpMode?: QueueMode;
};

/** Every value was checked when its file was read. */
export function readConversationSettings(settings: Settings): ConversationSettings {
  const { compaction = {}, contextPromotion = {}, titles = {}, branchSummary = {}, unexpectedStop } = settings as Raw;
  const { journal = {}, snapcompact = {}, summary = {}, steeringMode, followUpMode } = settings as Raw;
  const { model, remoteEndpoint: endpoint, remoteAllowedHosts: allowedHosts = [] } = compaction;
  const { enabled: isPromoting = false, model: promotionModel } = contextPromotion;
  const { enabled: hasTitles = true, ...titling } = titles;
  const stop = isJsonObject(unexpectedStop) ? unexpectedStop : {};
  const detection = typeof unexpectedStop === "string" ? { detection: unexpectedStop } : {};
  return {
    compaction: readCompaction(compaction),
    ...(model !== undefined && { compactionModel: model }),
    ...(endpoint !== undefined && { remoteSummary: { endpoint, allowedHosts } }),
    snapcompact,
    ...(isPromoting && promotionModel !== undefined && { promotionModel }),
    ...(hasTitles && { titles: titling }),
    ...(summary.enabled !== false && { workSummary: { model: summary.model ?? summaryModel } }),
    ...(branchSummary.enabled && {
      branchSummary: { reserveTokens: branchSummary.reserveTokens ?? branchReserveTokens },
    }),
    unexpectedStop: { ...unexpectedStopDefaults, ...stop, ...detection },
    steeringMode: steeringMode ?? steeringModeDefault,
    followUpMode: followUpMode ?? followUpModeDefault,
    signsJournal: journal.sign ?? true,
  };
}

function readCompaction(raw: RawCompaction): CompactionSettings {
  const { model: _, remoteEndpoint: __, remoteAllowedHosts: ___, strategy, idle, ...others } = raw;
  const { idleEnabled, idleThresholdTokens, idleTimeoutSeconds, ...given } = others;
  const base = defaultCompaction;
  return {
    ...base,
    ...given,
    ...(strategy !== undefined && { strategy: strategy === "context-full" ? "summary" : strategy }),
    idle: {
      enabled: idle?.enabled ?? idleEnabled ?? base.idle.enabled,
      thresholdTokens: idle?.thresholdTokens ?? idleThresholdTokens ?? base.idle.thresholdTokens,
      seconds: idle?.seconds ?? idleTimeoutSeconds ?? base.idle.seconds,
    },
  };
}
