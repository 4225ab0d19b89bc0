/** Watches the behaviour of a run for signs that it forces a result instead of finding one; asks no model. */
import type { CallChange } from "./change-signals.ts";
import { commandSimilarity, tokensOf } from "./command-words.ts";
import { pathOf, readChange } from "./diff-code.ts";
import { createEscalationWatch } from "./escalation.ts";
import { filesEditedInPlace, takesOthersWork } from "./file-commands.ts";
import { parseTestRun, readGrades } from "./runner-output.ts";
import { shownName } from "./shown-name.ts";
import {
  defaultThresholds,
  defaultWeights,
  type Evidence,
  hasFailed,
  type ObservedCall,
  type PressureLevel,
  type PressureThresholds,
  type PressureWeights,
} from "./signals.ts";
import { createWorkWatch } from "./work-watch.ts";

export type PressureOptions = {
  readonly weights?: Partial<PressureWeights>;
  readonly thresholds?: Partial<PressureThresholds>;
  readonly enabled?: boolean;
};

/** `callId` is `user` for what messages of the user contributed. */
export type Contribution = { readonly callId: string; readonly weight: number; readonly why: string };

export type PressureReading = {
  readonly level: PressureLevel;
  readonly score: number;
  /** What made the score since it was last zero, oldest first. */
  readonly contributions: readonly Contribution[];
  /** The level is another one than before. */
  readonly changed: boolean;
  /** The level is higher than before. */
  readonly rose: boolean;
  /** How many of the calls in the window failed. */
  readonly failures: number;
  /** How many calls the window holds. */
  readonly calls: number;
};

/** One per run. */
export interface PressureMonitor {
  /** Call it once for each finished call, in order. */
  observe(call: ObservedCall): PressureReading;
  /** A message of the user; only its length is looked at. */
  observeUser(text: string): PressureReading;
  reading(): PressureReading;
}

const windowCalls = 30;
const similarityMin = 0.85;
const shortCharactersMax = 39;
const shortMessagesMax = 3;

type WindowCall = {
  readonly hasFailed: boolean;
  readonly command: string | undefined;
  readonly words: readonly string[];
  readonly isTestRun: boolean;
};

export function createPressureMonitor(options: PressureOptions = {}): PressureMonitor {
  const weights: PressureWeights = { ...defaultWeights, ...options.weights };
  const thresholds: PressureThresholds = { ...defaultThresholds, ...options.thresholds };
  const isOff = options.enabled === false;
  const work = createWorkWatch();
  const escalation = createEscalationWatch();
  let window: readonly WindowCall[] = [];
  let contributions: readonly Contribution[] = [];
  let score = 0;
  let level: PressureLevel = "calm";
  let at = 0;
  let shortMessages = 0;

  function judgeCommand(call: ObservedCall, now: WindowCall): readonly Evidence[] {
    const { command } = call;
    if (command === undefined) return [];
    const found: Evidence[] = [];
    const earlier = escalation.earlierFailure(command);
    if (earlier !== undefined) {
      found.push({ signal: "escalatedRepeat", why: `${shownName(command)} repeats a failed command with an override` });
    }
    // A test run is judged by its tests, and a variant of what worked is no sign of trouble.
    const isRepeated = window.some(
      (before) =>
        before.hasFailed &&
        !before.isTestRun &&
        before.command !== command &&
        commandSimilarity(before.words, now.words) >= similarityMin,
    );
    if (now.hasFailed && !now.isTestRun && isRepeated) {
      found.push({
        signal: "nearDuplicateCommand",
        why: `${shownName(command)} is nearly a command that failed before`,
      });
    }
    return found;
  }

  function settle(callId: string, found: readonly Evidence[], relief: number): PressureReading {
    const gained = found
      .map(({ signal, why }) => ({ callId, weight: weights[signal], why }))
      .filter(({ weight }) => weight > 0);
    score = Math.max(0, gained.reduce((sum, { weight }) => sum + weight, score) - relief);
    contributions = score === 0 ? [] : [...contributions, ...gained].slice(-windowCalls);
    const before = level;
    level = levelOf(score, thresholds);
    return { ...reading(), changed: before !== level, rose: ranks[level] > ranks[before] };
  }

  function reading(): PressureReading {
    const failures = window.filter((call) => call.hasFailed).length;
    return { level, score, contributions, changed: false, rose: false, failures, calls: window.length };
  }

  return {
    reading,
    observe(call) {
      if (isOff) return reading();
      at += 1;
      work.forgetBefore(at - windowCalls);
      const { command } = call;
      const run = command === undefined ? readGrades(call.grades) : parseTestRun(call.output);
      const words = command === undefined ? [] : tokensOf(command);
      const failed = hasFailed(call) || run?.anyFailed === true;
      const now: WindowCall = { hasFailed: failed, command, words, isTestRun: run !== undefined };
      const change = call.outcome === "completed" ? changeOf(call) : unchanged;
      const found = [...judgeCommand(call, now), ...work.judgeEdit(change)];
      const verdict = run === undefined ? { found: [], hasFixed: false } : work.judgeRun({ run, words, at });
      escalation.observe(call);
      window = [...window, now].slice(-windowCalls);
      return settle(call.callId, [...found, ...verdict.found], verdict.hasFixed ? weights.testPasses : 0);
    },
    observeUser(text) {
      if (isOff) return reading();
      const isShort = text.trim().length <= shortCharactersMax && window.some((call) => call.hasFailed);
      shortMessages = isShort ? shortMessages + 1 : 0;
      score /= 2;
      if (shortMessages < shortMessagesMax) return settle("user", [], 0);
      shortMessages = 0;
      return settle("user", [{ signal: "shortMessages", why: "three short user messages after failures" }], 0);
    },
  };
}

const ranks: { readonly [level in PressureLevel]: number } = { calm: 0, elevated: 1, high: 2 };

const unchanged: CallChange = { diffs: [], paths: [], command: undefined };

function levelOf(score: number, { elevated, high }: PressureThresholds): PressureLevel {
  if (score >= high) return "high";
  return score >= elevated ? "elevated" : "calm";
}

function changeOf({ diff, files = [], command }: ObservedCall): CallChange {
  if (command !== undefined && takesOthersWork(command)) return unchanged;
  const diffs = diff === undefined ? [] : readChange(diff);
  const inPlace = command === undefined ? [] : filesEditedInPlace(command);
  return { diffs, paths: [...new Set([...diffs.map(pathOf), ...files, ...inPlace])], command };
}
