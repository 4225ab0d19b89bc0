/** The settings of memory: where it lies, what counts unasked, what is recalled and learned, and what that may cost. */
import { amount, flag, modelName, object, oneOf, said, satisfies, text, wholeNumber } from "../configuration/checks.ts";
import { ignored, type SettingDeclarations } from "../configuration/setting-declaration.ts";

export type MemorySettings = {
  readonly enabled: boolean;
  /** In kedge's own directory without it. */
  readonly directory?: string;
  /** What an agent concluded or a tool brought counts without the user having seen it. */
  readonly acceptInferred: boolean;
  /** Memory that trusted repositories bring is shown as well. */
  readonly team: boolean;
  /** Runs that nobody talks to recall and learn too. */
  readonly headless: boolean;
  readonly recall: boolean;
  /** A small model that selects and compares topics; without it both are done by words alone. */
  readonly model?: string;
  /** Whether conversations are searched for what is worth remembering; `auto` where this project has memory. */
  readonly extract: "auto" | "on" | "off";
  /** After how many turns. */
  readonly extractEvery: number;
  readonly consolidate: boolean;
  readonly consolidateHours: number;
  readonly consolidateSessions: number;
  /** Sessions of an assistant that never end: what happens goes to a log, and is distilled at night. */
  readonly dailyLog: boolean;
  /** `03:00`, in the time of this machine. */
  readonly dreamAt: string;
};

/** What may be spent in a session on what nobody asked for. */
export type BackgroundSettings = { readonly maxUsd: number; readonly maxShare: number };

const usual = {
  ...{ enabled: true, acceptInferred: false, team: false, headless: false, recall: true },
  ...{ extract: "auto", extractEvery: 1 },
  ...{ consolidate: true, consolidateHours: 24, consolidateSessions: 5, dailyLog: false, dreamAt: "03:00" },
} as const satisfies MemorySettings;

const usualBackground: BackgroundSettings = { maxUsd: 0.05, maxShare: 0.1 };

const timeOfDay = satisfies(
  "a time such as 03:00",
  { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" },
  (value) => {
    return typeof value === "string" && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value);
  },
);

const because = "a project may only turn memory off";

export const memorySettings: SettingDeclarations = {
  memory: {
    check: object({
      enabled: said("Remember facts about this project between sessions.", flag, usual.enabled),
      directory: said("Directory for memory; default: kedge's own directory.", text),
      acceptInferred: said("Use facts you did not state yourself without review.", flag, usual.acceptInferred),
      team: said("Also use memory from .kedge/team-memory of a trusted repository.", flag, usual.team),
      headless: said("Also recall and learn in headless runs.", flag, usual.headless),
      recall: said("Add saved topics that match a prompt to it.", flag, usual.recall),
      model: said("Small model that selects and compares topics; default: keyword search.", modelName),
      extract: said(
        "Look for facts worth saving after a turn; auto does so where the project has memory.",
        oneOf(["auto", "on", "off"]),
        usual.extract,
      ),
      extractEvery: said("Number of turns between extractions.", wholeNumber, usual.extractEvery),
      consolidate: said("Consolidate saved topics from time to time.", flag, usual.consolidate),
      consolidateHours: said("Minimum hours between consolidations.", amount, usual.consolidateHours),
      consolidateSessions: said("Minimum sessions between consolidations.", wholeNumber, usual.consolidateSessions),
      dailyLog: said("Write facts to a daily log that is distilled at night.", flag, usual.dailyLog),
      dreamAt: said("Time of distillation, in local time.", timeOfDay, usual.dreamAt),
    }),
    project: {
      kind: "tightens",
      rule: "may only turn it off",
      tighten(value) {
        const { enabled, ...others } = (value ?? {}) as Partial<MemorySettings>;
        const isMore = enabled === true || value === null || Object.keys(others).length > 0;
        return { kept: enabled === false ? { enabled } : undefined, ...(isMore && { ignored: because }) };
      },
    },
    counts: "at start",
  },
  background: {
    check: object({
      maxUsd: said("Maximum cost of titles and memory per session, in US dollars.", amount, usualBackground.maxUsd),
      maxShare: said(
        "Maximum cost of titles and memory as a share of the session's cost.",
        amount,
        usualBackground.maxShare,
      ),
    }),
    project: ignored("a project may not decide what is spent without asking"),
    counts: "at start",
  },
};

export function readBackgroundSettings(value: unknown): BackgroundSettings {
  const given = Object.entries((value ?? {}) as object).filter(([, member]) => member !== null);
  return { ...usualBackground, ...Object.fromEntries(given) };
}

/** Every value was checked when its file was read; `null` takes back what a weaker file set. */
export function readMemorySettings(value: unknown): MemorySettings {
  const given = Object.entries((value ?? {}) as object).filter(([, member]) => member !== null);
  return { ...usual, ...Object.fromEntries(given) };
}
