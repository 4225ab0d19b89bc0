/** Calls of models beside the steps of a conversation: who summed up, who found a title, and who looked after memory. */
import type { BesideKind, Cost, Fact, Usage } from "@kedge/protocol";

export type BesideCall = {
  readonly kind: BesideKind;
  readonly usage: Usage;
  readonly cost: Cost;
  /** Without it the one of the session was asked. */
  readonly model?: string;
};

/** Undefined for facts that say nothing of such a call, or of one that nobody was paid for. */
export function besideCall(fact: Fact): BesideCall | undefined {
  switch (fact.type) {
    case "context.compacted": {
      const { usage, cost, model } = fact;
      return paid({ kind: "compaction", usage, cost, ...(model !== undefined && { model }) });
    }
    case "compaction.failed":
      return paid({ kind: "compaction", usage: fact.usage, cost: fact.cost });
    case "session.updated":
      return told(fact.summary === undefined ? "title" : "summary", fact);
    case "memory.recalled":
      return told("recall", fact);
    case "memory.extracted":
      return paid({ kind: "extraction", usage: fact.usage, cost: fact.cost });
    case "memory.consolidated":
      return paid({ kind: "consolidation", usage: fact.usage, cost: fact.cost });
    case "message.added":
      return fact.kind === "imported" || fact.kind === "note" ? undefined : told(fact.kind, fact);
    default:
      return undefined;
  }
}

function told(
  kind: BesideKind,
  { usage, cost }: { readonly usage?: Usage; readonly cost?: Cost },
): BesideCall | undefined {
  return usage === undefined ? undefined : paid({ kind, usage, cost: cost ?? { usd: 0, estimated: false } });
}

function paid(call: BesideCall): BesideCall | undefined {
  const { input, output, cacheRead, cacheWrite } = call.usage;
  return call.cost.usd === 0 && input + output + cacheRead + cacheWrite === 0 ? undefined : call;
}
