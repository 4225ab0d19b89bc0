/** One prompt from beginning to end: starts it, answers what it asks, and tells what happens, in the order it happens. */
import { type Client, type Event, FailureError } from "@kedge/protocol";
import { givenUp } from "../given-up.ts";
import { answerRequests } from "./answer-requests.ts";
import { endRun } from "./end-run.ts";
import { lookAfterRun } from "./look-after-run.ts";
import { openSession } from "./open-session.ts";
import type { QueryOptions } from "./query-options.ts";
import { type QueryMessage, type RunIds, readRun } from "./run-messages.ts";

/**
 * Ends with a `result`, also when the run was interrupted or failed. Throws what a callback threw, and a FailureError
 * when the run cannot be started, or was given up before it began. Whoever leaves early has the run interrupted.
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
  const submit = () => submitPrompt(prompt, sessionId, options);
  const requests = answerRequests({ ...options, sessionId, onProblem });
  const run = readRun(sessionId);
  const watch = lookAfterRun(client, sessionId, onProblem);
  let ids: RunIds | undefined;
  const interrupt = () => {
    if (ids !== undefined) endRun(client, { sessionId, ...ids }).catch(onProblem);
  };
  let isOver = false;
  let lastSeq = seqBefore;
  signal?.addEventListener("abort", interrupt);
  try {
    const events = await openEvents(client, { sessionId, lastSeq, signal: stop.signal });
    ids = await submit();
    if (signal?.aborted) interrupt();
    yield { type: "started", sessionId, runId: ids.runId };
    for await (const event of events) {
      watch.heard();
      if (event.kind === "fact") lastSeq = event.record.seq;
      const read = run.read(event, ids);
      if (read.isWithdrawn || read.failure !== undefined) {
        isOver = true;
        throw new FailureError(read.failure ?? givenUp);
      }
      // After a run that failed or was stopped the next one waits for a person, who is this program.
      if (read.isStranded && (await withdraw(client, sessionId, ids))) ids = await submit();
      for (const message of read.messages) {
        requests.see(message);
        isOver ||= message.type === "result";
        yield message;
      }
      if (isOver) return;
    }
    throw problems[0];
  } finally {
    signal?.removeEventListener("abort", interrupt);
    watch.close();
    requests.close();
    stop.abort();
    if (!isOver && ids !== undefined) await endRun(client, { sessionId, ...ids }, lastSeq);
  }
}

type Place = { readonly sessionId: string; readonly lastSeq: number; readonly signal: AbortSignal };

/** What is live is told only to those who listen already: the newest fact, asked for again, shows that the stream is open. */
async function openEvents(client: Client, { sessionId, lastSeq, signal }: Place): Promise<AsyncIterable<Event>> {
  const events = client.events(sessionId, lastSeq - 1, signal)[Symbol.asyncIterator]();
  await events.next();
  return { [Symbol.asyncIterator]: () => events };
}

async function submitPrompt(text: string, sessionId: string, options: QueryOptions): Promise<RunIds> {
  const { client, attachments, run = {} } = options;
  const submitted = await client.send<"prompt.submit">({
    type: "prompt.submit",
    sessionId,
    text,
    ...(attachments !== undefined && { attachments }),
    delivery: "follow-up",
    options: run,
  });
  if (!submitted.ok) throw new FailureError(submitted.failure);
  return submitted.value;
}

/** False when it has begun meanwhile. */
async function withdraw(client: Client, sessionId: string, { promptId }: RunIds): Promise<boolean> {
  const withdrawn = await client.send<"prompt.withdraw">({ type: "prompt.withdraw", sessionId, promptId });
  return withdrawn.ok;
}
