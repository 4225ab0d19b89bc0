/** The fold: the one way from facts to the state of a session, used by the engine and by every client alike. */
import {
  type AssistantBlock,
  addUsage,
  type Cost,
  type Media,
  noUsage,
  type ToolCallBlock,
  type Usage,
} from "./content.ts";
import type { Delivery, FactOf, FactRecord, FileChange, Restore, ToolOutcome } from "./facts.ts";
import type { PermissionMode, PermissionRequest, PermissionRule } from "./permission.ts";
import type { Question, Todo } from "./tool.ts";

export type QueuedPrompt = {
  readonly promptId: string;
  readonly runId: string;
  readonly delivery: Delivery;
  readonly text: string;
  readonly attachments?: readonly Media[];
};

export type CallResult = {
  readonly callId: string;
  readonly tool: string;
  readonly outcome: ToolOutcome;
  readonly output: string;
  readonly media?: readonly Media[];
};

/** What the conversation consists of, in the order the model sees it. */
export type ConversationItem =
  | {
      readonly type: "prompt";
      readonly promptId: string;
      readonly text: string;
      readonly attachments?: readonly Media[];
      readonly form: "prompt" | "steer";
    }
  | { readonly type: "reminder"; readonly text: string }
  | {
      readonly type: "answer";
      readonly stepId: string;
      readonly model: string;
      readonly content: readonly AssistantBlock[];
    }
  | { readonly type: "results"; readonly stepId: string; readonly results: readonly CallResult[] };

export type CallState = {
  readonly callId: string;
  readonly stepId: string;
  readonly tool: string;
  readonly inputText: string;
  readonly started: boolean;
  readonly snapshot?: string;
  readonly result?: CallResult;
};

/** A step whose answer or whose calls are not all finished. */
export type OpenStep = {
  readonly stepId: string;
  readonly runId: string;
  readonly model: string;
  /** True once the model's answer is stored. */
  readonly answered: boolean;
  /** Text that was stored while the answer streamed. */
  readonly progress: readonly AssistantBlock[];
};

/** Work that `session.undo` can take back: everything from one prompt to the next. */
export type UndoPoint = {
  readonly promptId: string;
  readonly text: string;
  /** Number of conversation items before the prompt. */
  readonly itemsBefore: number;
  readonly changes: readonly { readonly before: string; readonly files: readonly FileChange[] }[];
  /** Tree before a call whose effects were never recorded, because the process died. */
  readonly unfinished?: string;
};

/** What `session.redo` needs to take an undo back. */
export type Revert = {
  readonly promptId: string;
  readonly snapshot: string;
  readonly files: readonly FileChange[];
  readonly items: readonly ConversationItem[];
  readonly undoPoints: readonly UndoPoint[];
};

/** Owned and changed by `applyRecord` alone; everybody else only reads it. */
export type SessionState = {
  sessionId: string;
  lastSeq: number;
  directory: string;
  projectId: string;
  model: string;
  mode: PermissionMode;
  title: string;
  boot: string;
  /** Grows only at its end, except after a revert, when it becomes a new array. */
  items: ConversationItem[];
  queue: QueuedPrompt[];
  /** The run that has begun and not ended. */
  runId: string | undefined;
  step: OpenStep | undefined;
  calls: Map<string, CallState>;
  permissionRequests: Map<string, PermissionRequest>;
  grants: PermissionRule[];
  questions: Map<string, readonly Question[]>;
  todos: readonly Todo[];
  /** Model calls since the list was last changed. */
  stepsSinceTodos: number;
  /** Tools that the model has found by searching, and that requests carry from then on. */
  foundTools: Set<string>;
  /** The mode to return to when planning ends. */
  modeBeforePlan: PermissionMode;
  usage: Usage;
  cost: Cost;
  turns: number;
  lastRun: FactOf<"run.ended"> | undefined;
  undoPoints: UndoPoint[];
  reverts: Revert[];
  /** Set while the last fact is a revert or its opposite, whose file changes a crash may have cut short. */
  unsettledRestores: readonly Restore[];
};

