/** What the view fold changed, gathered so that each row is written once; the same for every store with tables. */
import type { FactRecord, MessageRow, PartView, SessionView, Todo, ViewChange } from "@kedge/protocol";

export type UsageRow = {
  readonly seq: number;
  readonly time: number;
  readonly model: string;
  readonly tokens: readonly [
    ...[input: number, output: number, reasoning: number],
    ...[cacheRead: number, cacheWrite: number, webSearches: number],
  ];
  readonly usd: number;
  readonly isEstimated: boolean;
};

type OutputCleared = Extract<ViewChange, { kind: "output-cleared" }>;

/** The tables of one session. Rows come in an order in which they can be written one after the other. */
export type ViewTables = {
  saveSession(session: SessionView): void;
  saveMessage(message: MessageRow): void;
  dropMessage(messageId: string): void;
  savePart(part: PartView): void;
  dropPart(messageId: string, partId: string): void;
  /** Of a part that was written before. */
  clearOutput(change: OutputCleared): void;
  replaceTodos(todos: readonly Todo[]): void;
  saveUsage(usage: UsageRow): void;
};

export type ViewBatch = {
  /** Takes the changes of one record. The last state of each message and part is written by `flush`. */
  add(record: FactRecord, changes: readonly ViewChange[], model: string): void;
  flush(): void;
};

/** Without a part: it is to be taken away. */
type PendingPart = { readonly messageId: string; readonly id: string; part: PartView | undefined };

export function createViewBatch(tables: ViewTables): ViewBatch {
  const messages = new Map<string, MessageRow>();
  const parts = new Map<string, PendingPart>();
  let session: SessionView | undefined;

  function flush(): void {
    if (session !== undefined) tables.saveSession(session);
    session = undefined;
    for (const message of messages.values()) tables.saveMessage(message);
    for (const { messageId, id, part } of parts.values()) {
      if (part === undefined) tables.dropPart(messageId, id);
      else tables.savePart(part);
    }
    messages.clear();
    parts.clear();
  }

  function putPart(messageId: string, id: string, part: PartView | undefined): void {
    const name = `${messageId} ${id}`;
    // Parts of the same time are found in the order in which they came.
    if (parts.get(name)?.part?.time !== part?.time) parts.delete(name);
    parts.set(name, { messageId, id, part });
  }

  function clearOutput(change: OutputCleared): void {
    const { messageId, partId, compactedAt } = change;
    const pending = parts.get(`${messageId} ${partId}`);
    if (pending === undefined) {
      tables.clearOutput(change);
    } else if (pending.part?.type === "tool" && pending.part.state.status === "completed") {
      pending.part = { ...pending.part, state: { ...pending.part.state, compactedAt } };
    }
  }

  function apply(change: ViewChange): void {
    switch (change.kind) {
      case "message":
        messages.set(change.message.id, change.message);
        return;
      case "part":
        putPart(change.part.messageId, change.part.id, change.part);
        return;
      case "part-removed":
        putPart(change.messageId, change.partId, undefined);
        return;
      case "message-removed":
        flush();
        tables.dropMessage(change.messageId);
        return;
      case "output-cleared":
        clearOutput(change);
        return;
      case "session":
        session = change.session;
        return;
      // Content is removed together with everything that was made of it.
      case "refused":
      case "content-removed":
        return;
    }
  }

  return {
    add(record, changes, model) {
      for (const change of changes) apply(change);
      const todos = todosAfter(record, changes);
      if (todos !== undefined) tables.replaceTodos(todos);
      const usage = usageOf(record, model);
      if (usage !== undefined) tables.saveUsage(usage);
    },
    flush,
  };
}

/** After these the conversation stands at another place of its tree, which has todos of its own. */
const moves: ReadonlySet<FactRecord["fact"]["type"]> = new Set<FactRecord["fact"]["type"]>([
  "leaf.moved",
  "conversation.rewound",
  "session.reverted",
  "session.unreverted",
]);

function todosAfter({ fact }: FactRecord, changes: readonly ViewChange[]): readonly Todo[] | undefined {
  if (fact.type === "todos.replaced") return fact.todos;
  if (!moves.has(fact.type)) return undefined;
  return changes.findLast((change) => change.kind === "session")?.session.todos;
}

function usageOf({ seq, time, fact }: FactRecord, model: string): UsageRow | undefined {
  // The end of a run only repeats the sum of its steps, and that of an agent what its own session used.
  if (fact.type === "run.ended" || fact.type === "agent.ended" || !("usage" in fact) || fact.usage === undefined)
    return undefined;
  const { input, output, reasoning, cacheRead, cacheWrite, webSearches = 0 } = fact.usage;
  const { usd, estimated } = fact.cost ?? { usd: 0, estimated: false };
  const tokens = [input, output, reasoning, cacheRead, cacheWrite, webSearches] as const;
  return { seq, time, model, tokens, usd, isEstimated: estimated };
}
