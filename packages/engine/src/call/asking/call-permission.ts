/** Whether a call may run: the judge's verdict, the gates, a tool's own caution, and a person's answer where needed. */
import {
  type Failure,
  isSameJson,
  type JsonObject,
  type Need,
  type PermissionDecision,
  type PermissionReply,
  type PermissionRequest,
  type PermissionRule,
  type RuleSet,
  type Tool,
  type ToolContext,
} from "@kedge/protocol";
import { createCallClassifier } from "../../classifier/call-classifier.ts";
import type { Classification } from "../../classifier/classify-call.ts";
import type { RunClassifier } from "../../classifier/run-classifier.ts";
import type { Gated } from "../../gates/index.ts";
import {
  type AllowVerdict,
  type AskVerdict,
  denialText,
  headlessText,
  isOverBroad,
  judge,
  rejectionText,
  type Verdict,
} from "../../permission/index.ts";
import { raisedHeadlessText } from "../../prompt-texts.ts";
import { startUnheldTimer } from "../../unheld-timer.ts";
import { attempt } from "../attempt.ts";
import { askedInputText } from "../text/call-input.ts";
import { type CallGatesParts, createCallGates, modeInForce, questionOf, raiseVerdict } from "./call-gates.ts";
import type { DoomLoop } from "./doom-loop.ts";
import type { GivenAnswer, Questions } from "./questions.ts";

export type CallPermissionParts = CallGatesParts & {
  readonly questions: Questions;
  readonly doomLoop: DoomLoop;
  /** Answers in auto mode what nobody wished to be asked about. */
  readonly classifier: RunClassifier | undefined;
  /** Told when the user said no without a word. */
  readonly onPlainRejection: () => void;
};

export type AskedCall = {
  readonly tool: Tool;
  readonly input: unknown;
  /** The text that the input was read from. */
  readonly inputText: string;
  readonly readOnly: boolean;
  readonly needs: readonly Need[];
  readonly stepId: string;
  readonly context: ToolContext;
  /** What the person who wrote this input was asked about the model's. */
  readonly answered?: AskVerdict;
  /** What is wrong with an input in the place of this one, or undefined. */
  readonly objectionTo: (input: JsonObject) => string | undefined;
};

export type Permitted =
  | { readonly outcome: "allowed"; readonly decision: PermissionDecision }
  /** `output` is what the model reads. */
  | { readonly outcome: "refused"; readonly decision: PermissionDecision; readonly output: string }
  /** The person wants another input to run: it is a new call, which has yet to be permitted. */
  | { readonly outcome: "edited"; readonly input: JsonObject; readonly answered: AskVerdict }
  | { readonly outcome: "interrupted" };

/** A promise only where there is something to wait for. */
export type CallPermission = (call: AskedCall) => Permitted | Promise<Permitted>;

/** The same call three times in a row needs an answer of its own, beside what the call itself needs. */
const doomLoopNeed: Need = {
  permission: "doom_loop",
  patterns: ["three equal calls in a row"],
  always: ["equal calls in a row, until this run ends"],
  access: "execute",
};

