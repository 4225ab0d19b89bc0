/** All results that the model sees, with what decides whether they may go. Looks at each item of a conversation once. */
import {
  type CallResult,
  type ConversationItem,
  type SessionState,
  type ToolCallBlock,
  toolCalls,
} from "@kedge/protocol";
import { hiddenTokens, tokensOfItem, tokensOfResult } from "./estimate-tokens.ts";
import { type FileUse, fileUsesOf, readTarget } from "./file-uses.ts";
import { type CoversLines, createLineCover, type ShownFile } from "./shown-lines.ts";
import { startsTurn } from "./turns.ts";

export type ShownResult = {
  readonly stepId: string;
  readonly result: CallResult;
  /** Estimated and not padded. */
  readonly tokens: number;
  /** What all results of its answer have beyond what is shown of them: that takes the place of what is cleared. */
  readonly hiddenTokens: number;
  /** Those of the conversation up to and including it. */
  readonly endTokens: number;
  /** Counted from 1; 0 is what stands before the first. */
  readonly turn: number;
  /** Skills and the plan must not be forgotten. */
  readonly isKept: boolean;
  /** The model has answered since; nothing is taken away that it has never seen. */
  isSeen: boolean;
  /** A later call has told the model the same or something newer. */
  superseded?: { readonly by: FileUse["kind"]; readonly turn: number };
};

/** Read it before the next change of the state, and do not keep it. */
export type ResultIndex = {
  readonly results: readonly ShownResult[];
  /** Of the whole conversation, estimated and not padded. */
  readonly tokens: number;
  /** How many turns have begun. */
  readonly turn: number;
  /** How many answers are in it, each of which was a request. */
  readonly answers: number;
};

/** Of a file that is read piece by piece without end, the oldest pieces are taken for needed. */
const readsPerFileMax = 20;

const keptTool = "skill";
const keptAddress = "skill://";
const planFolder = /[\\/]\.kedge[\\/]plans[\\/]/;

export function createResultIndex(): (state: SessionState) => ResultIndex {
  const covers = createLineCover();
  const knownUses = new WeakMap<ToolCallBlock, readonly FileUse[]>();
  let source: readonly ConversationItem[] | undefined;
  let draft = newDraft();

  function usesOf(call: ToolCallBlock, directory: string): readonly FileUse[] {
    const known = knownUses.get(call);
    if (known !== undefined) return known;
    const uses = fileUsesOf(call, directory);
    knownUses.set(call, uses);
    return uses;
  }

  return (state) => {
    if (source !== state.items || draft.consumed > state.items.length) {
      source = state.items;
      draft = newDraft();
    }
    for (; draft.consumed < state.items.length; draft.consumed += 1) {
      const item = state.items[draft.consumed];
      if (item === undefined) continue;
      if (startsTurn(item, state.items[draft.consumed - 1])) draft.turn += 1;
      if (item.type === "answer") addAnswer(draft, item);
      if (item.type === "results") {
        addResults(draft, item, { covers, usesOf: (call) => usesOf(call, state.directory) });
      } else draft.tokens += tokensOfItem(item);
    }
    return draft;
  };
}

/** It tells the model nothing, or nothing that it does not know from later. */
export function isIdle({ result, superseded }: ShownResult): boolean {
  return result.cleared === undefined && (result.useless === true || superseded !== undefined);
}

/** The tokens of the conversation before it. */
export function startOf({ endTokens, tokens }: ShownResult): number {
  return endTokens - tokens;
}

type ReadEntry = ShownFile & { readonly entry: ShownResult };

type Draft = {
  consumed: number;
  readonly results: ShownResult[];
  tokens: number;
  turn: number;
  answers: number;
  unseen: ShownResult[];
  /** Those of the last answer. */
  calls: ReadonlyMap<string, ToolCallBlock>;
  /** By path: what the model still sees and nothing has superseded. */
  readonly reads: Map<string, ReadEntry[]>;
};

function newDraft(): Draft {
  return { consumed: 0, results: [], tokens: 0, turn: 0, answers: 0, unseen: [], calls: new Map(), reads: new Map() };
}

type Looks = { readonly covers: CoversLines; readonly usesOf: (call: ToolCallBlock) => readonly FileUse[] };

function addAnswer(draft: Draft, { content }: Extract<ConversationItem, { type: "answer" }>): void {
  draft.answers += 1;
  draft.calls = new Map(toolCalls(content).map((call) => [call.callId, call]));
  for (const entry of draft.unseen) entry.isSeen = true;
  draft.unseen = [];
}

function addResults(draft: Draft, item: Extract<ConversationItem, { type: "results" }>, looks: Looks): void {
  const hidden = hiddenTokens(item.results);
  const end = draft.tokens + tokensOfItem(item);
  for (const result of item.results) {
    const tokens = tokensOfResult(result);
    draft.tokens = Math.min(draft.tokens + tokens, end);
    const call = draft.calls.get(result.callId);
    const uses = call === undefined ? [] : looks.usesOf(call);
    const entry: ShownResult = {
      stepId: item.stepId,
      result,
      tokens,
      hiddenTokens: hidden,
      endTokens: draft.tokens,
      turn: draft.turn,
      isKept: isKept(result, call, uses),
      isSeen: false,
    };
    draft.results.push(entry);
    draft.unseen.push(entry);
    if (result.outcome === "completed") for (const use of uses) supersede(draft, { use, result, entry }, looks.covers);
  }
}

function isKept({ tool }: CallResult, call: ToolCallBlock | undefined, uses: readonly FileUse[]): boolean {
  if (tool === keptTool || uses.some(({ path }) => planFolder.test(path))) return true;
  return call !== undefined && uses.length === 0 && readTarget(call)?.startsWith(keptAddress) === true;
}

/** A cleared read shows nothing any more; a call that changes a file still tells what is in it. */
function supersede(draft: Draft, later: ReadEntry, covers: CoversLines): void {
  const { kind, path } = later.use;
  const isShown = later.result.cleared === undefined;
  if (kind === "read" && !isShown) return;
  const reads = draft.reads.get(path) ?? [];
  const left: ReadEntry[] = [];
  for (const earlier of reads) {
    if (kind === "read" && !covers(later, earlier)) {
      left.push(earlier);
      continue;
    }
    const { entry } = earlier;
    if (entry.superseded === undefined || kind !== "edit") entry.superseded = { by: kind, turn: draft.turn };
    // A later read or a whole new content settles it more surely than an edit does.
    if (kind === "edit") left.push(earlier);
  }
  if (kind === "read") left.push(later);
  draft.reads.set(path, left.slice(-readsPerFileMax));
}
