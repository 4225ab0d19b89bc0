/** Turns the conversation of another program into facts: prompts, answers, calls and their results, in pairs. */
import {
  type AssistantBlock,
  type Cost,
  type Fact,
  type Media,
  noUsage,
  runWithoutSteps,
  type ToolOutcome,
  type Usage,
} from "@kedge/protocol";
import { createFactList } from "./fact-list.ts";
import type { ImportParts, SkipCounter } from "./import-types.ts";

export type ForeignAnswer = {
  readonly model: string;
  readonly blocks: readonly AssistantBlock[];
  readonly time: number;
  /** Answers with the same key are one, even when results came in between. Without one, results begin another. */
  readonly key?: string;
  readonly usage?: Usage;
  readonly cost?: Cost;
};

export type ForeignResult = {
  readonly callId: string;
  readonly output: string;
  readonly isError: boolean;
  readonly time: number;
  readonly title?: string;
  readonly media?: readonly Media[];
};

export interface ConversationBuilder {
  title(text: string): void;
  prompt(prompt: { readonly text: string; readonly media?: readonly Media[]; readonly time: number }): void;
  answer(answer: ForeignAnswer): void;
  /** What the last answer took; told after it by some. */
  usage(usage: Usage): void;
  result(result: ForeignResult): void;
  /** A text that stands for everything before it. */
  summary(summary: { readonly text: string; readonly time: number }): void;
  /** A text that the model was shown and that nobody said. */
  note(note: { readonly text: string; readonly time: number }): void;
  finish(): { readonly facts: readonly Fact[]; readonly times: readonly number[]; readonly title: string };
}

/** What a reader of transcripts is given. */
export type ForeignParts = {
  /** Called once, as soon as the session is known. */
  readonly open: (session: { readonly sessionId: string; readonly time: number }) => ConversationBuilder;
  readonly skipped: SkipCounter;
  readonly now: () => number;
};

const noResult = "The transcript has no result for this call.";
const importedDecision = {
  behavior: "allow",
  source: "default",
  reason: "It ran in another program.",
  rules: [],
} as const;
const noCost: Cost = { usd: 0, estimated: false };
const shortSummaryCharactersMax = 100;
const titleCharactersMax = 200;

type OpenAnswer = {
  readonly stepId: string;
  readonly startedAt: number;
  readonly key: string | undefined;
  readonly blocks: AssistantBlock[];
  readonly results: Map<string, ForeignResult>;
  usage: Usage;
  cost: Cost;
  time: number;
};

