/** Settles the question about a call: by what was said before, the classifier, a phase from outside, or a person. */
import {
  type Failure,
  isSameJson,
  type JsonObject,
  type PermissionReply,
  type PermissionRequest,
  type PermissionRule,
} from "@kedge/protocol";
import { createCallClassifier } from "../../classifier/call-classifier.ts";
import type { Classification } from "../../classifier/classify-call.ts";
import type { Gated } from "../../gates/index.ts";
import { askOutside } from "../../moments/outside-permission.ts";
import { type AskVerdict, rejectionText } from "../../permission/index.ts";
import { startUnheldTimer } from "../../unheld-timer.ts";
import { attempt } from "../attempt.ts";
import type { Call } from "../call.ts";
import { type CallServices, notify } from "../call-services.ts";
import { askedInputText } from "../text/call-input.ts";
import type { CallJudge } from "./call-judge.ts";
import { doomLoopNeed } from "./doom-loop.ts";
import { modeInForce } from "./mode-in-force.ts";
import {
  allowed,
  classified,
  type Permitted,
  refusedOutside,
  rejectedBefore,
  rejectedSibling,
  unanswerable,
  written,
} from "./permitted.ts";
import type { GivenAnswer } from "./questions.ts";

export type SettleQuestion = (call: Call, verdict: AskVerdict, gated: Gated) => Promise<Permitted>;

export type SettleParts = {
  readonly services: CallServices;
  readonly judge: CallJudge;
  /** What is wrong with an input in the place of the call's, or undefined. */
  readonly objectionTo: (call: Call, input: JsonObject) => string | undefined;
};

export function createSettleQuestion({ services, judge, objectionTo }: SettleParts): SettleQuestion {
  const { engine, conduct, doomLoop } = services;
  const questions = engine.leader?.questions ?? services.questions;
  const notice = (text: string) => notify(services, text);
  const classify = createCallClassifier({ ...services, mode: () => modeInForce(services), onNotice: notice });
  /** The run will end with this step; nobody wants to hear more questions of it. */
  let isStopping = false;

  async function save(rules: readonly PermissionRule[]): Promise<Failure | undefined> {
    const saved = await engine.saveRules?.(rules);
    if (saved?.ok === false) return saved.failure;
    if (saved?.notice !== undefined) notice(saved.notice);
    return undefined;
  }

  async function settle(call: Call, verdict: AskVerdict, gated: Gated): Promise<Permitted> {
    const { signal } = call.origin;
    if (conduct.rejected.isRejected(call.tool.name, call.input)) return rejectedBefore;
    if (isStopping) return rejectedSibling;
    if (call.answered !== undefined && isAnsweredBy(call.answered, verdict)) return written;
    if (call.allowedBy !== undefined && isOpenToPhases(verdict, gated)) return allowed("phase", call.allowedBy);
    if ((engine.sessionMoments ?? []).length > 0) {
      const outside = await askOutside(services, call, verdict);
      if (signal.aborted) return { outcome: "interrupted" };
      if (outside?.decision === "refuse") return refusedOutside(outside.text);
      if (outside?.decision === "allow" && isOpenToPhases(verdict, gated)) return allowed("phase", outside.text);
    }
    const classification = classify(call, verdict);
    if (engine.interactive && engine.leader === undefined) return askPerson(call, verdict, gated, classification);
    const answer = await classification;
    if (signal.aborted) return { outcome: "interrupted" };
    if (answer?.verdict === "allow") return classified(answer);
    return engine.interactive ? askPerson(call, verdict, gated, undefined) : unanswerable(verdict, gated);
  }

  async function askPerson(
    call: Call,
    verdict: AskVerdict,
    gated: Gated,
    classification: Promise<Classification> | undefined,
  ): Promise<Permitted> {
    const { stepId, signal } = call.origin;
    const request = await requestOf(call, verdict, gated);
    let approval: Classification | undefined;
    // Whoever is sure first decides; the other comes too late and finds no question any more.
    const judging = classification?.then(async (found) => {
      if (found.verdict !== "allow" || signal.aborted) return;
      const isLate = await questions.answer(request.requestId, { reply: "once" }, "classifier");
      if (isLate === undefined) approval = found;
    });
    let granted: Permitted | undefined;
    // A repetition is allowed until the run ends, which no rule of the session can say.
    const grants = verdict.grants.filter(({ permission }) => permission !== doomLoopNeed.permission);
    const endWait = limitWait(request.requestId);
    const asking = questions.ask(stepId, request, {
      grants,
      ...(request.isSavable && { save: () => save(grants) }),
      objectionTo: (input) => objectionTo(call, input),
      isCovered: () => {
        const again = gated.raise === undefined && !gated.isIrreversible ? judge.verdictOn(call) : undefined;
        if (again?.verdict !== "allow") return false;
        const { decision, look } = again;
        // It may look as before, and that did not work.
        if (look !== undefined && call.blocked !== undefined) return false;
        granted = { outcome: "allowed", decision, ...(look !== undefined && { look }) };
        return true;
      },
      signal,
    });
    const answer = await asking.finally(endWait);
    if (signal.aborted) return { outcome: "interrupted" };
    if (answer.source === "timeout") return unanswerable(verdict, gated, answer.message);
    if (answer.source === "classifier") await judging;
    if (approval !== undefined) return classified(approval);
    if (answer.reply === "reject") return reject(call, verdict, answer);
    const { updatedInput } = answer;
    if (updatedInput !== undefined) return { outcome: "edited", input: updatedInput, answered: verdict };
    if (granted !== undefined) return granted;
    return allow(verdict, answer.reply);
  }

  /** Gives back the way to stop it. */
  function limitWait(requestId: string): () => void {
    const { permissionTimeoutMs: waitMs, startTimer = startUnheldTimer } = engine;
    if (waitMs === undefined) return () => {};
    const message = `No answer within ${Math.ceil(waitMs / 1000)} seconds.`;
    return startTimer(() => {
      // The one who asked sees a failure as well.
      questions.answer(requestId, { reply: "reject", message }, "timeout").catch(() => undefined);
    }, waitMs);
  }

  async function requestOf(call: Call, verdict: AskVerdict, gated: Gated): Promise<PermissionRequest> {
    const { tool, input, context } = call;
    const preview = await attempt(async () => tool.preview?.(input, context), engine.redact);
    const inputText = askedInputText(call.json);
    return {
      requestId: engine.newId("per_"),
      callId: context.callId,
      tool: tool.name,
      permission: verdict.permission,
      patterns: verdict.patterns,
      always: verdict.always,
      reason: verdict.reason,
      ...(preview.ok && preview.value !== undefined && { preview: engine.resultRedactor.redact(preview.value) }),
      ...(inputText !== undefined && { inputText }),
      ...evidenceOf(verdict, gated, engine),
      ...(gated.isIrreversible && { isIrreversible: true }),
      ...(judge.isSavable(call, verdict) && { isSavable: true, saves: verdict.grants }),
      ...askingAgent(services),
    };
  }

  function reject({ tool, input }: Call, verdict: AskVerdict, answer: GivenAnswer): Permitted {
    if (answer.source === "sibling") return rejectedSibling;
    if (!isFeedback(verdict, answer)) conduct.rejected.add(tool.name, input, verdict.permission);
    const advice = conduct.rejected.notice();
    if (advice !== undefined) notice(advice);
    if (answer.message === undefined && engine.continueOnReject !== true) {
      isStopping = true;
      services.onStop("aborted");
    }
    const decision = { behavior: "deny", source: "user", reason: verdict.reason, rules: verdict.rules } as const;
    return { outcome: "refused", decision, output: rejectionText(answer.message) };
  }

  function allow(verdict: AskVerdict, reply: PermissionReply): Permitted {
    doomLoop.reset();
    const isLasting = reply !== "once" && verdict.grants.length > 0;
    if (isLasting && isRepetition(verdict)) doomLoop.allow();
    if (!isLasting) return allowed("user", "allowed once");
    return allowed("user", reply === "project" ? "allowed for this project" : "allowed for this session");
  }

  return settle;
}

