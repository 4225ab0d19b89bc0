/** One prompt from beginning to end: starts it, answers what it asks, and tells what happens, in the order it happens. */
import { type Client, type Event, FailureError } from "@kedge/protocol";
import { givenUp, readUnlessAborted } from "../given-up.ts";
import { answerRequests } from "./answer-requests.ts";
import { endRun } from "./end-run.ts";
import { lookAfterRun } from "./look-after-run.ts";
import { openSession } from "./open-session.ts";
import { createPatience } from "./patience.ts";
import type { QueryOptions } from "./query-options.ts";
import { type QueryMessage, type RunIds, readRun } from "./run-messages.ts";

/**
 * Ends with a `result`, also when the run was interrupted or failed. Throws what a callback threw, and a FailureError
 * when the run cannot be started, was given up before it began, or does not end after it was given up, as where its
 * server is gone. Whoever leaves early has the run interrupted.
 */
export async function* query(prompt: string, options: QueryOptions): AsyncGenerator<QueryMessage, void> {
  const { client, signal } = options;
  if (signal?.aborted) throw new FailureError(givenUp);
  const { sessionId, lastSeq: seqBefore } = await openSession(options);
  const stop = new AbortController();
  const problems: unknown[] = [];
  const onProblem = (error: unknown) => {
    problems.push(error);
    stop.abort();
  };
  let isHeldUp = false;
  const patience = createPatience(signal, () => isHeldUp);
  patience.spent.addEventListener("abort", () => onProblem(new FailureError(givenUp)));
  // Not given up at once: whoever does not hear the ids of a run that begins could not end it.
  const submit = () => submitPrompt(prompt, { ...options, sessionId, signal: patience.spent });
  const requests = answerRequests({ ...options, sessionId, onProblem });
  const run = readRun(sessionId);
  const watch = lookAfterRun(client, sessionId, onProblem);
  let ids: RunIds | undefined;
  const interrupt = () => {
    if (ids !== undefined) endRun(client, { sessionId, ...ids }).catch(onProblem);
  };
  const begin = async (): Promise<RunIds> => {
    const begun = await submit();
    ids = begun;
    if (signal?.aborted) interrupt();
    return begun;
  };
  let isOver = false;
  let lastSeq = seqBefore;
  signal?.addEventListener("abort", interrupt);
  try {
    const events = await openEvents(client, { sessionId, lastSeq, signal: stop.signal, wish: signal });
    let begun = await begin();
    isHeldUp = true;
    yield { type: "started", sessionId, runId: begun.runId };
    isHeldUp = false;
    for await (const event of events) {
      watch.heard();
      if (event.kind === "fact") lastSeq = event.record.seq;
      const read = run.read(event, begun);
      if (read.isWithdrawn || read.failure !== undefined) {
        isOver = true;
        throw new FailureError(read.failure ?? givenUp);
      }
      // After a run that failed or was stopped the next one waits for a person, who is this program.
      if (read.isStranded && (await withdraw(client, { ...begun, sessionId, signal: patience.spent }))) {
        begun = await begin();
      }
      for (const message of read.messages) {
        requests.see(message);
        isOver ||= message.type === "result";
        isHeldUp = true;
        yield message;
        isHeldUp = false;
      }
      if (isOver) return;
    }
    throw problems[0];
  } finally {
    signal?.removeEventListener("abort", interrupt);
    patience.close();
    watch.close();
    requests.close();
    stop.abort();
    if (!isOver && ids !== undefined && !patience.spent.aborted) await endRun(client, { sessionId, ...ids }, lastSeq);
  }
}

type Place = {
  readonly sessionId: string;
  readonly lastSeq: number;
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** Ends the waiting for its beginning. */
  readonly wish: AbortSignal | undefined;
};

/** What is live is told only to those who listen already: the newest fact, asked for again, shows that the stream is open. */
async function openEvents(client: Client, { sessionId, lastSeq, signal, wish }: Place): Promise<AsyncIterable<Event>> {
  const events = client.events(sessionId, lastSeq - 1, signal)[Symbol.asyncIterator]();
  await readUnlessAborted(wish, () => events.next());
  return { [Symbol.asyncIterator]: () => events };
}

type Submission = QueryOptions & { readonly sessionId: string; readonly signal: AbortSignal };

async function submitPrompt(text: string, options: Submission): Promise<RunIds> {
  const { client, sessionId, signal, attachments, run = {} } = options;
  const prompt = {
    type: "prompt.submit",
    ...{ sessionId, text, options: run },
    delivery: "follow-up",
    ...(attachments !== undefined && { attachments }),
  } as const;
  const submitted = await client.send<"prompt.submit">(prompt, { signal });
  if (!submitted.ok) throw new FailureError(submitted.failure);
  return submitted.value;
}

/** False when it has begun meanwhile. */
async function withdraw(
  client: Client,
  { sessionId, promptId, signal }: RunIds & { readonly sessionId: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const withdrawn = await client.send<"prompt.withdraw">({ type: "prompt.withdraw", sessionId, promptId }, { signal });
  return withdrawn.ok;
}
