/** What a test does with a session through nothing but a Client: prompts, answers and waits. */
import {
  type Client,
  type CommandAnswer,
  type CommandOf,
  type CommandType,
  type Event,
  type Fact,
  type FactOf,
  FailureError,
  type QueryAnswer,
  type QueryOf,
  type QueryType,
} from "@kedge/protocol";

type Value<Answer> = Answer extends { readonly ok: true; readonly value: infer Given } ? Given : never;

/** The value of the answer; a failure ends the test. */
export async function sent<Type extends CommandType>(
  client: Client,
  command: CommandOf<Type> & { readonly type: Type },
): Promise<Value<CommandAnswer<Type>>> {
  const answer: CommandAnswer<Type> = await client.send<Type>(command);
  if (!answer.ok) throw new FailureError(answer.failure);
  // The branch without a failure has the value of this command.
  return answer.value as Value<CommandAnswer<Type>>;
}

export async function asked<Type extends QueryType>(
  client: Client,
  query: QueryOf<Type> & { readonly type: Type },
): Promise<Value<QueryAnswer<Type>>> {
  const answer: QueryAnswer<Type> = await client.ask<Type>(query);
  if (!answer.ok) throw new FailureError(answer.failure);
  // As above.
  return answer.value as Value<QueryAnswer<Type>>;
}

export async function newSession(client: Client): Promise<string> {
  return (await sent(client, { type: "session.create" })).sessionId;
}

export type Reactions = {
  readonly permission?: (asked: FactOf<"permission.asked">) => Omit<CommandOf<"permission.answer">, SentFields>;
  readonly question?: (asked: FactOf<"question.asked">) => readonly string[];
  readonly event?: (event: Event) => void | Promise<void>;
};

type SentFields = "type" | "sessionId" | "requestId";

export type Conversation = {
  readonly facts: readonly Fact[];
  /** The pieces of the answers, one after the other. */
  readonly streamed: string;
  readonly ended: FactOf<"run.ended">;
};

/** Gives the prompt, reacts to what is asked, and waits for the end of its run. */
export async function converse(
  client: Client,
  sessionId: string,
  text: string,
  reactions: Reactions = {},
): Promise<Conversation> {
  const { lastSeq } = await asked(client, { type: "session.read", sessionId });
  const stop = new AbortController();
  const facts: Fact[] = [];
  let streamed = "";
  let runId: string | undefined;
  try {
    for await (const event of client.events(sessionId, lastSeq - 1, stop.signal)) {
      if (runId === undefined) {
        // The fact that was there before shows that the stream is open.
        const prompt = { type: "prompt.submit", sessionId, text, delivery: "follow-up", options: {} } as const;
        runId = (await sent(client, prompt)).runId;
        continue;
      }
      await reactions.event?.(event);
      if (event.kind === "signal") {
        if (event.signal.type === "text.delta") streamed += event.signal.text;
        continue;
      }
      const { fact } = event.record;
      facts.push(fact);
      await react(client, sessionId, fact, reactions);
      if (fact.type === "run.ended" && fact.runId === runId) return { facts, streamed, ended: fact };
    }
  } finally {
    stop.abort();
  }
  throw new Error("the stream ended before the run");
}

async function react(client: Client, sessionId: string, fact: Fact, reactions: Reactions): Promise<void> {
  if (fact.type === "permission.asked" && reactions.permission !== undefined) {
    const { requestId } = fact;
    await sent(client, { type: "permission.answer", sessionId, requestId, ...reactions.permission(fact) });
  }
  if (fact.type === "question.asked" && reactions.question !== undefined) {
    const { requestId } = fact;
    await sent(client, { type: "question.answer", sessionId, requestId, answers: reactions.question(fact) });
  }
}

export function typesOf(facts: readonly Fact[]): readonly string[] {
  return facts.map(({ type }) => type);
}