export function createCallPermission(parts: CallPermissionParts): CallPermission {
  const { engine, journal, conduct } = parts;
  const gates = createCallGates(parts);
  /** The run will end with this step; nobody wants to hear more questions of it. */
  let isStopping = false;

  // Taken apart once: this runs before every call.
  const { cwd, root, home, kedgeHome, judgePath, analyseShell, isProtected, isSandboxed = false } = engine.workspace;
  const { rules, policy } = engine;
  const place = { judgePath, root, home, kedgeHome, analyseShell, isProtected, isSandboxed };
  const classified = createCallClassifier({ ...parts, mode: () => modeInForce(parts), onNotice: notice });

  function verdictOn({ tool, readOnly, needs }: AskedCall, saved?: RuleSet): Verdict {
    const verdict = judge(
      { tool: tool.name, needs, readOnly, cwd },
      {
        ...place,
        rules: saved === undefined ? rules : [...rules, saved],
        grants: journal.state.grants,
        mode: modeInForce(parts),
      },
    );
    if (verdict.verdict !== "ask" || policy?.managedRulesOnly !== true) return verdict;
    return { ...verdict, always: [], grants: [] };
  }

  /** Only where the rules, once they are saved, would let this very call pass: a file may know it by another name. */
  function isSavable(call: AskedCall, { grants, outward }: AskVerdict): boolean {
    if (engine.saveRules === undefined || grants.length === 0 || outward.length > 0) return false;
    if (grants.some((rule) => rule.permission === doomLoopNeed.permission || isOverBroad(rule))) return false;
    return verdictOn(call, { source: "local", rules: grants }).verdict === "allow";
  }

  async function save(rulesToSave: readonly PermissionRule[]): Promise<Failure | undefined> {
    const saved = await engine.saveRules?.(rulesToSave);
    if (saved?.ok === false) return saved.failure;
    if (saved?.notice !== undefined) notice(saved.notice);
    return undefined;
  }

  function gate({ tool, needs, readOnly }: AskedCall, isAsked: boolean): Gated | Promise<Gated> {
    return gates({ tool: tool.name, needs, readOnly }, { isAsked });
  }

  /** Only what nobody allowed in so many words is worth a second look. */
  async function withCaution(call: AskedCall, verdict: AllowVerdict): Promise<Permitted> {
    const caution = await attempt(async () => call.tool.caution?.(call.input, call.context), engine.redact);
    if (caution.ok && caution.value === undefined) return { outcome: "allowed", decision: verdict.decision };
    const reason = caution.ok
      ? engine.redact(caution.value ?? "")
      : `its check before the call failed: ${caution.report}`;
    const named = { tool: call.tool.name, needs: call.needs, readOnly: call.readOnly };
    return settleQuestion(call, questionOf(named, reason), await gate(call, true));
  }

  function notice(text: string): void {
    journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
  }

  async function settleQuestion(call: AskedCall, verdict: AskVerdict, gated: Gated): Promise<Permitted> {
    const { tool, input, stepId, context } = call;
    const { signal } = context;
    if (conduct.rejected.isRejected(tool.name, input)) return refused(rejectedBefore, rejectedBeforeText);
    if (isStopping) return refused(rejectedSibling, rejectedSiblingText);
    if (call.answered !== undefined && isAnsweredBy(call.answered, verdict)) return written;
    const classification = classified(call, verdict);
    if (!engine.interactive) {
      const answer = await classification;
      if (signal.aborted) return { outcome: "interrupted" };
      if (answer?.verdict === "allow") return { outcome: "allowed", decision: classifierDecision(answer) };
      return unanswerable(verdict, gated);
    }
    const request = await requestOf(call, verdict, gated);
    let approval: Classification | undefined;
    // Whoever is sure first decides; the other comes too late and finds no question any more.
    const judging = classification?.then(async (found) => {
      if (found.verdict !== "allow" || signal.aborted) return;
      const isLate = await parts.questions.answer(request.requestId, { reply: "once" }, "classifier");
      if (isLate === undefined) approval = found;
    });
    let granted: PermissionDecision | undefined;
    // A repetition is allowed until the run ends, which no rule of the session can say.
    const grants = verdict.grants.filter(({ permission }) => permission !== doomLoopNeed.permission);
    const endWait = limitWait(request.requestId);
    const asking = parts.questions.ask(stepId, request, {
      grants,
      ...(request.isSavable && { save: () => save(grants) }),
      objectionTo: call.objectionTo,
      isCovered: () => {
        const again = gated.raise === undefined && !gated.isIrreversible ? verdictOn(call) : undefined;
        if (again?.verdict !== "allow") return false;
        granted = again.decision;
        return true;
      },
      signal,
    });
    const answer = await asking.finally(endWait);
    if (signal.aborted) return { outcome: "interrupted" };
    if (answer.source === "timeout") return unanswerable(verdict, gated, answer.message);
    if (answer.source === "classifier") await judging;
    if (approval !== undefined) return { outcome: "allowed", decision: classifierDecision(approval) };
    if (answer.reply === "reject") return rejected(call, verdict, answer);
    const { updatedInput } = answer;
    if (updatedInput !== undefined) return { outcome: "edited", input: updatedInput, answered: verdict };
    if (granted !== undefined) return { outcome: "allowed", decision: granted };
    return allowed(verdict, answer.reply);
  }

  /** Gives back the way to stop it. */
  function limitWait(requestId: string): () => void {
    const { permissionTimeoutMs: waitMs, startTimer = startUnheldTimer } = engine;
    if (waitMs === undefined) return () => {};
    const message = `Nobody answered within ${Math.ceil(waitMs / 1000)} seconds.`;
    return startTimer(() => {
      // The one who asked sees a failure as well.
      parts.questions.answer(requestId, { reply: "reject", message }, "timeout").catch(() => undefined);
    }, waitMs);
  }

  async function requestOf(call: AskedCall, verdict: AskVerdict, gated: Gated) {
    const { tool, input, context } = call;
    const preview = await attempt(async () => tool.preview?.(input, context), engine.redact);
    const inputText = askedInputText(call.inputText);
    const request: PermissionRequest = {
      requestId: engine.newId("per_"),
      callId: context.callId,
      tool: tool.name,
      permission: verdict.permission,
      patterns: verdict.patterns,
      always: verdict.always,
      reason: verdict.reason,
      ...(preview.ok && preview.value !== undefined && { preview: preview.value }),
      ...(inputText !== undefined && { inputText }),
      ...(gated.evidence.length > 0 && { evidence: gated.evidence }),
      ...(gated.isIrreversible && { isIrreversible: true }),
      ...(isSavable(call, verdict) && { isSavable: true, saves: verdict.grants }),
    };
    return request;
  }

  function rejected({ tool, input }: AskedCall, verdict: AskVerdict, answer: GivenAnswer): Permitted {
    if (answer.source === "sibling") return refused(rejectedSibling, rejectedSiblingText);
    conduct.rejected.add(tool.name, input, verdict.permission);
    const advice = conduct.rejected.notice();
    if (advice !== undefined) notice(advice);
    if (answer.message === undefined && engine.continueOnReject !== true) {
      isStopping = true;
      parts.onPlainRejection();
    }
    const { reason, rules } = verdict;
    const decision = { behavior: "deny", source: "user", reason, rules } as const;
    return { outcome: "refused", decision, output: rejectionText(answer.message) };
  }

  function allowed(verdict: AskVerdict, reply: PermissionReply): Permitted {
    parts.doomLoop.reset();
    const isLasting = reply !== "once" && verdict.grants.length > 0;
    const isRepetition = verdict.unanswered.some(({ permission }) => permission === doomLoopNeed.permission);
    if (isLasting && isRepetition) parts.doomLoop.allow();
    const reason = !isLasting
      ? "allowed once"
      : reply === "project"
        ? "allowed for this project"
        : "allowed for this session";
    return { outcome: "allowed", decision: { behavior: "allow", source: "user", reason, rules: [] } };
  }

  function decide(call: AskedCall, verdict: AllowVerdict | AskVerdict, gated: Gated): Permitted | Promise<Permitted> {
    if (verdict.verdict === "ask" || gated.raise !== undefined) {
      const named = { tool: call.tool.name, needs: call.needs, readOnly: call.readOnly };
      return settleQuestion(call, raiseVerdict(verdict, named, gated), gated);
    }
    const { decision } = verdict;
    const isUnasked = decision.source === "mode" || decision.source === "default";
    if (isUnasked && call.tool.caution !== undefined) return withCaution(call, verdict);
    return { outcome: "allowed", decision };
  }

  return (asked) => {
    const { tool, input, needs } = asked;
    const call = parts.doomLoop.repeats(tool.name, input) ? { ...asked, needs: [...needs, doomLoopNeed] } : asked;
    const verdict = verdictOn(call);
    if (verdict.verdict === "deny") {
      return { outcome: "refused", decision: verdict.decision, output: denialText(verdict) };
    }
    const gated = gate(call, verdict.verdict === "ask");
    return gated instanceof Promise
      ? gated.then((found) => decide(call, verdict, found))
      : decide(call, verdict, gated);
  };
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

const written: Permitted = {
  outcome: "allowed",
  decision: { behavior: "allow", source: "user", reason: "allowed once, as the user wrote it", rules: [] },
};

const rejectedBefore = "the user rejected the same call before";
const rejectedBeforeText =
  "The user rejected this same call before and has said nothing since, so it did not run and nobody was asked again. Do something else, or say what it is needed for.";
const rejectedSibling = "the user rejected another call of the same answer";
const rejectedSiblingText = "The user rejected another call of the same answer, so this one did not run either.";

function refused(reason: string, output: string): Permitted {
  return { outcome: "refused", decision: { behavior: "deny", source: "user", reason, rules: [] }, output };
}

/** Nobody is there who could be asked, or was; then `why` says more. */
function unanswerable(verdict: AskVerdict, { raise }: Gated, why?: string): Permitted {
  const { reason, rules } = verdict;
  const decision = { behavior: "deny", source: "headless", reason, rules } as const;
  const text = raise === undefined ? headlessText(verdict) : raisedHeadlessText(reason);
  return { outcome: "refused", decision, output: why === undefined ? text : `${why}\n${text}` };
}

function classifierDecision({ why, model, latencyMs, cost }: Classification): PermissionDecision {
  return {
    behavior: "allow",
    source: "classifier",
    reason: `the classifier found: ${why}`,
    rules: [],
    classifier: { model, latencyMs, usd: cost.usd },
  };
}
