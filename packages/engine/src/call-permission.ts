/** Whether a call may run: the judge's verdict, a tool's own caution, and the answer of a person where one is needed. */
import type { Need, PermissionDecision, PermissionRequest, Tool, ToolContext } from "@kedge/protocol";
import { attempt } from "./attempt.ts";
import type { Classification } from "./classifier/classify-call.ts";
import type { RunClassifier } from "./classifier/run-classifier.ts";
import type { DoomLoop } from "./doom-loop.ts";
import type { Journal } from "./journal.ts";
import type { EngineParts } from "./parts.ts";
import { type AskVerdict, denialText, headlessText, judge, rejectionText, type Verdict } from "./permission/index.ts";
import type { Questions } from "./questions.ts";

export type CallPermissionParts = {
  readonly engine: EngineParts;
  readonly journal: Journal;
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
  always: [],
  access: "execute",
};

export function createCallPermission(parts: CallPermissionParts): CallPermission {
  const { engine, journal } = parts;

  function verdictOn({ tool, input, readOnly, needs }: AskedCall): Verdict {
    const { cwd, ...place } = engine.workspace;
    const { grants, mode } = journal.state;
    return judge(
      {
        tool: tool.name,
        needs: parts.doomLoop.repeats(tool.name, input) ? [...needs, doomLoopNeed] : needs,
        readOnly,
        cwd,
      },
      { ...place, rules: engine.rules, grants, mode },
    );
  }

  /** Only what nobody allowed in so many words is worth a second look. */
  async function withCaution(call: AskedCall, decision: PermissionDecision): Promise<Permitted> {
    const caution = await attempt(async () => call.tool.caution?.(call.input, call.context), engine.redact);
    if (caution.ok && caution.value === undefined) return { outcome: "allowed", decision };
    const reason = caution.ok
      ? engine.redact(caution.value ?? "")
      : `its check before the call failed: ${caution.report}`;
    return settleQuestion(call, questionOf(call, reason));
  }

  /** Undefined where no model may answer. */
  function classified({ tool, needs, context }: AskedCall, verdict: AskVerdict): Promise<Classification> | undefined {
    const { classifier } = parts;
    if (classifier === undefined || !verdict.canClassify || journal.state.mode !== "auto") return undefined;
    const said = journal.state.items.flatMap((item) => (item.type === "prompt" ? [item.text] : []));
    const call = {
      tool: tool.name,
      needs: needs.flatMap(({ permission, patterns }) => patterns.map((pattern) => `${permission}: ${pattern}`)),
      cwd: engine.workspace.cwd,
      userTexts: said.slice(-userTextsMax),
    };
    return classifier.classify(call, context.signal).then(async (answer) => {
      if (classifier.hasGivenUp() && journal.state.mode === "auto") await leaveAuto(answer.why);
      return answer;
    });
  }

  async function leaveAuto(why: string): Promise<void> {
    await journal.emit({ type: "mode.changed", mode: "default" });
    const text = `The mode is default again, because the classifier failed three times in a row: ${engine.redact(why)}`;
    journal.signal({ type: "notice", sessionId: journal.state.sessionId, text });
  }

  async function settleQuestion(call: AskedCall, verdict: AskVerdict): Promise<Permitted> {
    const { tool, input, stepId, context } = call;
    const { reason, rules } = verdict;
    const classification = classified(call, verdict);
    if (!engine.interactive) {
      const answer = await classification;
      if (context.signal.aborted) return { outcome: "interrupted" };
      if (answer?.verdict === "allow") return { outcome: "allowed", decision: classifierDecision(answer) };
      const decision = { behavior: "deny", source: "headless", reason, rules } as const;
      return { outcome: "refused", decision, output: headlessText(verdict) };
    }
    const preview = await attempt(async () => tool.preview?.(input, context), engine.redact);
    const request: PermissionRequest = {
      requestId: engine.newId("per_"),
      callId: context.callId,
      tool: tool.name,
      permission: verdict.permission,
      patterns: verdict.patterns,
      always: verdict.always,
      reason,
      ...(preview.ok && preview.value !== undefined && { preview: preview.value }),
    };
    const { signal } = context;
    let approval: Classification | undefined;
    // Whoever is sure first decides; the other comes too late and finds no question any more.
    const judging = classification?.then(async (found) => {
      if (found.verdict !== "allow" || signal.aborted) return;
      const isLate = await parts.questions.answer(request.requestId, { reply: "once" }, "classifier");
      if (isLate === undefined) approval = found;
    });
    const answer = await parts.questions.ask(stepId, request, { grants: verdict.grants, signal });
    if (signal.aborted) return { outcome: "interrupted" };
    if (answer.source === "classifier") await judging;
    if (approval !== undefined) return { outcome: "allowed", decision: classifierDecision(approval) };
    if (answer.reply === "reject") {
      if (answer.message === undefined) parts.onPlainRejection();
      const decision = { behavior: "deny", source: "user", reason, rules } as const;
      return { outcome: "refused", decision, output: rejectionText(answer.message) };
    }
    parts.doomLoop.reset();
    const allowed = answer.reply === "session" ? "allowed for this session" : "allowed once";
    return { outcome: "allowed", decision: { behavior: "allow", source: "user", reason: allowed, rules: [] } };
  }

  return (call) => {
    const verdict = verdictOn(call);
    switch (verdict.verdict) {
      case "ask":
        return settleQuestion(call, verdict);
      case "deny":
        return { outcome: "refused", decision: verdict.decision, output: denialText(verdict) };
      case "allow": {
        const { decision } = verdict;
        const isUnasked = decision.source === "mode" || decision.source === "default";
        if (isUnasked && call.tool.caution !== undefined) return withCaution(call, decision);
        return { outcome: "allowed", decision };
      }
    }
  };
}

const userTextsMax = 5;

function classifierDecision({ why, model, latencyMs, cost }: Classification): PermissionDecision {
  return {
    behavior: "allow",
    source: "classifier",
    reason: `the classifier found: ${why}`,
    rules: [],
    classifier: { model, latencyMs, usd: cost.usd },
  };
}

/** Nothing is proposed for "always": the tool will have the same doubt about the next call, and it may be another one. */
function questionOf({ tool, needs }: AskedCall, reason: string): AskVerdict {
  const unanswered = needs.flatMap(({ permission, patterns }) => patterns.map((pattern) => ({ permission, pattern })));
  return {
    verdict: "ask",
    permission: unanswered[0]?.permission ?? tool.name,
    patterns: [...new Set(unanswered.map(({ pattern }) => pattern))],
    always: [],
    grants: [],
    unanswered,
    reason,
    rules: [],
    canClassify: false,
  };
}
