/** Remembers which calls were rejected, so that nobody is asked the same question twice, and how often. */
import { canonicalJson } from "@kedge/protocol";

export interface RejectedCalls {
  /** True for a call like one that was rejected since the user last spoke: it is rejected again without a question. */
  isRejected(tool: string, input: unknown): boolean;
  /** Once per answer of the user; a repetition that needed no question is not another rejection. */
  add(tool: string, input: unknown, permission: string): void;
  /** A new request may change the answer. */
  userSpoke(): void;
  runStarted(): void;
  /** So many rejections that auto mode should ask from now on, until the next run or, for a session, for good. */
  shouldFallBack(): boolean;
  /** A sentence for the user, once for each reason to fall back. */
  notice(): string | undefined;
}

const rejectionsPerRunMax = 3;
const rejectionsPerSessionMax = 20;
/** Older ones are asked about again. */
const rememberedMax = 200;

/** Per agent: a worker begins with a new one. */
export function createRejectedCalls(): RejectedCalls {
  const rejected = new Set<string>();
  const inRun = new Map<string, number>();
  const inSession = new Map<string, number>();
  const told = new Set<string>();
  let total = 0;

  return {
    isRejected: (tool, input) => rejected.has(keyOf(tool, input)),
    add(tool, input, permission) {
      rejected.add(keyOf(tool, input));
      const [oldest] = rejected;
      if (rejected.size > rememberedMax && oldest !== undefined) rejected.delete(oldest);
      inRun.set(permission, (inRun.get(permission) ?? 0) + 1);
      inSession.set(permission, (inSession.get(permission) ?? 0) + 1);
      total += 1;
    },
    userSpoke() {
      rejected.clear();
    },
    runStarted() {
      inRun.clear();
      told.clear();
      if (total >= rejectionsPerSessionMax) told.add(wholeSession);
    },
    shouldFallBack: () => total >= rejectionsPerSessionMax || overRun().length > 0,
    notice() {
      const permission = overRun().find((each) => !told.has(each));
      if (permission !== undefined) {
        told.add(permission);
        return `${permission} was rejected ${inRun.get(permission)} times in this run. ${advice(permission)}`;
      }
      if (total < rejectionsPerSessionMax || told.has(wholeSession)) return undefined;
      told.add(wholeSession);
      const [most = ""] = [...inSession].toSorted(([, left], [, right]) => right - left)[0] ?? [];
      return `${total} calls were rejected in this session, mostly ${most}. ${advice(most)}`;
    },
  };

  function overRun(): readonly string[] {
    return [...inRun].filter(([, count]) => count >= rejectionsPerRunMax).map(([permission]) => permission);
  }
}

/** No permission has this name. */
const wholeSession = "";

function keyOf(tool: string, input: unknown): string {
  return `${tool} ${canonicalJson(input)}`;
}

function advice(permission: string): string {
  return `Such calls are asked about from now on; a rule such as "${permission}": "deny" in the setting "permission" answers them for good.`;
}