export function createConversationBuilder(
  parts: ImportParts,
  source: { readonly sessionId: string; readonly time: number; readonly skipped: SkipCounter },
): ConversationBuilder {
  const list = createFactList(parts, source);
  const { skipped } = source;
  const callIds = createCallIds(() => parts.newId("call_"));
  let prompts: { readonly promptId: string; readonly form: "prompt" }[] = [];
  let run: { readonly runId: string; turns: number; startedAt: number } | undefined;
  let open: OpenAnswer | undefined;
  let lastTime = source.time;
  let title = "";

  /** Times of a transcript may jump back; those of a journal do not. */
  function add(fact: Fact, time: number): void {
    lastTime = Math.max(lastTime, time);
    list.add(fact, lastTime);
  }

  function currentRun(time: number) {
    run ??= { runId: parts.newId("run_"), turns: 0, startedAt: time };
    return run;
  }

  function startStep(model: string, time: number): string {
    const { runId } = currentRun(time);
    const stepId = parts.newId("stp_");
    const turn = ++currentRun(time).turns;
    const requestId = parts.newRequestId();
    add({ type: "step.started", stepId, runId, turn, source: "main", model, requestId, prompts, reminders: [] }, time);
    prompts = [];
    return stepId;
  }

  function closeAnswer(): void {
    if (open === undefined) return;
    const { stepId, blocks, results, usage, cost, startedAt, time } = open;
    const calls = blocks.filter((block) => block.type === "tool-call");
    const stopReason = calls.length > 0 ? "tool-calls" : "end";
    const ended = { stepId, outcome: "answered", content: blocks, usage, cost, stopReason } as const;
    add({ type: "step.ended", ...ended, durationMs: Math.max(0, time - startedAt) }, time);
    for (const { callId, tool, inputText } of calls) {
      const result = results.get(callId);
      const started = { callId, stepId, tool, inputText, readOnly: false, decision: importedDecision } as const;
      add({ type: "tool.started", ...started }, time);
      add({ type: "tool.ended", callId, stepId, tool, ...endOf(result), phases: {} }, result?.time ?? time);
    }
    open = undefined;
  }

  /** A prompt that nobody answered still has its place in the conversation. */
  function keepPrompts(): void {
    if (prompts.length === 0) return;
    const stepId = startStep(parts.model, lastTime);
    const unanswered = { stepId, outcome: "interrupted", content: [], durationMs: 0 } as const;
    add({ type: "step.ended", ...unanswered, usage: noUsage, cost: noCost }, lastTime);
  }

  function endRun(): void {
    closeAnswer();
    keepPrompts();
    if (run === undefined) return;
    const { runId, turns, startedAt } = run;
    const ended = { turns, durationMs: Math.max(0, lastTime - startedAt) };
    add({ type: "run.ended", runId, ...runWithoutSteps("completed", lastText(list.facts)), ...ended }, lastTime);
    run = undefined;
  }

  return {
    title: (text) => {
      title = text.replaceAll(/\s+/g, " ").trim().slice(0, titleCharactersMax);
    },
    prompt({ text, media, time }) {
      if (open !== undefined) endRun();
      const promptId = parts.newId("prm_");
      const { runId } = currentRun(time);
      const attachments = media !== undefined && media.length > 0 ? { attachments: media } : {};
      add({ type: "prompt.admitted", promptId, runId, delivery: "follow-up", text, ...attachments }, time);
      prompts.push({ promptId, form: "prompt" });
    },
    answer({ model, blocks, time, key, usage, cost }) {
      const isSame = open !== undefined && (key === undefined ? open.results.size === 0 : open.key === key);
      if (!isSame) closeAnswer();
      if (open === undefined) {
        const stepId = startStep(model, time);
        const content = { blocks: [], results: new Map(), usage: noUsage, cost: noCost };
        open = { stepId, startedAt: time, key, time, ...content };
      }
      open.blocks.push(...blocks.map(callIds.own));
      open.time = time;
      open.usage = usage ?? open.usage;
      open.cost = cost ?? open.cost;
    },
    usage(usage) {
      if (open !== undefined) open.usage = usage;
    },
    result(result) {
      const callId = callIds.of(result.callId);
      const isAwaited = open?.blocks.some((block) => block.type === "tool-call" && block.callId === callId);
      if (open === undefined || callId === undefined || !isAwaited) skipped.add("results without a call");
      else open.results.set(callId, { ...result, callId });
    },
    summary({ text, time }) {
      endRun();
      add(compactionOf(text, parts.newId("cmp_"), list.state.items.length), time);
    },
    note({ text, time }) {
      endRun();
      add({ type: "message.added", messageId: parts.newId("msg_"), kind: "imported", text }, time);
    },
    finish() {
      endRun();
      if (title !== "") add({ type: "session.updated", title, titleSource: "user" }, lastTime);
      list.close(lastTime);
      return { facts: list.facts, times: list.times, title: list.state.title };
    },
  };
}

/** Ids of calls are unique in a session of ours. */
function createCallIds(newId: () => string) {
  /** Under which id the last call of a name is known here. */
  const ownIds = new Map<string, string>();
  const used = new Set<string>();
  return {
    of: (foreignId: string) => ownIds.get(foreignId),
    own(block: AssistantBlock): AssistantBlock {
      if (block.type !== "tool-call") return block;
      const callId = used.has(block.callId) ? newId() : block.callId;
      used.add(callId);
      ownIds.set(block.callId, callId);
      return { ...block, callId };
    },
  };
}

function compactionOf(summary: string, compactionId: string, itemsReplaced: number): Fact {
  const shortSummary = (summary.trim().split("\n", 1)[0] ?? "").slice(0, shortSummaryCharactersMax);
  return {
    type: "context.compacted",
    compactionId,
    trigger: "manual",
    strategy: "summary",
    summary,
    shortSummary,
    restored: [],
    files: { read: [], modified: [] },
    itemsReplaced,
    tokensBefore: 0,
    tokensAfter: 0,
    boundary: {},
    usage: noUsage,
    cost: noCost,
  };
}

function endOf(result: ForeignResult | undefined): {
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly title?: string;
  readonly media?: readonly Media[];
} {
  if (result === undefined) return { outcome: "interrupted", output: noResult };
  const { isError, output, title, media } = result;
  return {
    outcome: isError ? "failed" : "completed",
    output,
    ...(title !== undefined && { title }),
    ...(media !== undefined && media.length > 0 && { media }),
  };
}

function lastText(facts: readonly Fact[]): string {
  const step = facts.findLast((fact) => fact.type === "step.ended");
  const block = step?.type === "step.ended" ? step.content.findLast(({ type }) => type === "text") : undefined;
  return block?.type === "text" ? block.text : "";
}
