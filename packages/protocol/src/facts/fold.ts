/** The fold: the one way from facts to the state of a session, used by the engine and by every client alike. */
import { type AssistantBlock, addUsage, type Cost, type Media, type ToolCallBlock, type Usage } from "../content.ts";
import type { PermissionMode } from "../permission.ts";
import type { FactRecord } from "./fact-record.ts";
import type { SentBlock } from "./fact-words.ts";
import type { FactOf, FactType } from "./facts.ts";
import { addChangedFiles, markPlace, openCheckpoint, rewind } from "./fold-checkpoint.ts";
import { addBoundary, addItem, hideEntries, moveLeaf, replaceItems, replaceTodos } from "./fold-tree.ts";
import { forgetUnfinished, keepUnfinished, markUnfinished, recordChanges, revert, unrevert } from "./fold-undo.ts";
import type { CallResult, ContextAnchor, ConversationItem, SessionState } from "./session-state.ts";

const titleCharactersMax = 50;

/** A record, or what the fold needs of one. */
export type AppliedRecord = Pick<FactRecord, "seq" | "time" | "fact"> & Partial<FactRecord>;

/** Facts that the state holds as they are. Of all others it takes fields, so they may have more than their type says. */
export const factsKeptWhole: ReadonlySet<string> = new Set<FactType>(["job.started", "permission.asked", "run.ended"]);

/**
 * Applies a record before which facts may have been left out that the start of a later step, applied now or afterwards,
 * leaves nothing of: pieces of answers, and starts of calls that name no snapshot.
 */
export function applyAfterPassing(state: SessionState, record: AppliedRecord): void {
  if (record.seq > state.lastSeq) state.lastSeq = record.seq - 1;
  applyRecord(state, record);
}

/** Applies the next record. An old one is skipped; a gap is a bug of the caller. Constant work per fact. */
export function applyRecord(state: SessionState, record: AppliedRecord): void {
  if (record.seq <= state.lastSeq) return;
  if (record.seq !== state.lastSeq + 1) {
    throw new Error(`facts ${state.lastSeq + 1} to ${record.seq - 1} of ${state.sessionId} are missing`);
  }
  state.lastSeq = record.seq;
  const { fact } = record;
  // Any other fact settles them. By name, because looking for a field in facts of every shape is slow.
  if (fact.type === "session.reverted" || fact.type === "session.unreverted") state.unsettledRestores = fact.restores;
  else if (state.unsettledRestores.length > 0) state.unsettledRestores = [];
  switch (fact.type) {
    case "session.created":
      state.directory = fact.directory;
      state.projectId = fact.projectId;
      state.model = fact.model;
      enterMode(state, fact.mode);
      state.boot = fact.boot;
      state.origin = fact.origin;
      state.budget = fact.budget;
      return;
    case "session.updated":
      if (fact.title !== undefined) {
        state.title = fact.title;
        state.titleSource = fact.titleSource ?? "user";
      }
      state.isArchived = fact.isArchived ?? state.isArchived;
      addSpending(state, fact);
      return;
    case "session.resumed":
      state.boot = fact.boot;
      enterMode(state, fact.mode);
      // Nor does the end of planning bring back what must be chosen anew.
      if (!isKeptMode(state.modeBeforePlan)) state.modeBeforePlan = "default";
      state.grants = [];
      state.questions.clear();
      state.permissionRequests.clear();
      keepUnfinished(state);
      return;
    case "model.changed":
      state.model = fact.model;
      return;
    case "mode.changed":
      if (fact.mode === "plan" && state.mode !== "plan") state.modeBeforePlan = state.mode;
      enterMode(state, fact.mode);
      return;
    case "prompt.admitted":
      state.queue.push({
        promptId: fact.promptId,
        runId: fact.runId,
        delivery: fact.delivery,
        text: fact.text,
        ...(fact.attachments !== undefined && { attachments: fact.attachments }),
      });
      if (state.title === "") state.title = titleOfPrompt(fact.text);
      state.runId ??= fact.runId;
      return;
    case "prompt.revised":
      state.queue = state.queue.map((prompt) =>
        prompt.promptId === fact.promptId ? { ...prompt, text: fact.text } : prompt,
      );
      return;
    case "prompt.withdrawn":
      state.queue = state.queue.filter((prompt) => prompt.promptId !== fact.promptId);
      return;
    case "step.started":
      startStep(state, fact, record.time);
      return;
    case "step.progressed":
      if (state.step?.stepId === fact.stepId) {
        state.step = { ...state.step, progress: [...state.step.progress, ...fact.appended] };
      }
      return;
    case "step.ended":
      endStep(state, fact, record.time);
      return;
    case "tool.started":
      state.calls.set(fact.callId, {
        callId: fact.callId,
        stepId: fact.stepId,
        tool: fact.tool,
        inputText: fact.inputText,
        started: true,
        ...(fact.snapshot !== undefined && { snapshot: fact.snapshot }),
      });
      if (fact.snapshot !== undefined) markUnfinished(state, fact.snapshot);
      return;
    case "tool.ended":
      endCall(state, fact, record.time);
      return;
    case "job.started":
      state.jobs.set(fact.jobId, fact);
      return;
    case "job.ended":
      state.jobs.delete(fact.jobId);
      return;
    case "todos.replaced":
      replaceTodos(state, fact);
      return;
    case "question.asked":
      state.questions.set(fact.requestId, fact.questions);
      return;
    case "question.answered":
      state.questions.delete(fact.requestId);
      return;
    case "permission.asked":
      state.permissionRequests.set(fact.requestId, fact);
      return;
    case "permission.answered":
      state.permissionRequests.delete(fact.requestId);
      if (fact.boot === state.boot) state.grants.push(...fact.grants);
      return;
    case "files.changed":
      recordChanges(state, fact);
      addChangedFiles(state, fact);
      return;
    case "pressure.changed":
      state.pressure = fact.level;
      return;
    case "checkpoint.opened":
      openCheckpoint(state, fact, record.time);
      return;
    case "checkpoint.discarded":
      state.checkpoint = undefined;
      return;
    case "conversation.rewound":
      rewind(state, fact, record.time);
      return;
    case "context.cleared":
      clearResults(state, fact);
      return;
    case "context.compacted":
      compact(state, fact, record.time);
      addSpending(state, fact);
      return;
    case "compaction.failed":
      state.compactionFailures += 1;
      addSpending(state, fact);
      return;
    case "leaf.moved":
      moveLeaf(state, fact);
      return;
    case "grants.replaced":
      state.grants = [...fact.grants];
      return;
    case "message.removed":
      hideEntries(state, fact);
      return;
    case "entry.labelled":
      if (fact.label === undefined || fact.label === "") state.labels.delete(fact.entryId);
      else state.labels.set(fact.entryId, fact.label);
      return;
    case "message.added": {
      const { messageId: id, kind, text } = fact;
      addItem(state, { type: "record", id, kind, text }, record.time);
      addSpending(state, fact);
      return;
    }
    case "session.reverted":
      revert(state, fact);
      return;
    case "session.unreverted":
      unrevert(state, fact);
      return;
    case "run.ended":
      state.lastRun = fact;
      if (fact.failure === undefined) forgetUnfinished(state);
      if (state.runId !== undefined && state.runId !== fact.runId) return;
      state.runId = undefined;
      state.step = undefined;
      state.pressure = "calm";
      state.calls.clear();
      return;
    case "style.changed":
      state.style = fact.style;
      state.brevity = fact.brevity;
      return;
    case "command.ran":
    case "session.deleted":
    case "chain.closed":
    case "journal.recovered":
    case "content.removed":
      return;
  }
}