export function emptySession(sessionId: string): SessionState {
  return {
    sessionId,
    lastSeq: 0,
    directory: "",
    projectId: "",
    model: "",
    mode: "default",
    title: "",
    boot: "",
    items: [],
    queue: [],
    runId: undefined,
    step: undefined,
    calls: new Map(),
    permissionRequests: new Map(),
    grants: [],
    questions: new Map(),
    todos: [],
    stepsSinceTodos: 0,
    foundTools: new Set(),
    modeBeforePlan: "default",
    usage: noUsage,
    cost: { usd: 0, estimated: false },
    turns: 0,
    lastRun: undefined,
    undoPoints: [],
    reverts: [],
    unsettledRestores: [],
  };
}

const titleCharactersMax = 50;

/** Applies the next record. An old one is skipped; a gap is a bug of the caller. Constant work per fact. */
export function applyRecord(state: SessionState, record: FactRecord): void {
  if (record.seq <= state.lastSeq) return;
  if (record.seq !== state.lastSeq + 1) {
    throw new Error(`facts ${state.lastSeq + 1} to ${record.seq - 1} of ${state.sessionId} are missing`);
  }
  state.lastSeq = record.seq;
  const { fact } = record;
  state.unsettledRestores = "restores" in fact ? fact.restores : [];
  switch (fact.type) {
    case "session.created":
      state.directory = fact.directory;
      state.projectId = fact.projectId;
      state.model = fact.model;
      state.mode = fact.mode;
      state.boot = fact.boot;
      return;
    case "session.resumed":
      state.boot = fact.boot;
      state.mode = fact.mode;
      state.grants = [];
      state.questions.clear();
      state.permissionRequests.clear();
      return;
    case "model.changed":
      state.model = fact.model;
      return;
    case "mode.changed":
      if (fact.mode === "plan" && state.mode !== "plan") state.modeBeforePlan = state.mode;
      state.mode = fact.mode;
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
      startStep(state, fact);
      return;
    case "step.progressed":
      if (state.step?.stepId === fact.stepId) {
        state.step = { ...state.step, progress: [...state.step.progress, ...fact.appended] };
      }
      return;
    case "step.ended":
      endStep(state, fact);
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
      endCall(state, fact);
      return;
    case "todos.replaced":
      state.todos = fact.todos;
      state.stepsSinceTodos = 0;
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
      return;
    case "session.reverted":
      revert(state, fact);
      return;
    case "session.unreverted":
      unrevert(state, fact);
      return;
    case "run.ended":
      state.lastRun = fact;
      if (state.runId !== undefined && state.runId !== fact.runId) return;
      state.runId = undefined;
      state.step = undefined;
      state.calls.clear();
      return;
    case "command.ran":
    case "content.removed":
      return;
  }
}

/** A session is called by the first line of its first prompt. */
export function titleOfPrompt(text: string): string {
  const firstLine = text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
  // By code point, so that a character outside the basic plane is never cut in half.
  const characters = Array.from(firstLine.slice(0, titleCharactersMax * 2));
  return characters.slice(0, titleCharactersMax).join("").trimEnd();
}

