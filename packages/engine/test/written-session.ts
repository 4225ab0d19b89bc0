/** For tests: a session written down fact by fact and folded as the engine folds it. */
import {
  type AssistantBlock,
  applyRecord,
  type CallResult,
  emptySession,
  type Fact,
  type Media,
  type Model,
  noUsage,
  type SessionState,
} from "@kedge/protocol";

export const testModel: Model = {
  ref: "mock/model",
  provider: "mock",
  id: "model",
  contextTokens: 200_000,
  outputTokensMax: 64_000,
};

export type WrittenCall = {
  readonly tool: string;
  readonly input?: unknown;
  readonly output?: string;
  readonly outcome?: CallResult["outcome"];
  readonly media?: readonly Media[];
  readonly useless?: true;
};

export type WrittenStep = {
  readonly prompts?: readonly string[];
  readonly blocks?: readonly AssistantBlock[];
  readonly calls?: readonly WrittenCall[];
  readonly reportedTokens?: number;
  readonly model?: string;
};

export interface WrittenSession {
  readonly state: SessionState;
  emit(fact: Fact): void;
  /** Sets the time of the facts that follow. */
  at(ms: number): void;
  admit(text: string): string;
  /** One model call: what enters with it, what is answered, and the ends of its calls. Gives back the ids of these. */
  step(step: WrittenStep): readonly string[];
  /** An answer without calls and without tokens of its own. */
  answer(reportedTokens?: number): void;
  endRun(): void;
}

export function createWrittenSession(directory = "/work"): WrittenSession {
  const state = emptySession("ses_1");
  let seq = 0;
  let time = 0;
  let prompts = 0;
  let steps = 0;
  let calls = 0;
  let answers = 0;

  function emit(fact: Fact): void {
    seq += 1;
    applyRecord(state, { sessionId: "ses_1", seq, time, fact, prev: "", hash: "" });
  }

  function admit(text: string): string {
    prompts += 1;
    const promptId = `prm_${prompts}`;
    emit({ type: "prompt.admitted", promptId, runId: `run_${prompts}`, delivery: "steer", text });
    return promptId;
  }

  function startStep(stepId: string, entering: { readonly prompts: readonly string[]; readonly model: string }): void {
    emit({
      type: "step.started",
      stepId,
      runId: state.runId ?? "run_0",
      turn: steps,
      source: "main",
      model: entering.model,
      requestId: "request",
      prompts: entering.prompts.map((promptId) => ({ promptId, form: "prompt" })),
      reminders: [],
    });
  }

  function endStep(stepId: string, content: readonly AssistantBlock[], reportedTokens: number): void {
    emit({
      type: "step.ended",
      stepId,
      outcome: "answered",
      content,
      usage: { ...noUsage, input: reportedTokens },
      cost: { usd: 0, estimated: false },
      durationMs: 1,
    });
  }

  emit({
    type: "session.created",
    directory,
    projectId: "project",
    model: testModel.ref,
    mode: "default",
    kedgeVersion: "0",
    boot: "boot",
  });

  return {
    state,
    emit,
    at(ms) {
      time = ms;
    },
    admit,
    step({ prompts: said = [], blocks = [], calls: made = [], reportedTokens = 0, model = testModel.ref }) {
      steps += 1;
      const stepId = `stp_${steps}`;
      const ids = made.map(() => `call_${++calls}`);
      startStep(stepId, { prompts: said.map(admit), model });
      const toolCalls = made.map(
        ({ tool, input = {} }, index): AssistantBlock => ({
          type: "tool-call",
          callId: ids[index] ?? "",
          tool,
          inputText: typeof input === "string" ? input : JSON.stringify(input),
        }),
      );
      endStep(stepId, [...blocks, ...toolCalls], reportedTokens);
      for (const [index, { tool, output = "", outcome = "completed", media, useless }] of made.entries()) {
        emit({
          type: "tool.ended",
          callId: ids[index] ?? "",
          stepId,
          tool,
          outcome,
          output,
          phases: {},
          ...(media !== undefined && { media }),
          ...(useless && { metadata: { useless } }),
        });
      }
      return ids;
    },
    answer(reportedTokens = 0) {
      answers += 1;
      startStep(`answer_${answers}`, { prompts: [], model: testModel.ref });
      endStep(`answer_${answers}`, [{ type: "text", text: "" }], reportedTokens);
    },
    endRun() {
      emit({
        type: "run.ended",
        runId: state.runId ?? "run_0",
        reason: "completed",
        text: "",
        usage: noUsage,
        usageByModel: {},
        cost: { usd: 0, estimated: false },
        turns: 1,
        durationMs: 1,
        transitions: [],
        denials: [],
      });
    },
  };
}

/** So many tokens of text. */
export function text(tokens: number): string {
  return "abc\n".repeat(tokens);
}

/** Rows as `read` shows them. */
export function rows(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => `${first + index}|line ${first + index}`).join("\n");
}