/** The way out of planning, which every request carries from the first planning on. */
const planExitTool = "plan_exit";

function enterMode(state: SessionState, mode: PermissionMode): void {
  state.mode = mode;
  if (mode === "plan") state.foundTools.add(planExitTool);
}

/** Modes that ask nobody hold for the process in which they were chosen. */
export function isKeptMode(mode: PermissionMode): boolean {
  return mode !== "bypass" && mode !== "auto";
}

/** A session is called by the first line of its first prompt. */
export function titleOfPrompt(text: string): string {
  const firstLine = text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
  // By code point, so that a character outside the basic plane is never cut in half.
  const characters = Array.from(firstLine.slice(0, titleCharactersMax * 2));
  return characters.slice(0, titleCharactersMax).join("").trimEnd();
}

function startStep(state: SessionState, fact: FactOf<"step.started">, time: number): void {
  flushResults(state, time);
  forgetUnfinished(state);
  if (fact.withoutMedia) replaceItems(state, withoutAttachments);
  state.runId = fact.runId;
  state.step = { stepId: fact.stepId, runId: fact.runId, model: fact.model, answered: false, progress: [] };
  state.calls.clear();
  state.turns += 1;
  state.stepsSinceTodos += 1;
  for (const name of fact.addedTools ?? []) {
    state.addedTools.add(name);
    state.foundTools.add(name);
  }
  // Whatever a step adds has no place in the conversation that a redo would bring back.
  if (state.reverts.length > 0) state.reverts = [];
  for (const { promptId, form } of fact.prompts) {
    const prompt = state.queue.find((queued) => queued.promptId === promptId);
    if (prompt === undefined) continue;
    const said = { text: prompt.text, ...(prompt.attachments !== undefined && { attachments: prompt.attachments }) };
    const { leaf } = state;
    state.undoPoints.push({
      promptId,
      ...said,
      ...(leaf !== undefined && { parent: leaf }),
      ...(state.checkpoint !== undefined && { checkpoint: state.checkpoint }),
      changes: [],
    });
    addItem(state, { type: "prompt", id: promptId, ...said, form }, time);
  }
  if (fact.prompts.length > 0) {
    const taken = new Set(fact.prompts.map((prompt) => prompt.promptId));
    state.queue = state.queue.filter((prompt) => !taken.has(prompt.promptId));
  }
  fact.reminders.forEach((text, index) => {
    const sent = sentAs(fact, index);
    addItem(state, { type: "reminder", id: `${fact.stepId}.reminder${index}`, text, ...(sent && { sent }) }, time);
  });
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

type Spending = { readonly usage?: Usage; readonly cost?: Cost };

function addSpending(state: SessionState, { usage, cost }: Spending): void {
  if (usage !== undefined) state.usage = addUsage(state.usage, usage);
  if (cost === undefined) return;
  state.cost = { usd: state.cost.usd + cost.usd, estimated: state.cost.estimated || cost.estimated };
}

function endStep(state: SessionState, fact: FactOf<"step.ended">, time: number): void {
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

function clearResults(state: SessionState, { results }: FactOf<"context.cleared">): void {
  const texts = new Map(results.map(({ stepId, callId, text }) => [`${stepId} ${callId}`, text]));
  replaceItems(state, (item) => {
    if (item.type !== "results") return item;
    const isMeant = item.results.some(({ callId }) => texts.has(`${item.stepId} ${callId}`));
    return isMeant ? { ...item, results: item.results.map((result) => clearedResult(item.stepId, result)) } : item;
  });

  function clearedResult(stepId: string, result: CallResult): CallResult {
    const cleared = texts.get(`${stepId} ${result.callId}`);
    if (cleared === undefined) return result;
    const { media: _, ...kept } = result;
    return { ...kept, cleared };
  }
}

function compact(state: SessionState, fact: FactOf<"context.compacted">, time: number): void {
  const { compactionId: id, summary, restored, frames, archive, vendorHistory, firstKeptId } = fact;
  const pictures = { ...(frames !== undefined && { frames }), ...(archive !== undefined && { archive }) };
  const forms = { ...pictures, ...(vendorHistory !== undefined && { vendorHistory }) };
  const shown = { ...forms, ...(firstKeptId !== undefined && { firstKeptId }) };
  addBoundary(state, { type: "compaction", id, summary, restored, ...shown }, time);
  state.compactionFailures = 0;
}

export function toolCalls(content: readonly AssistantBlock[]): readonly ToolCallBlock[] {
  return content.filter((block) => block.type === "tool-call");
}

function endCall(state: SessionState, fact: FactOf<"tool.ended">, time: number): void {
  if (fact.metadata !== undefined) for (const name of foundTools(fact.metadata)) state.foundTools.add(name);
  if (fact.parentCallId !== undefined) {
    // The model sees only the call around it, whose result holds this one's.
    state.calls.delete(fact.callId);
    return;
  }
  const result = resultOf(fact);
  const call = state.calls.get(fact.callId);
  state.calls.set(
    fact.callId,
    call === undefined
      ? { callId: fact.callId, stepId: fact.stepId, tool: fact.tool, inputText: "", started: false, result }
      : { ...call, result },
  );
  flushResults(state, time);
}

/** Most results have neither of the two, and a spread that adds nothing still takes its time. */
function resultOf({ callId, tool, outcome, output, media, metadata }: FactOf<"tool.ended">): CallResult {
  const result: CallResult = { callId, tool, outcome, output };
  const isUseless = metadata?.["useless"] === true;
  if (media === undefined && !isUseless) return result;
  return { ...result, ...(media !== undefined && { media }), ...(isUseless && { useless: true }) };
}

/** A search for tools names what it found in its metadata. */
function foundTools(metadata: NonNullable<FactOf<"tool.ended">["metadata"]>): readonly string[] {
  const found = metadata["foundTools"];
  return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
}

/** Results enter the conversation together and in the order of the calls, whatever order they finished in. */
function flushResults(state: SessionState, time: number): void {
  const last = state.items.at(-1);
  if (last?.type !== "answer" || last.stepId !== state.step?.stepId) return;
  const results: CallResult[] = [];
  for (const block of last.content) {
    if (block.type !== "tool-call") continue;
    const result = state.calls.get(block.callId)?.result;
    if (result === undefined) return;
    results.push(result);
  }
  if (results.length === 0) return;
  addItem(state, { type: "results", id: `${last.stepId}.results`, stepId: last.stepId, results }, time);
  if (state.checkpoint?.stepId === last.stepId) markPlace(state, state.checkpoint);
}
