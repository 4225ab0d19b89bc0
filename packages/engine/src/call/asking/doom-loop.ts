/** Notices a model that makes the same call again and again. */
import { isSameJson, type Need } from "@kedge/protocol";

/** The third equal call in a row needs an answer before it runs. */
const equalCallsMax = 2;

/** The same call three times in a row needs an answer of its own, beside what the call itself needs. */
export const doomLoopNeed: Need = {
  permission: "doom_loop",
  patterns: ["three equal calls in a row"],
  always: ["equal calls in a row, until this run ends"],
  access: "execute",
};

/** What a call must be permitted to do. */
export function judgedNeeds(call: { readonly needs: readonly Need[]; readonly isRepeated: boolean }): readonly Need[] {
  return call.isRepeated ? [...call.needs, doomLoopNeed] : call.needs;
}

export interface DoomLoop {
  /** True when this call repeats the ones before it once too often. */
  repeats(tool: string, input: unknown): boolean;
  /** The user allowed the repetition; counting starts over. */
  reset(): void;
  /** The user allowed every repetition, for as long as this counts. */
  allow(): void;
}

/** One per run. */
export function createDoomLoop(): DoomLoop {
  let last: { readonly tool: string; readonly input: unknown } | undefined;
  let count = 0;
  let isAllowed = false;
  return {
    repeats(tool, input) {
      if (isAllowed) return false;
      count = last?.tool === tool && isSameJson(last.input, input) ? count + 1 : 1;
      last = { tool, input };
      return count > equalCallsMax;
    },
    reset() {
      count = 0;
    },
    allow() {
      isAllowed = true;
    },
  };
}