function startStep(state: SessionState, fact: FactOf<"step.started">): void {
  flushResults(state);
  if (fact.withoutMedia) state.items = state.items.map(withoutAttachments);
  state.runId = fact.runId;
  state.step = { stepId: fact.stepId, runId: fact.runId, model: fact.model, answered: false, progress: [] };
  state.calls.clear();
  state.turns += 1;
  state.stepsSinceTodos += 1;
  for (const { promptId, form } of fact.prompts) {
    const prompt = state.queue.find((queued) => queued.promptId === promptId);
    if (prompt === undefined) continue;
    state.undoPoints.push({ promptId, text: prompt.text, itemsBefore: state.items.length, changes: [] });
    state.reverts = [];
    const { text, attachments } = prompt;
    state.items.push({ type: "prompt", promptId, text, ...(attachments !== undefined && { attachments }), form });
  }
  if (fact.prompts.length > 0) {
    const taken = new Set(fact.prompts.map((prompt) => prompt.promptId));
    state.queue = state.queue.filter((prompt) => !taken.has(prompt.promptId));
  }
  for (const text of fact.reminders) state.items.push({ type: "reminder", text });
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

function endStep(state: SessionState, fact: FactOf<"step.ended">): void {
  state.usage = addUsage(state.usage, fact.usage);
  state.cost = { usd: state.cost.usd + fact.cost.usd, estimated: state.cost.estimated || fact.cost.estimated };
  if (state.step?.stepId !== fact.stepId) return;
  state.step = { ...state.step, answered: true, progress: [] };
  if (fact.outcome === "failed" || fact.content.length === 0) return;
  state.items.push({ type: "answer", stepId: fact.stepId, model: state.step.model, content: fact.content });
  for (const call of toolCalls(fact.content)) {
    if (state.calls.has(call.callId)) continue;
    state.calls.set(call.callId, {
      callId: call.callId,
      stepId: fact.stepId,
      tool: call.tool,
      inputText: call.inputText,
      started: false,
    });
  }
  flushResults(state);
}

export function toolCalls(content: readonly AssistantBlock[]): readonly ToolCallBlock[] {
  return content.filter((block) => block.type === "tool-call");
}

function endCall(state: SessionState, fact: FactOf<"tool.ended">): void {
  for (const name of foundToolsOf(fact)) state.foundTools.add(name);
  if (fact.parentCallId !== undefined) return;
  const { callId, tool, outcome, output, media } = fact;
  const result: CallResult = { callId, tool, outcome, output, ...(media !== undefined && { media }) };
  const call = state.calls.get(fact.callId);
  state.calls.set(
    fact.callId,
    call === undefined
      ? { callId: fact.callId, stepId: fact.stepId, tool: fact.tool, inputText: "", started: false, result }
      : { ...call, result },
  );
  flushResults(state);
}

/** A search for tools names what it found in its metadata. */
function foundToolsOf({ metadata }: FactOf<"tool.ended">): readonly string[] {
  const found = metadata?.["foundTools"];
  return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
}

/** Results enter the conversation together and in the order of the calls, whatever order they finished in. */
function flushResults(state: SessionState): void {
  const last = state.items.at(-1);
  if (last?.type !== "answer" || last.stepId !== state.step?.stepId) return;
  const results: CallResult[] = [];
  for (const { callId } of toolCalls(last.content)) {
    const result = state.calls.get(callId)?.result;
    if (result === undefined) return;
    results.push(result);
  }
  if (results.length > 0) state.items.push({ type: "results", stepId: last.stepId, results });
}

function markUnfinished(state: SessionState, snapshot: string): void {
  const point = state.undoPoints.at(-1);
  if (point === undefined || point.unfinished !== undefined) return;
  state.undoPoints[state.undoPoints.length - 1] = { ...point, unfinished: snapshot };
}

function recordChanges(state: SessionState, fact: FactOf<"files.changed">): void {
  const point = state.undoPoints.at(-1);
  if (point === undefined) return;
  const { unfinished: _, ...settled } = point;
  state.undoPoints[state.undoPoints.length - 1] = {
    ...settled,
    changes: [...point.changes, { before: fact.before, files: fact.files }],
  };
}

function revert(state: SessionState, fact: FactOf<"session.reverted">): void {
  const index = state.undoPoints.findIndex((point) => point.promptId === fact.promptId);
  const point = state.undoPoints[index];
  if (point === undefined) return;
  state.reverts.push({
    promptId: fact.promptId,
    snapshot: fact.snapshot,
    files: fact.files,
    items: state.items.slice(point.itemsBefore),
    undoPoints: state.undoPoints.slice(index),
  });
  state.items = state.items.slice(0, point.itemsBefore);
  state.undoPoints = state.undoPoints.slice(0, index);
}

function unrevert(state: SessionState, fact: FactOf<"session.unreverted">): void {
  const newest = state.reverts.at(-1);
  if (newest?.promptId !== fact.promptId) return;
  state.reverts = state.reverts.slice(0, -1);
  state.items = [...state.items, ...newest.items];
  state.undoPoints = [...state.undoPoints, ...newest.undoPoints];
}
