/** The settings about conversations: how they are kept within a window, what they are called, when a stop is no end. */
import {
  type CompactionSettings,
  compactionStrategies,
  defaultCompaction,
  type UnexpectedStopSettings,
  unexpectedStopDefaults,
} from "@kedge/engine";
import { isJsonObject } from "@kedge/protocol";
import { amount, type Check, number, object, oneOf, satisfies, wholeNumber } from "./checks.ts";
import type { Settings } from "./setting-file.ts";

export type ConversationSettings = {
  readonly compaction: CompactionSettings;
  /** The model that sums up; without it the one that works. */
  readonly compactionModel?: string;
  /** A model with a larger window that takes over before anything is shortened. */
  readonly promotionModel?: string;
  /** Absent when sessions are called by their first prompt. */
  readonly titles?: { readonly model?: string };
  readonly unexpectedStop: UnexpectedStopSettings;
  /** Absent when nobody is offered a summary of the branch that is left. */
  readonly branchSummary?: { readonly reserveTokens: number };
};

/** What of the window is left to the summary of a branch. */
const branchReserveTokens = 16_384;

const flag = satisfies("true or false", (value) => typeof value === "boolean");
const modelReference = satisfies(
  "a text of the form provider/model",
  (value) => typeof value === "string" && /^[^/]+\/.+$/.test(value),
);
/** Negative ones are as if nothing had been said. */
const anyNumber = satisfies("a number", (value) => typeof value === "number");
const secureAddress = satisfies(
  "an https URL",
  (value) => typeof value === "string" && URL.canParse(value) && new URL(value).protocol === "https:",
);
/** `context-full` is what other programs call a summary. */
const strategies = [...compactionStrategies, "context-full"];
const detections = ["none", "mechanical", "smart"] as const;

const stopObject = object({ detection: oneOf(detections), model: modelReference, questions: flag });

export const conversationChecks = {
  compaction: object({
    enabled: flag,
    strategy: oneOf(strategies),
    model: modelReference,
    reserveTokens: wholeNumber,
    keepRecentTokens: wholeNumber,
    autoContinue: flag,
    remoteEnabled: flag,
    remoteEndpoint: secureAddress,
    thresholdPercent: anyNumber,
    thresholdTokens: anyNumber,
    dropUseless: flag,
    supersedeReads: flag,
    idle: object({ enabled: flag, thresholdTokens: wholeNumber, seconds: number({ min: 10, max: 86_400 }) }),
    idleEnabled: flag,
    idleThresholdTokens: wholeNumber,
    idleTimeoutSeconds: amount,
  }),
  contextPromotion: object({ enabled: flag, model: modelReference }),
  titles: object({ enabled: flag, model: modelReference }),
  branchSummary: object({ enabled: flag, reserveTokens: wholeNumber }),
  /** One word says as much as an object with it. */
  unexpectedStop: (value, path) =>
    typeof value === "string" ? oneOf(detections)(value, path) : stopObject(value, path),
} satisfies { readonly [name: string]: Check };

type RawCompaction = Partial<Omit<CompactionSettings, "strategy" | "idle">> & {
  readonly strategy?: CompactionSettings["strategy"] | "context-full";
  readonly model?: string;
  readonly idle?: Partial<CompactionSettings["idle"]>;
  readonly idleEnabled?: boolean;
  readonly idleThresholdTokens?: number;
  readonly idleTimeoutSeconds?: number;
};

type Raw = {
  readonly compaction?: RawCompaction;
  readonly contextPromotion?: { readonly enabled?: boolean; readonly model?: string };
  readonly titles?: { readonly enabled?: boolean; readonly model?: string };
  readonly branchSummary?: { readonly enabled?: boolean; readonly reserveTokens?: number };
  readonly unexpectedStop?: UnexpectedStopSettings["detection"] | Partial<UnexpectedStopSettings>;
};

/** Every value was checked when its file was read. */
export function readConversationSettings(settings: Settings): ConversationSettings {
  const { compaction = {}, contextPromotion = {}, titles = {}, branchSummary = {}, unexpectedStop } = settings as Raw;
  const { model } = compaction;
  const { enabled: isPromoting = false, model: promotionModel } = contextPromotion;
  const { enabled: hasTitles = true, ...titling } = titles;
  const stop = isJsonObject(unexpectedStop) ? unexpectedStop : {};
  const detection = typeof unexpectedStop === "string" ? { detection: unexpectedStop } : {};
  return {
    compaction: readCompaction(compaction),
    ...(model !== undefined && { compactionModel: model }),
    ...(isPromoting && promotionModel !== undefined && { promotionModel }),
    ...(hasTitles && { titles: titling }),
    ...(branchSummary.enabled && {
      branchSummary: { reserveTokens: branchSummary.reserveTokens ?? branchReserveTokens },
    }),
    unexpectedStop: { ...unexpectedStopDefaults, ...stop, ...detection },
  };
}

function readCompaction(raw: RawCompaction): CompactionSettings {
  const { model: _, strategy, idle, idleEnabled, idleThresholdTokens, idleTimeoutSeconds, ...given } = raw;
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
