/** The phases of a call, in their order. */
import type { JsonObject } from "@kedge/protocol";
import { bindAnswers } from "./asking/bind-answers.ts";
import { createCallGates } from "./asking/call-gates.ts";
import { createCallJudge } from "./asking/call-judge.ts";
import { createSettleQuestion } from "./asking/settle-question.ts";
import type { Call } from "./call.ts";
import type { CallServices } from "./call-services.ts";
import { afterPhase } from "./outside/after-phase.ts";
import { beforePhase } from "./outside/before-phase.ts";
import { concerns } from "./outside/hear-phase.ts";
import { type Phase, passPhases } from "./phase.ts";
import { ask } from "./phases/ask.ts";
import { askToRun } from "./phases/ask-to-run.ts";
import { askedAgain } from "./phases/asked-again.ts";
import { begin } from "./phases/begin.ts";
import { bound } from "./phases/bound.ts";
import { changes } from "./phases/changes.ts";
import { discovery } from "./phases/discovery.ts";
import { edited } from "./phases/edited.ts";
import { execute } from "./phases/execute.ts";
import { find } from "./phases/find.ts";
import { findLate } from "./phases/find-late.ts";
import { gates } from "./phases/gates.ts";
import { judge } from "./phases/judge.ts";
import { neutral } from "./phases/neutral.ts";
import { notes } from "./phases/notes.ts";
import { parse } from "./phases/parse.ts";
import { recordEnd } from "./phases/record-end.ts";
import { recordStart } from "./phases/record-start.ts";
import { repetition } from "./phases/repetition.ts";
import { snapshot } from "./phases/snapshot.ts";
import { steeringChanges } from "./phases/steering-changes.ts";
import { validate } from "./phases/validate.ts";
import { changedCall, objectionToInput } from "./text/call-input.ts";

export type CallPhases = {
  /** Finds and parses, as soon as a call arrives. No effects, nothing to wait for. */
  readonly read: (call: Call) => Call;
  /** What follows when its turn has come. */
  readonly running: readonly Phase[];
};

export function createPhases(services: CallServices): CallPhases {
  const { callPhases = [] } = services.engine;
  const callJudge = createCallJudge(services);
  const lookAtGates = createCallGates(services);
  const settleOnce = createSettleQuestion({
    services,
    judge: callJudge,
    objectionTo: (...asked) => objectionTo(read, ...asked),
  });
  const settle = bindAnswers(settleOnce, { services, judge: callJudge });

  const parsed = parse(services);
  const reading = [find(services), parsed];
  const read = (call: Call) => atOnce(passPhases(reading, call));
  const validated = validate(services);
  const judged = judge(services, callJudge);
  const checkAgain = (call: Call) => passPhases([parsed, validated, judged], call);
  const before = callPhases
    .filter((phase) => phase.before !== undefined)
    .map((phase) => beforePhase(phase, services, checkAgain));
  const judgedAgain: Phase = {
    takes: "open",
    pass: (call) =>
      callPhases.some((phase) => phase.before !== undefined && concerns(phase, call)) ? judged.pass(call) : call,
  };
  const after = callPhases.filter((phase) => phase.after !== undefined).map((phase) => afterPhase(phase, services));

  const gating = gates(lookAtGates);
  const asking = ask(services, { settle, lookAtGates });
  const withEdit = edited((call) => passPhases([parsed, ...permitting], call));
  // Phases from outside have seen the input, which is still the same.
  const withChanges: Phase = askedAgain((call) =>
    passPhases([validated, judged, gating, asking, withEdit, withChanges], call),
  );
  const permitting: readonly Phase[] = [
    begin(services),
    validated,
    repetition(services),
    judged,
    // Rules, grants and the mode may change while phases from outside are waited for.
    ...(before.length === 0 ? [] : [...before, judgedAgain]),
    gating,
    asking,
    withEdit,
    withChanges,
  ];
  const starting = [snapshot(services), recordStart(services), execute(services)];
  const blockedLook: Phase = askToRun(services, {
    settle,
    // Rules and the mode may have changed while the person was asked.
    run: (call) => passPhases([withEdit, withChanges, judged, ...starting, blockedLook], call),
  });
  const running = [
    findLate(services, read),
    ...permitting,
    ...starting,
    blockedLook,
    neutral(services),
    bound(services),
    discovery(services),
    changes(services),
    steeringChanges(services),
    ...after,
    notes(),
    recordEnd(services),
  ];
  return { read, running };
}

function atOnce(call: Call | Promise<Call>): Call {
  if (call instanceof Promise) throw new Error("A call is read without waiting.");
  return call;
}

/** What is wrong with the input that a person wrote. What runs beside others must not turn into what needs to be alone. */
function objectionTo(read: CallPhases["read"], call: Call, input: JsonObject): string | undefined {
  const flaw = objectionToInput(input);
  if (flaw !== undefined) return flaw;
  const { end, concurrencySafe } = read({ ...call, block: changedCall(call.block, input) });
  if (end !== undefined) return end.output;
  return call.concurrencySafe && !concurrencySafe
    ? "This input cannot run in parallel with the other calls. Reject the call and say what to do instead."
    : undefined;
}
