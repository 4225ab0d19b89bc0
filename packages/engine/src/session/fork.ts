/** Copies the way to one place of a session's tree as the facts of another session: same words, new ids, no cost. */
import { type Fact, type FactOf, type FactRecord, messageIdOf, noUsage, type TreeItem } from "@kedge/protocol";

export type NewForkId = (prefix: "prm_" | "run_" | "stp_" | "cmp_" | "msg_") => string;

const free = { usage: noUsage, cost: { usd: 0, estimated: false } } as const;

/**
 * What belongs to other branches is left out. Snapshots are left out as well: taking back in the copy what the original
 * did to the files would surprise both.
 */
export async function copyFacts(
  records: AsyncIterable<FactRecord>,
  path: readonly TreeItem[],
  newId: NewForkId,
): Promise<readonly Fact[]> {
  const copier = createCopier(path, newId);
  const copies: Fact[] = [];
  for await (const { fact } of records) copies.push(...copier(fact));
  return copies;
}

function createCopier(path: readonly TreeItem[], newId: NewForkId): (fact: Fact) => readonly Fact[] {
  const items = new Map(path.map((item) => [item.id, item]));
  const ids = new Map<string, string>();
  /** Admitted, but not yet seen by the model. */
  const admitted = new Map<string, FactOf<"prompt.admitted">>();
  /** Whether the last step is on the way; what names no step belongs to the last one. */
  let isOnPath = false;

  function renamed(id: string, prefix: Parameters<NewForkId>[0]): string {
    const known = ids.get(id) ?? newId(prefix);
    ids.set(id, known);
    return known;
  }

  const stepId = (fact: { readonly stepId: string }) => renamed(fact.stepId, "stp_");

  /** Prompts come right before the step that showed them, whenever they were admitted. */
  function startStep(fact: FactOf<"step.started">): readonly Fact[] {
    // A step that failed and left nothing behind has no place in the tree; what it asked stays with its prompts.
    isOnPath = items.has(fact.stepId) || fact.prompts.some(({ promptId }) => items.has(promptId));
    if (!isOnPath) return [];
    const runId = renamed(fact.runId, "run_");
    const shown = fact.prompts.filter(({ promptId }) => admitted.has(promptId));
    const said = shown.flatMap(({ promptId }) => admitted.get(promptId) ?? []);
    const prompts = shown.map(({ promptId, form }) => ({ promptId: renamed(promptId, "prm_"), form }));
    return [
      ...said.map((prompt) => ({ ...prompt, promptId: renamed(prompt.promptId, "prm_"), runId })),
      { ...fact, stepId: stepId(fact), runId, prompts },
    ];
  }

  /** What the user said between checkpoint and return stays, although the steps that answered it do not. */
  function rewind(fact: FactOf<"conversation.rewound">): readonly Fact[] {
    const report = items.get(`${fact.stepId}.report`);
    if (report?.type !== "report") return [];
    const runId = renamed(fact.stepId, "run_");
    const carrier = newId("stp_");
    const said = report.said.map((prompt) => ({ ...prompt, promptId: renamed(prompt.id, "prm_") }));
    const prompts = said.map(({ promptId, form }) => ({ promptId, form }));
    return [
      ...said.map(({ promptId, text, attachments }) => admittedAgain({ promptId, runId, text, attachments })),
      ...(said.length > 0 ? carryPrompts({ stepId: carrier, runId, prompts }) : []),
      { ...fact, stepId: stepId(fact) },
    ];
  }

  return (fact) => {
    switch (fact.type) {
      case "prompt.admitted":
        admitted.set(fact.promptId, fact);
        return [];
      case "prompt.revised": {
        const prompt = admitted.get(fact.promptId);
        if (prompt !== undefined) admitted.set(fact.promptId, { ...prompt, text: fact.text });
        return [];
      }
      case "step.started":
        return startStep(fact);
      case "step.ended":
        return isOnPath ? [{ ...fact, ...free, stepId: stepId(fact) }] : [];
      case "tool.started": {
        const { snapshot: _, ...call } = fact;
        return isOnPath ? [{ ...call, stepId: stepId(fact) }] : [];
      }
      case "tool.ended":
      case "checkpoint.opened":
        return isOnPath ? [{ ...fact, stepId: stepId(fact) }] : [];
      case "todos.replaced":
      case "reproduction.judged":
      case "checkpoint.discarded":
        return isOnPath ? [fact] : [];
      case "conversation.rewound":
        return rewind(fact);
      case "context.cleared": {
        const results = fact.results.map((result) => ({ ...result, stepId: stepId(result) }));
        return isOnPath ? [{ ...fact, results }] : [];
      }
      case "context.compacted": {
        if (!items.has(fact.compactionId)) return [];
        const { firstKeptId, ...boundary } = fact;
        const first = firstKeptId === undefined ? undefined : renamedItem(firstKeptId, ids);
        const kept = first === undefined ? {} : { firstKeptId: first };
        return [{ ...boundary, ...kept, ...free, compactionId: renamed(fact.compactionId, "cmp_") }];
      }
      case "message.removed": {
        const entryIds = fact.entryIds.flatMap((id) => renamedItem(id, ids) ?? []);
        const [first] = entryIds;
        return first === undefined ? [] : [{ ...fact, entryIds, messageId: messageIdOf(first) }];
      }
      case "message.added": {
        const { usage: _, cost: __, fromLeafId: ___, ...message } = fact;
        return items.has(fact.messageId) ? [{ ...message, messageId: renamed(fact.messageId, "msg_") }] : [];
      }
      case "run.ended": {
        const runId = ids.get(fact.runId);
        return isOnPath && runId !== undefined ? [{ ...fact, ...free, runId, usageByModel: {} }] : [];
      }
      default:
        return [];
    }
  };
}

type Said = Pick<FactOf<"prompt.admitted">, "promptId" | "runId" | "text"> & {
  readonly attachments: FactOf<"prompt.admitted">["attachments"];
};

function admittedAgain({ attachments, ...prompt }: Said): Fact {
  const carried = attachments === undefined ? {} : { attachments };
  return { type: "prompt.admitted", delivery: "steer", ...prompt, ...carried };
}

/** A step that nobody answered, for prompts whose own steps are left out. */
function carryPrompts(step: Pick<FactOf<"step.started">, "stepId" | "runId" | "prompts">): readonly Fact[] {
  const { stepId } = step;
  const unanswered = { outcome: "interrupted", content: [], durationMs: 0 } as const;
  return [
    { type: "step.started", turn: 0, source: "main", model: "", requestId: "", reminders: [], ...step },
    { type: "step.ended", stepId, ...unanswered, ...free },
  ];
}

/** Items of a step are named after it: `stp_1.results` belongs to `stp_1`. */
function renamedItem(id: string, ids: ReadonlyMap<string, string>): string | undefined {
  const dot = id.indexOf(".");
  const owner = dot === -1 ? id : id.slice(0, dot);
  const renamed = ids.get(owner);
  return renamed === undefined ? undefined : renamed + (dot === -1 ? "" : id.slice(dot));
}
