/** The part of the fold that follows a run: its steps, their answers, and what enters the conversation with them. */
import type { AssistantBlock, Media, ToolCallBlock, Usage } from "../content.ts";
import type { SentBlock } from "./fact-words.ts";
import type { FactOf } from "./facts.ts";
import { tellByStep } from "./fold-agents.ts";
import { flushResults } from "./fold-calls.ts";
import { addSpending } from "./fold-spending.ts";
import { addItem, replaceItems } from "./fold-tree.ts";
import { forgetUnfinished } from "./fold-undo.ts";
import type { ContextAnchor, ConversationItem, SessionState } from "./session-state.ts";

export function startStep(state: SessionState, fact: FactOf<"step.started">, time: number): void {
  flushResults(state, time);
  forgetUnfinished(state);
  if (fact.withoutMedia) replaceItems(state, withoutAttachments);
  state.runId = fact.runId;
  state.step = { stepId: fact.stepId, runId: fact.runId, model: fact.model, answered: false, progress: [] };
  state.calls.clear();
  state.turns += 1;
  state.stepsSinceTodos += 1;
  if (fact.sent !== undefined) tellByStep(state, fact);
  for (const name of fact.addedTools ?? []) {
    state.addedTools.add(name);
    state.foundTools.add(name);
  }
  // Whatever a step adds has no place in the conversation that a redo would bring back.
  if (state.reverts.length > 0) state.reverts = [];
  const { remindersBefore = 0, reminders } = fact;
  // An undo takes back what was said before a prompt because of it.
  const { leaf } = state;
  addReminders(state, fact, time, { from: 0, to: remindersBefore });
  takePrompts(state, fact, time, leaf);
  addReminders(state, fact, time, { from: remindersBefore, to: reminders.length });
}

function addReminders(
  state: SessionState,
  fact: FactOf<"step.started">,
  time: number,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  for (const [at, text] of fact.reminders.slice(from, to).entries()) {
    const sent = sentAs(fact, from + at);
    addItem(state, { type: "reminder", id: `${fact.stepId}.reminder${from + at}`, text, ...(sent && { sent }) }, time);
  }
}

/** The prompts that this step answers leave the queue and enter the conversation. */
function takePrompts(
  state: SessionState,
  { prompts }: FactOf<"step.started">,
  time: number,
  before: string | undefined,
): void {
  let parent = before;
  for (const { promptId, form } of prompts) {
    const prompt = state.queue.find((queued) => queued.promptId === promptId);
    if (prompt === undefined) continue;
    const said = { text: prompt.text, ...(prompt.attachments !== undefined && { attachments: prompt.attachments }) };
    state.undoPoints.push({
      promptId,
      ...said,
      ...(parent !== undefined && { parent }),
      ...(state.checkpoint !== undefined && { checkpoint: state.checkpoint }),
      changes: [],
    });
    addItem(state, { type: "prompt", id: promptId, ...said, form }, time);
    parent = promptId;
  }
  if (prompts.length > 0) {
    const taken = new Set(prompts.map((prompt) => prompt.promptId));
    state.queue = state.queue.filter((prompt) => !taken.has(prompt.promptId));
  }
}

function sentAs({ sent }: FactOf<"step.started">, index: number): SentBlock | undefined {
  const found = sent?.find(({ reminder }) => reminder === index);
  return found && { source: found.source, origin: found.origin, hash: found.hash };
}

function withoutAttachments(item: ConversationItem): ConversationItem {
  if (item.type !== "prompt" || item.attachments === undefined) return item;
  const { attachments, ...prompt } = item;
  return { ...prompt, text: [prompt.text, ...attachments.map(attachmentStub)].join("\n") };
}

/** What the model reads where an attachment was taken out. */
export function attachmentStub({ name, mediaType, base64 }: Media): string {
  const kilobytes = Math.ceil((base64.length * 3) / 4 / 1024);
  return `[${name} (${mediaType}, ${kilobytes} KB) is not shown]`;
}

export function progressStep(state: SessionState, { stepId, appended }: FactOf<"step.progressed">): void {
  if (state.step?.stepId === stepId) {
    state.step = { ...state.step, progress: [...state.step.progress, ...appended] };
  }
}

export function endStep(state: SessionState, fact: FactOf<"step.ended">, time: number): void {
  addSpending(state, fact);
  if (state.step?.stepId !== fact.stepId) return;
  const { runId, model } = state.step;
  const { stepId, content } = fact;
  state.step = { stepId, runId, model, answered: true, progress: [] };
  if (fact.outcome === "failed" || content.length === 0) return;
  addItem(state, { type: "answer", id: stepId, stepId, model, content }, time);
  state.anchor = anchorOf(state, fact.usage);
  for (const block of content) {
    if (block.type !== "tool-call" || state.calls.has(block.callId)) continue;
    const { callId, tool, inputText } = block;
    state.calls.set(callId, { callId, stepId, tool, inputText, started: false });
  }
  flushResults(state, time);
}

/** What the vendor counted; undefined when it counted nothing. */
function anchorOf({ items, step }: SessionState, usage: Usage): ContextAnchor | undefined {
  const tokens = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  return tokens === 0 || step === undefined ? undefined : { itemCount: items.length, tokens, model: step.model };
}

export function toolCalls(content: readonly AssistantBlock[]): readonly ToolCallBlock[] {
  return content.filter((block) => block.type === "tool-call");
}

export function endRun(state: SessionState, fact: FactOf<"run.ended">): void {
  state.lastRun = fact;
  if (fact.failure === undefined) forgetUnfinished(state);
  if (state.runId !== undefined && state.runId !== fact.runId) return;
  state.runId = undefined;
  state.step = undefined;
  state.pressure = "calm";
  state.calls.clear();
}
