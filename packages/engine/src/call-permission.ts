/** Whether a call may run: the judge's verdict, the gates, a tool's own caution, and a person's answer where needed. */
import type { Need, PermissionDecision, PermissionRequest, Tool, ToolContext } from "@kedge/protocol";
import { attempt } from "./attempt.ts";
import { type CallGatesParts, createCallGates, questionOf, raiseVerdict } from "./call-gates.ts";
import type { Classification } from "./classifier/classify-call.ts";
import type { RunClassifier } from "./classifier/run-classifier.ts";
import type { DoomLoop } from "./doom-loop.ts";
import type { Gated } from "./gates/index.ts";
import {
  type AllowVerdict,
  type AskVerdict,
  denialText,
  headlessText,
  judge,
  rejectionText,
  type Verdict,
} from "./permission/index.ts";
import { raisedHeadlessText } from "./prompt-texts.ts";
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
  readonly readOnly: boolean;
  readonly needs: readonly Need[];
  readonly stepId: string;
  readonly context: ToolContext;
};

export type Permitted =
  | { readonly outcome: "allowed"; readonly decision: PermissionDecision }
  /** `output` is what the model reads. */
  | { readonly outcome: "refused"; readonly decision: PermissionDecision; readonly output: string }
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
  let isLeavingAuto = false;

  // Taken apart once: this runs before every call.
  const { cwd, root, home, kedgeHome, judgePath, analyseShell, isProtected, isSandboxed = false } = engine.workspace;
  const { rules } = engine;

  function verdictOn({ tool, readOnly, needs }: AskedCall): Verdict {
    const { grants, mode } = journal.state;
    return judge(
      { tool: tool.name, needs, readOnly, cwd },
      { rules, grants, mode, judgePath, root, home, kedgeHome, analyseShell, isProtected, isSandboxed },
    );
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

  /** Undefined where no model may answer. */
  function classified(call: AskedCall, verdict: AskVerdict): Promise<Classification> | undefined {
    const { classifier } = parts;
    if (classifier === undefined || !verdict.canClassify || journal.state.mode !== "auto") return undefined;
    return conduct.rejected.shouldFallBack() ? undefined : classify(classifier, call);
  }

  async function classify(classifier: RunClassifier, { tool, input, needs, context }: AskedCall) {
    const said = journal.state.items.flatMap((item) => (item.type === "prompt" ? [item.text] : []));
    // What an edit writes matters more than where; commands are whole in their needs.
    const shown = needs.some(({ access }) => access === "write")
      ? await attempt(async () => tool.preview?.(input, context), engine.redact)
      : undefined;
    const call = {
      tool: tool.name,
      needs: needs.flatMap(({ permission, patterns }) => patterns.map((pattern) => `${permission}: ${pattern}`)),
      ...(shown?.ok && shown.value !== undefined && { detail: shown.value }),
      cwd: engine.workspace.cwd,
      userTexts: said.slice(-userTextsMax),
    };
    const answer = await classifier.classify(call, context.signal);
    if (classifier.hasGivenUp() && journal.state.mode === "auto") await leaveAuto(answer.why);
    return answer;
  }

  async function leaveAuto(why: string): Promise<void> {
    if (isLeavingAuto) return;
    isLeavingAuto = true;
    await journal.emit({ type: "mode.changed", mode: "default" });
    notice(`The mode is default again, because the classifier failed three times in a row: ${engine.redact(why)}`);
  }

  function notice(text: string): void {
    journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
  }

  async function settleQuestion(call: AskedCall, verdict: AskVerdict, gated: Gated): Promise<Permitted> {
    const { tool, input, stepId, context } = call;
    const { signal } = context;
    if (conduct.rejected.isRejected(tool.name, input)) return refused(rejectedBefore, rejectedBeforeText);
    if (isStopping) return refused(rejectedSibling, rejectedSiblingText);
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
    const answer = await parts.questions.ask(stepId, request, {
      // A repetition is allowed until the run ends, which no rule of the session can say.
      grants: verdict.grants.filter(({ permission }) => permission !== doomLoopNeed.permission),
      isCovered: () => {
        const again = gated.raise === undefined && !gated.isIrreversible ? verdictOn(call) : undefined;
        if (again?.verdict !== "allow") return false;
        granted = again.decision;
        return true;
      },
      signal,
    });
    if (signal.aborted) return { outcome: "interrupted" };
    if (answer.source === "classifier") await judging;
    if (approval !== undefined) return { outcome: "allowed", decision: classifierDecision(approval) };
    if (answer.reply === "reject") return rejected(call, verdict, answer);
    if (granted !== undefined) return { outcome: "allowed", decision: granted };
    return allowed(verdict, { isLasting: answer.reply === "session" && verdict.grants.length > 0 });
  }

  async function requestOf({ tool, input, context }: AskedCall, verdict: AskVerdict, gated: Gated) {
    const preview = await attempt(async () => tool.preview?.(input, context), engine.redact);
    const request: PermissionRequest = {
      requestId: engine.newId("per_"),
      callId: context.callId,
      tool: tool.name,
      permission: verdict.permission,
      patterns: verdict.patterns,
      always: verdict.always,
      reason: verdict.reason,
      ...(preview.ok && preview.value !== undefined && { preview: preview.value }),
      ...(gated.evidence.length > 0 && { evidence: gated.evidence }),
      ...(gated.isIrreversible && { isIrreversible: true }),
    };
    return request;
  }

  function rejected({ tool, input }: AskedCall, verdict: AskVerdict, answer: GivenAnswer): Permitted {
    if (answer.source === "sibling") return refused(rejectedSibling, rejectedSiblingText);
    conduct.rejected.add(tool.name, input, verdict.permission);
    const advice = conduct.rejected.notice();
    if (advice !== undefined) notice(advice);
    if (answer.message === undefined) {
      isStopping = true;
      parts.onPlainRejection();
    }
    const { reason, rules } = verdict;
    const decision = { behavior: "deny", source: "user", reason, rules } as const;
    return { outcome: "refused", decision, output: rejectionText(answer.message) };
  }

  function allowed(verdict: AskVerdict, { isLasting }: { readonly isLasting: boolean }): Permitted {
    parts.doomLoop.reset();
    const isRepetition = verdict.unanswered.some(({ permission }) => permission === doomLoopNeed.permission);
    if (isLasting && isRepetition) parts.doomLoop.allow();
    const reason = isLasting ? "allowed for this session" : "allowed once";
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

const userTextsMax = 5;

const rejectedBefore = "the user rejected the same call before";
const rejectedBeforeText =
  "The user rejected this same call before and has said nothing since, so it did not run and nobody was asked again. Do something else, or say what it is needed for.";
const rejectedSibling = "the user rejected another call of the same answer";
const rejectedSiblingText = "The user rejected another call of the same answer, so this one did not run either.";

function refused(reason: string, output: string): Permitted {
  return { outcome: "refused", decision: { behavior: "deny", source: "user", reason, rules: [] }, output };
}

/** Nobody is there who could be asked. */
function unanswerable(verdict: AskVerdict, { raise }: Gated): Permitted {
  const { reason, rules } = verdict;
  const decision = { behavior: "deny", source: "headless", reason, rules } as const;
  const output = raise === undefined ? headlessText(verdict) : raisedHeadlessText(reason);
  return { outcome: "refused", decision, output };
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
