/** The store of a replay: compares what the engine wants to store with the record, and lets in what came from outside. */
import { canonicalJson, type Fact, type FactOf, isSameJson, type Store } from "@kedge/protocol";
import { differingPart } from "./divergence.ts";
import { isContextFact, joinReminders, type RecordedWorld } from "./recorded-world.ts";
import { lacksSchema, structuredTool } from "./wanted-form.ts";

/**
 * Facts that come from outside stand in the record only: what shortened the conversation is put before the step that it
 * preceded, and the engine's own care for its size is left out. The beginning of a step at which a person had stopped
 * the run is left out as well.
 */
export function createRecordedStore(store: Store, world: RecordedWorld): Store {
  const leftOut = new Set<string>();

  function startStep(fact: FactOf<"step.started">): readonly Fact[] {
    const step = world.run?.steps.find(({ started }) => started.stepId === fact.stepId);
    world.begin(step);
    if (step === undefined) return refuseStep(fact);
    world.time = step.time;
    const { started, seq } = step;
    const beginning = joinReminders(fact, step);
    if (beginning === undefined) {
      const texts = differingPart(started.reminders.join("\n"), fact.reminders.join("\n"));
      world.diverge({ seq, kind: "step", what: "The step begins with different reminders.", ...texts });
      return [fact];
    }
    const expected = canonicalJson(beginningOf(started));
    const got = canonicalJson(beginningOf(fact));
    if (expected !== got) {
      const what = "The step begins with different prompts or a different model.";
      world.diverge({ seq, kind: "step", what, ...differingPart(expected, got) });
    }
    const { sent: _, remindersBefore: __, ...own } = fact;
    const { addedTools } = started;
    return [...step.contextFacts, { ...own, ...beginning, ...(addedTools !== undefined && { addedTools }) }];
  }

  /** The record ends the run here. When a person did, that person does again, and the step never was. */
  function refuseStep(fact: FactOf<"step.started">): readonly Fact[] {
    const end = world.run?.end;
    if (end === undefined || end.fact.reason === "aborted") {
      leftOut.add(fact.stepId);
      return [];
    }
    const what = "The run continues where the record ends it.";
    world.diverge({ seq: end.seq, kind: "run", what, expected: end.fact.reason, got: `step ${fact.turn}` });
    return [fact];
  }

  function startCall(fact: FactOf<"tool.started">): readonly Fact[] {
    const call = world.callOf(fact.callId);
    const started = call?.isEdited ? undefined : call?.started;
    if (started !== undefined && started.fact.inputText !== fact.inputText) {
      const texts = differingPart(started.fact.inputText, fact.inputText);
      world.diverge({ seq: started.seq, kind: "tool", what: "The call has a different input.", ...texts });
    }
    return [fact];
  }

  function endCall(fact: FactOf<"tool.ended">): readonly Fact[] {
    const call = world.callOf(fact.callId);
    if (fact.parentCallId !== undefined || call === undefined) return [fact];
    const { ended, seq } = call;
    world.callEnded(fact.callId);
    if (world.taken.has(fact.callId) || world.step?.ended?.outcome !== "answered" || isJudgedUnseen(fact, ended)) {
      world.counts.taken += 1;
      return [ended];
    }
    world.counts.ranAgain += 1;
    if (ended.output === fact.output && ended.outcome === fact.outcome) return [ended];
    const what = `The call ${fact.callId} of ${fact.tool} ends differently.`;
    const texts = differingPart(`${ended.outcome}: ${ended.output}`, `${fact.outcome}: ${fact.output}`);
    world.diverge({ seq, kind: "tool", what, ...texts });
    return [fact];
  }

  /** Whether it fits is known, but not what was said about it. */
  function isJudgedUnseen({ tool, outcome }: FactOf<"tool.ended">, recorded: FactOf<"tool.ended">): boolean {
    const { run } = world;
    return tool === structuredTool && outcome === recorded.outcome && run !== undefined && lacksSchema(run);
  }

  function endRun(fact: FactOf<"run.ended">): readonly Fact[] {
    const end = world.run?.runId === fact.runId ? world.run.end : undefined;
    if (end === undefined) return [fact];
    const expected = resultOf(end.fact);
    const got = resultOf(fact);
    if (!isSameJson(expected, got)) {
      const what = "The run ends differently.";
      const texts = differingPart(canonicalJson(expected), canonicalJson(got));
      world.diverge({ seq: end.seq, kind: "run", what, ...texts });
    }
    return [end.fact];
  }

  function align(fact: Fact): readonly Fact[] {
    if (isContextFact(fact) || fact.type === "pressure.changed" || fact.type === "instructions.loaded") return [];
    if ("stepId" in fact && typeof fact.stepId === "string" && leftOut.has(fact.stepId)) return [];
    switch (fact.type) {
      case "step.started":
        return startStep(fact);
      case "tool.started":
        return startCall(fact);
      case "tool.ended":
        return endCall(fact);
      case "conversation.rewound": {
        // Which files changed meanwhile is known to the record alone.
        const { rewound } = world.step ?? {};
        return [rewound?.report === fact.report ? rewound : fact];
      }
      case "run.ended":
        return endRun(fact);
      default:
        return [fact];
    }
  }

  return {
    ...store,
    append(sessionId, facts, options) {
      const outside = world.pending.splice(0);
      const stored = [...outside, ...facts.flatMap(align)];
      world.hasSummary ||= stored.some(({ type }) => type === "context.compacted");
      return store.append(sessionId, stored, options);
    },
  };
}

function beginningOf({ prompts, model, fallback, withoutMedia }: FactOf<"step.started">) {
  return { prompts, model, fallback, withoutMedia };
}

/** A run that was stopped is stopped again at the same place, but not with the same last words. */
function resultOf({ reason, text, turns }: FactOf<"run.ended">) {
  return reason === "aborted" ? { reason } : { reason, text, turns };
}
