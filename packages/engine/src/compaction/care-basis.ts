/** What the look at a conversation before each step and the work that may follow it share. */
import type { Answer, Artifacts, Jobs, Model, RequestPrefix, ToolSchema } from "@kedge/protocol";
import type { ContextBuilder, SystemTexts } from "../context/context-builder.ts";
import type { Journal } from "../journal.ts";
import type { EngineParts } from "../parts.ts";
import type { LoopState, Run } from "../run/loop-state.ts";
import { estimateTokens } from "../window/estimate-tokens.ts";
import { type CompactionSettings, defaultCompaction } from "../window/settings.ts";
import { type Thresholds, thresholdsFor } from "../window/thresholds.ts";
import { createWindowPlanner, type WindowInput, type WindowPlan } from "../window/window-plan.ts";
import type { FileKnowledge } from "./file-knowledge.ts";

/** Failures in a row after which nothing is shortened by itself any more. */
const failuresMax = 3;

export type ContextCareParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
  readonly context: ContextBuilder;
  readonly jobs: Pick<Jobs, "list">;
  readonly artifacts: Pick<Artifacts, "create">;
  readonly files: FileKnowledge;
  readonly prefix: () => Promise<Answer<RequestPrefix>>;
};

/** What the next request carries beside its messages. */
export type Frame = { readonly model: Model; readonly system: SystemTexts; readonly tools: readonly ToolSchema[] };

export type CareBasis = ContextCareParts & {
  readonly settings: CompactionSettings;
  readonly isAutomatic: () => boolean;
  readonly hasGivenUp: () => boolean;
  readonly thresholdsOf: (model: Model) => Thresholds;
  readonly fixedTokens: (frame: Frame) => number;
  readonly planFor: (frame: Frame, options?: { readonly isRejected: boolean }) => WindowPlan;
  /** Clears what the plan names, and gives back what the conversation then has. */
  readonly clear: (plan: WindowPlan) => Promise<number>;
  readonly notice: (text: string) => void;
  /** Again only after a conversation was shortened. */
  readonly noticeOnce: (text: string) => void;
  readonly forgetNotices: () => void;
};

export function frameOf(run: Run, { using, system }: LoopState): Frame {
  return { model: using.model, system, tools: run.tools(using.model) };
}

export function createCareBasis(parts: ContextCareParts): CareBasis {
  const { engine, journal } = parts;
  const settings: CompactionSettings = { ...defaultCompaction, ...engine.compaction?.settings };
  const percent = engine.compaction?.thresholdPercent;
  const planner = createWindowPlanner();
  const told = new Set<string>();
  const hasGivenUp = () => journal.state.compactionFailures >= failuresMax;
  const notice = (text: string) => journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
  const fixedTokens = ({ system, tools }: Frame) =>
    planner.size.fixedTokens({ ...system, tools }) + estimateTokens(parts.context.opening() ?? "");
  const inputFor = (frame: Frame): WindowInput => ({
    state: journal.state,
    model: frame.model,
    settings,
    fixedTokens: fixedTokens(frame),
    nowMs: engine.clock.now(),
    ...(percent !== undefined && { thresholdPercent: percent }),
  });
  return {
    ...parts,
    settings,
    hasGivenUp,
    // A summary of a fork could not take the place of what it shares with its parent.
    isAutomatic: () => engine.prefix === undefined && settings.enabled && settings.strategy !== "off" && !hasGivenUp(),
    thresholdsOf: (model) => thresholdsFor(model, settings, percent === undefined ? {} : { percent }),
    fixedTokens,
    planFor: (frame, { isRejected } = { isRejected: false }) => planner.plan({ ...inputFor(frame), isRejected }),
    async clear({ clears, tokensAfter }) {
      if (clears.length > 0) await journal.emit(...clears);
      return tokensAfter;
    },
    notice,
    noticeOnce(text) {
      if (told.has(text)) return;
      told.add(text);
      notice(text);
    },
    forgetNotices: () => told.clear(),
  };
}
