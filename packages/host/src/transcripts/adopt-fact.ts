/** Makes a fact of another kedge's session one of ours: new ids, and nothing that could act on this machine. */
import {
  type AssistantBlock,
  type Fact,
  type FactOf,
  type FactType,
  type JsonObject,
  messageIdOf,
  type PermissionDecision,
} from "@kedge/protocol";
import { createAdoptedIds } from "./adopted-ids.ts";
import type { ImportParts, SkipCounter } from "./import-types.ts";

/** What a summary says must go on to hold, as far as it says nothing of this machine or of what is permitted. */
const keptBoundary: readonly string[] = ["todos", "preCompactDiscoveredTools", "pressure"];

/** What does not come along, as the report names it; of some the report says nothing, because every session has them. */
const leftBehind = {
  "session.created": undefined,
  "session.deleted": undefined,
  "chain.closed": undefined,
  "session.resumed": undefined,
  "model.changed": undefined,
  "mode.changed": "permission modes",
  // Their texts would instruct the model, and nobody here chose them.
  "style.changed": "writing styles",
  "permission.asked": "permission questions and grants",
  "permission.answered": "permission questions and grants",
  "grants.replaced": "permission questions and grants",
  "job.started": "background jobs",
  "job.ended": "background jobs",
  // Their sessions are not in the file.
  "agent.started": "records of agents",
  "agent.ended": "records of agents",
  "mail.received": "records of agents",
  "files.changed": "snapshots of files",
  "content.removed": "removals of content",
  // Of the files of another machine.
  "instructions.loaded": "loaded instructions",
  // Seen by another machine.
  "reproduction.judged": "reproductions of bugs",
  "memory.written": "what was remembered",
  "memory.quarantined": "what was remembered",
  "memory.recalled": "what was remembered",
  "memory.extracted": "what was remembered",
  "memory.consolidated": "what was remembered",
} as const satisfies { readonly [type in FactType]?: string | undefined };

/** Undefined for what is left behind. */
export type AdoptFact = (fact: Fact) => Fact | undefined;

export function createAdopter(parts: Pick<ImportParts, "newId" | "newRequestId">, skipped: SkipCounter): AdoptFact {
  const { renamed, promptId, runId, stepId, item } = createAdoptedIds(parts.newId);

  function leave(what: string | undefined): undefined {
    if (what !== undefined) skipped.add(what);
    return undefined;
  }

  return (fact) => {
    if (isLeftBehind(fact)) return leave(leftBehind[fact.type]);
    switch (fact.type) {
      case "session.updated":
        return adoptUpdate(fact);
      case "journal.recovered":
      case "command.ran":
      case "todos.replaced":
      case "pressure.changed":
      case "checkpoint.discarded":
      case "compaction.failed":
      case "memory.lesson_extracted":
        return fact;
      case "prompt.admitted":
        return { ...fact, ...promptId(fact), ...runId(fact) };
      case "prompt.revised":
      case "prompt.withdrawn":
        return { ...fact, ...promptId(fact) };
      case "step.started": {
        const prompts = fact.prompts.map((prompt) => ({ ...prompt, ...promptId(prompt) }));
        return { ...fact, ...stepId(fact), ...runId(fact), requestId: parts.newRequestId(), prompts };
      }
      case "step.progressed":
        return { ...fact, ...stepId(fact), appended: adoptBlocks(fact.appended) };
      case "step.ended":
        return { ...fact, ...stepId(fact), content: adoptBlocks(fact.content) };
      case "tool.started": {
        const { snapshot: _, decision, ...call } = fact;
        return { ...call, ...stepId(fact), ...adoptDecision(decision) };
      }
      case "tool.ended": {
        const { decision, ...call } = fact;
        return { ...call, ...stepId(fact), ...adoptDecision(decision) };
      }
      case "question.asked":
      case "question.answered":
        return { ...fact, requestId: renamed(fact.requestId, "qst_") };
      case "checkpoint.opened":
      case "conversation.rewound":
        return { ...fact, ...stepId(fact) };
      case "context.cleared":
        return { ...fact, results: fact.results.map((result) => ({ ...result, ...stepId(result) })) };
      case "context.compacted": {
        const { firstKeptId, boundary, ...compaction } = fact;
        const kept = { ...item("firstKeptId", firstKeptId), boundary: adoptBoundary(boundary) };
        return { ...compaction, ...kept, compactionId: renamed(fact.compactionId, "cmp_") };
      }
      case "leaf.moved": {
        const { leafId } = item("leafId", fact.leafId);
        // Without a leaf it goes before the first word, which is not what an unknown one means.
        if (leafId === undefined && fact.leafId !== undefined) return leave("moves to unknown places");
        return { type: "leaf.moved", ...(leafId !== undefined && { leafId }) };
      }
      case "entry.labelled": {
        const { entryId } = item("entryId", fact.entryId);
        return entryId === undefined ? leave("labels of unknown places") : { ...fact, entryId };
      }
      case "message.removed": {
        const entryIds = fact.entryIds.flatMap((id) => item("id", id).id ?? []);
        const [first] = entryIds;
        return first === undefined
          ? leave("removals of unknown places")
          : { ...fact, entryIds, messageId: messageIdOf(first) };
      }
      case "message.added": {
        const { fromLeafId, ...message } = fact;
        return { ...message, ...item("fromLeafId", fromLeafId), messageId: renamed(fact.messageId, "msg_") };
      }
      // The files of the other machine cannot be put back here, and nothing may be written by opening a session.
      case "session.reverted":
        return { ...fact, ...promptId(fact), snapshot: "", restores: [], files: [] };
      case "session.unreverted":
        return { ...fact, ...promptId(fact), restores: [], files: [] };
      case "run.ended":
        return { ...fact, ...runId(fact) };
    }
  };
}

function isLeftBehind(fact: Fact): fact is FactOf<keyof typeof leftBehind> {
  return Object.hasOwn(leftBehind, fact.type);
}

/** An imported session is never hidden from the one who imported it. */
function adoptUpdate({
  isArchived: _,
  summary: __,
  summaryLeaf: ___,
  ...fact
}: FactOf<"session.updated">): Fact | undefined {
  return Object.keys(fact).length > 1 ? fact : undefined;
}

/**
 * Signatures and blocks of vendors go into requests exactly as they stand, so that a forged one could write into a
 * request. They are of use to the model that made them alone, which an imported session need not go on with. An answer
 * of nothing else keeps its place in the tree.
 */
function adoptBlocks(blocks: readonly AssistantBlock[]): readonly AssistantBlock[] {
  const adopted = blocks.flatMap(adoptBlock);
  return adopted.length === 0 && blocks.length > 0 ? [{ type: "reasoning", text: "" }] : adopted;
}

function adoptBlock(block: AssistantBlock): readonly AssistantBlock[] {
  switch (block.type) {
    case "text":
    case "reasoning":
      return [{ type: block.type, text: block.text }];
    case "tool-call": {
      const { type, callId, tool, inputText, incomplete } = block;
      return [{ type, callId, tool, inputText, ...(incomplete && { incomplete }) }];
    }
    case "vendor":
      return [];
  }
}

/** Rules of another machine would only mislead. */
function adoptDecision(decision: PermissionDecision | undefined): { readonly decision?: PermissionDecision } {
  return decision === undefined ? {} : { decision: { ...decision, rules: [] } };
}

function adoptBoundary(boundary: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(boundary).filter(([name]) => keptBoundary.includes(name)));
}
