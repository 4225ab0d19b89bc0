/** A session that an MCP client works in: one run after the other, with the questions that come up on the way. */
import type {
  Client,
  Event,
  Fact,
  FactOf,
  Failure,
  PermissionMode,
  PermissionReply,
  RunOptions,
  RunResult,
} from "@kedge/protocol";

/** What comes next in a run: a question for a person, or its end. */
export type RunTurn =
  | { readonly kind: "asks"; readonly request: FactOf<"permission.asked"> }
  | { readonly kind: "over"; readonly result: RunResult; readonly calls: readonly FactOf<"tool.ended">[] }
  | { readonly kind: "failed"; readonly failure: Failure };

export type HeldRun = {
  /** Asked again after each answer. */
  next(): Promise<RunTurn>;
  answer(requestId: string, reply: PermissionReply): Promise<void>;
  /** There is nobody who could answer. */
  refuse(requestId: string, why: string): Promise<void>;
  interrupt(): Promise<void>;
};

export type ServedSession = {
  readonly sessionId: string;
  /** Begins when the runs before it are over. `before` is called right ahead of it. */
  run(text: string, options?: { readonly before?: () => void; readonly runOptions?: RunOptions }): HeldRun;
  close(): Promise<void>;
};

/** Refuses a question that nobody can be asked. */
export type RefuseUnanswered = (question: {
  readonly sessionId: string;
  readonly requestId: string;
  readonly why: string;
}) => Promise<void>;

export type ServedSessionParts = {
  readonly client: Client;
  readonly refuseUnanswered: RefuseUnanswered;
  /** The user's own without it. */
  readonly model?: string;
  readonly mode: PermissionMode;
};

export type OpenedSession =
  | { readonly ok: true; readonly session: ServedSession }
  | { readonly ok: false; readonly failure: Failure };

export async function openServedSession(parts: ServedSessionParts): Promise<OpenedSession> {
  const { client, refuseUnanswered, model, mode } = parts;
  const created = await client.send<"session.create">({
    type: "session.create",
    mode,
    ...(model !== undefined && { model }),
  });
  if (!created.ok) return created;
  const { sessionId } = created.value;
  const ending = new AbortController();
  const runs = new Set<RunRecord>();
  let lane: Promise<unknown> = Promise.resolve();

  const follow = async () => {
    for await (const event of client.events(sessionId, 0, ending.signal, { deltas: false })) {
      for (const record of runs) record.hear(event);
    }
  };
  follow().catch((error: unknown) => {
    for (const record of runs) record.fail(lost(error));
  });

  async function submit(text: string, record: RunRecord, runOptions: RunOptions): Promise<void> {
    const submitted = await client.send<"prompt.submit">({
      type: "prompt.submit",
      sessionId,
      text,
      delivery: "follow-up",
      options: runOptions,
    });
    if (submitted.ok) await record.over;
    else record.fail(submitted.failure);
  }

  return {
    ok: true,
    session: {
      sessionId,
      run(text, { before, runOptions = {} } = {}) {
        const record = createRunRecord();
        lane = lane.then(async () => {
          if (record.isOver()) return;
          runs.add(record);
          before?.();
          await submit(text, record, runOptions);
          runs.delete(record);
        });
        return {
          next: record.next,
          async answer(requestId, reply) {
            await client.send<"permission.answer">({ type: "permission.answer", sessionId, requestId, reply });
          },
          refuse: (requestId, why) => refuseUnanswered({ sessionId, requestId, why }),
          async interrupt() {
            if (runs.has(record)) await client.send<"turn.interrupt">({ type: "turn.interrupt", sessionId });
            else record.fail(interrupted);
          },
        };
      },
      async close() {
        await client.send<"session.close">({ type: "session.close", sessionId });
        ending.abort();
      },
    },
  };
}

type RunRecord = {
  hear(event: Event): void;
  fail(failure: Failure): void;
  next(): Promise<RunTurn>;
  isOver(): boolean;
  readonly over: Promise<void>;
};

/** Only the newest turn counts: a question that was answered elsewhere is asked of nobody. */
function createRunRecord(): RunRecord {
  const calls: FactOf<"tool.ended">[] = [];
  const open = new Map<string, FactOf<"permission.asked">>();
  const told = new Set<string>();
  const { promise: over, resolve: onOver } = Promise.withResolvers<void>();
  let end: RunTurn | undefined;
  let changed = Promise.withResolvers<void>();

  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const finish = (turn: RunTurn) => {
    end ??= turn;
    onOver();
    change();
  };
  const hearFact = (fact: Fact) => {
    if (fact.type === "tool.ended") calls.push(fact);
    else if (fact.type === "permission.asked") open.set(fact.requestId, fact);
    else if (fact.type === "permission.answered") open.delete(fact.requestId);
    else if (fact.type === "run.ended") finish({ kind: "over", result: fact, calls });
    else return;
    change();
  };
  return {
    over,
    isOver: () => end !== undefined,
    hear(event) {
      if (event.kind === "fact") hearFact(event.record.fact);
      else if (event.signal.type === "run.unrecorded") finish({ kind: "failed", failure: event.signal.failure });
    },
    fail: (failure) => finish({ kind: "failed", failure }),
    async next() {
      while (true) {
        if (end !== undefined) return end;
        const request = [...open.values()].find(({ requestId }) => !told.has(requestId));
        if (request !== undefined) {
          told.add(request.requestId);
          return { kind: "asks", request };
        }
        await changed.promise;
      }
    },
  };
}

const interrupted: Failure = { code: "aborted", message: "The call was canceled.", retryable: false };

function lost(error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return { code: "unknown", message: `The session can no longer be followed: ${why}`, retryable: false };
}
