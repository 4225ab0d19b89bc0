/** The settings about conversations: how they are kept within a window, what they are called, when a stop is no end. */
import {
  type CompactionSettings,
  compactionStrategies,
  defaultCompaction,
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
import { ignored, type SettingDeclarations } from "./setting-declaration.ts";
import type { Settings } from "./setting-file.ts";

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
  /** Absent when nobody is offered a summary of the branch that is left. */
  readonly branchSummary?: { readonly reserveTokens: number };
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
  enabled: said("Whether conversations are shortened by themselves.", flag, defaultCompaction.enabled),
  strategy: said("How they are shortened.", oneOf(strategies), defaultCompaction.strategy),
  model: said("The model that sums up; that of the session without it.", modelName),
  reserveTokens: said("How much of the window stays free.", wholeNumber, defaultCompaction.reserveTokens),
  keepRecentTokens: said("The newest part that stays as it is.", wholeNumber, defaultCompaction.keepRecentTokens),
  autoContinue: said("Whether a run goes on by itself afterwards.", flag, defaultCompaction.autoContinue),
  remoteEnabled: said("Whether a vendor that can may shorten it itself.", flag, defaultCompaction.remoteEnabled),
  remoteEndpoint: said("An https address of your own that shortens it.", secureAddress),
  remoteAllowedHosts: said("Private hosts that may be asked for that.", list(text), []),
  thresholdPercent: said("When: a share of the window.", anyNumber, defaultCompaction.thresholdPercent),
  thresholdTokens: said("When: a number of tokens.", anyNumber, defaultCompaction.thresholdTokens),
  dropUseless: said("Whether results without use go out of view.", flag, defaultCompaction.dropUseless),
  supersedeReads: said("Whether an older reading of a file goes out.", flag, defaultCompaction.supersedeReads),
  idle: object({
    enabled: said("Whether it also happens while you are away.", flag, idle.enabled),
    thresholdTokens: said("From which size on.", wholeNumber, idle.thresholdTokens),
    seconds: said("After how long.", number({ min: 10, max: 86_400 }), idle.seconds),
  }),
  idleEnabled: said("The same as idle.enabled.", flag),
  idleThresholdTokens: said("The same as idle.thresholdTokens.", wholeNumber),
  idleTimeoutSeconds: said("The same as idle.seconds.", amount),
});

const stopFields = object({
  detection: said("How a stop that is no end is noticed.", oneOf(detections), unexpectedStopDefaults.detection),
  model: said("The model that is asked with smart.", modelName),
  questions: said("Whether questions count as well.", flag, unexpectedStopDefaults.questions),
});

/** One word says as much as an object with it. */
const unexpectedStop = checkWith(
  () => ({ anyOf: [oneOf(detections).schema(), stopFields.schema()] }),
  (value, path) => (typeof value === "string" ? oneOf(detections)(value, path) : stopFields(value, path)),
);

const costsMore = ignored("a project may not choose models that cost more");

export const conversationSettings = {
  compaction: {
    check: compaction,
    project: ignored("what a model keeps in view, and who sums it up, is the user's choice"),
    counts: "at start",
  },
  snapcompact: {
    check: object({
      shape: said("The letters of a picture.", shape),
      framesMax: said("The most pictures of one summary.", wholeNumber),
      resultCharactersMax: said("The most that is kept of a result.", wholeNumber),
      valueCharactersMax: said("The most that is kept of a value.", wholeNumber),
      callCharactersMax: said("The most that is kept of a call.", wholeNumber),
    }),
    project: ignored("what a model keeps in view is the user's choice"),
    counts: "at start",
  },
  contextPromotion: {
    check: object({
      enabled: said("Whether a model with a larger window takes over before anything is shortened.", flag, false),
      model: said("Which model that is.", modelReference),
    }),
    project: costsMore,
    counts: "at start",
  },
  titles: {
    check: object({
      enabled: said("Whether a model names sessions in the console.", flag, true),
      model: said("Which model that is; that of the session without it.", modelName),
    }),
    project: costsMore,
    counts: "at start",
  },
  branchSummary: {
    check: object({
      enabled: said("Whether a summary is offered of a branch that is left.", flag, false),
      reserveTokens: said("What of the window is left to it.", wholeNumber, branchReserveTokens),
    }),
    project: costsMore,
    counts: "at start",
  },
  unexpectedStop: {
    check: said("How a stop that is no end is noticed.", unexpectedStop),
    project: costsMore,
    counts: "at start",
  },
  journal: {
    check: object({ sign: said("Whether the ends of sessions are signed.", flag, true) }),
    project: ignored("a project may not say whether its sessions are signed"),
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
  readonly journal?: { readonly sign?: boolean };
  readonly unexpectedStop?: UnexpectedStopSettings["detection"] | Partial<UnexpectedStopSettings>;
};

/** Every value was checked when its file was read. */
export function readConversationSettings(settings: Settings): ConversationSettings {
  const { compaction = {}, contextPromotion = {}, titles = {}, branchSummary = {}, unexpectedStop } = settings as Raw;
  const { journal = {}, snapcompact = {} } = settings as Raw;
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
    ...(branchSummary.enabled && {
      branchSummary: { reserveTokens: branchSummary.reserveTokens ?? branchReserveTokens },
    }),
    unexpectedStop: { ...unexpectedStopDefaults, ...stop, ...detection },
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