/** Words on a plan ask for the same file again, with another text in it. */
function isFeedback({ permission }: AskVerdict, { message }: GivenAnswer): boolean {
  return permission === "plan" && message !== undefined;
}

/** What is granted to one agent counts for all that work for the same session. */
const sharedDirectory = "An answer that lasts lets all agents of this session use this directory.";

function evidenceOf(
  { grants }: AskVerdict,
  gated: Gated,
  { leader, workspace }: CallServices["engine"],
): Pick<PermissionRequest, "evidence"> {
  const isDirectory = grants.some(({ permission }) => permission === "external_directory");
  const evidence = [
    // The person who is asked sees the directory of another session, and relative paths mean this one.
    ...(workspace.isOwnCopy === true ? [`It works in its own worktree: ${workspace.cwd}.`] : []),
    ...gated.evidence,
    ...(leader !== undefined && isDirectory ? [sharedDirectory] : []),
  ];
  return evidence.length > 0 ? { evidence } : {};
}

function isRepetition({ unanswered }: AskVerdict): boolean {
  return unanswered.some(({ permission }) => permission === doomLoopNeed.permission);
}

/** Guards, gates, the managed policy and repetitions want a person, whatever a phase from outside allows. */
function isOpenToPhases(verdict: AskVerdict, { raise, isIrreversible }: Gated): boolean {
  if (raise !== undefined || isIrreversible || verdict.isGuarded || isRepetition(verdict)) return false;
  return verdict.rules.every(({ source }) => source !== "policy");
}

/** Whoever wrote the input has permitted it, as long as it raises nothing that the first question did not. */
function isAnsweredBy(answered: AskVerdict, verdict: AskVerdict): boolean {
  const permissions = new Set(answered.unanswered.map(({ permission }) => permission));
  return (
    verdict.isOrdinary &&
    verdict.outward.length === 0 &&
    verdict.unanswered.every(({ permission }) => permissions.has(permission)) &&
    verdict.rules.every((rule) => answered.rules.some((known) => isSameJson(known, rule)))
  );
}

/** Whoever answers must know who asks. */
function askingAgent({ engine, journal }: CallServices): Pick<PermissionRequest, "agent"> {
  const { origin, sessionId } = journal.state;
  if (engine.agent === undefined || origin?.kind !== "child") return {};
  const { name: agent, calledName: name } = engine.agent;
  return { agent: { agentId: sessionId, agent, parentId: origin.sessionId, ...(name !== undefined && { name }) } };
}
