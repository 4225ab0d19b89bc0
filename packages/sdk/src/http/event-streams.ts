/** Event streams over HTTP that go on by themselves after a break, without a gap in the facts. */
import {
  connectionLost,
  type Event,
  type EventFrame,
  type EventsOptions,
  eventOfFrame,
  type Failure,
  FailureError,
  type FollowOptions,
  headerNames,
  isDelta,
  parseJson,
  routeOf,
} from "@kedge/protocol";
import { type Connection, headersOf, queryText, uncached } from "./http-call.ts";
import { readFrames } from "./read-frames.ts";
import { connectionFailure, failureOf, oddAnswer, protocolMismatch, strangeAnswer } from "./server-failure.ts";

const firstPauseMs = 250;
/** Somebody may sit before a screen and wait for the server. */
const longestPauseMs = 5_000;
/** A server says something at least every ten seconds; a connection that missed two heartbeats is gone. */
const silenceMsMax = 20_000;

type Place = {
  /** Where to go on, as query and header. */
  readonly query: { readonly [name: string]: unknown };
  readonly lastEventId?: string;
};

const loadCheck = () => import("./check-answer.ts");

/** All sessions of the place of work, or the one that is named. */
export async function* followFrames(
  connection: Connection,
  { after, sessionId, view, signal }: FollowOptions,
): AsyncGenerator<EventFrame, void> {
  let lastEventId = after;
  const query = { session: sessionId, view };
  const place = (): Place => ({ query, ...(lastEventId !== undefined && { lastEventId }) });
  let check: Awaited<ReturnType<typeof loadCheck>> | undefined;
  for await (const frame of reconnecting(connection, place, signal)) {
    check ??= await loadCheck();
    if (view === "parts" && !check.isViewFrame(frame)) throw new FailureError(oddAnswer(connection.url, "an event"));
    if (frame.type !== connectionLost) lastEventId = frame.id;
    yield frame;
  }
}

type SessionEvents = EventsOptions & {
  readonly sessionId: string;
  readonly afterSeq: number | "newest";
  readonly signal: AbortSignal;
};

/** One session: its stored facts after the number, then live events. */
export async function* sessionEvents(
  connection: Connection,
  { sessionId, afterSeq, signal, deltas }: SessionEvents,
): AsyncGenerator<Event, void> {
  let lastSeq = afterSeq === "newest" ? undefined : afterSeq;
  /** Where to go on as long as no number is known. */
  let lastEventId: string | undefined;
  const place = (): Place => ({
    query: { session: sessionId, since: lastSeq },
    ...(lastSeq === undefined && lastEventId !== undefined && { lastEventId }),
  });
  let isLost = false;
  for await (const frame of reconnecting(connection, place, signal)) {
    const isBack: boolean = isLost && frame.type === "server.connected";
    if (frame.type === connectionLost || isBack) {
      isLost = !isBack;
      yield { kind: "signal", signal: { type: "notice", sessionId, text: isBack ? backText : lostText } };
      continue;
    }
    lastEventId = frame.id;
    const event = eventOfFrame(frame);
    if (event === undefined) continue;
    if (event.kind === "fact") {
      if (lastSeq !== undefined && event.record.seq <= lastSeq) continue;
      lastSeq = event.record.seq;
    } else if (deltas === false && isDelta(event.signal)) continue;
    yield event;
    if (signal.aborted) return;
  }
}

const lostText = "The connection to the server is lost; retrying.";
const backText = "Reconnected to the server.";

async function* reconnecting(
  connection: Connection,
  place: () => Place,
  signal: AbortSignal,
): AsyncGenerator<EventFrame, void> {
  let pauseMs = firstPauseMs;
  let isLostTold = false;
  while (!signal.aborted) {
    const attempt = new AbortController();
    let isUnreachable = false;
    const watch = watchSilence(attempt);
    const giveUp = () => attempt.abort();
    signal.addEventListener("abort", giveUp);
    try {
      const opened = await open(connection, place(), attempt.signal);
      if ("failure" in opened) {
        if (!opened.failure.retryable) throw new FailureError(opened.failure);
        isUnreachable = true;
      } else {
        for await (const frame of readFrames(opened.body)) {
          pauseMs = firstPauseMs;
          isLostTold = false;
          // However long the reader takes for it, that is no silence of the server.
          watch.stop();
          yield frame;
          if (signal.aborted) return;
          watch.heard();
        }
      }
    } catch (error) {
      // A stream that breaks is opened again; only what the server said about it ends it.
      if (error instanceof FailureError) throw error;
    } finally {
      watch.stop();
      signal.removeEventListener("abort", giveUp);
      attempt.abort();
    }
    if (signal.aborted) return;
    // One that merely broke is mostly there again at once, which is no news.
    if ((isUnreachable || watch.isOver()) && !isLostTold) {
      isLostTold = true;
      yield { id: place().lastEventId ?? "", type: connectionLost, directory: "", properties: {} };
    }
    await pause(withJitter(pauseMs), signal);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

type Opened = { readonly body: ReadableStream<Uint8Array> } | { readonly failure: Failure };

async function open(connection: Connection, { query, lastEventId }: Place, signal: AbortSignal): Promise<Opened> {
  const headers = headersOf(connection);
  headers.set("accept", "text/event-stream");
  if (lastEventId !== undefined) headers.set(headerNames.lastEventId, lastEventId);
  try {
    // A page has both from the server as well, and tries again where it could not be reached.
    const [{ readRows }] = await Promise.all([import("@kedge/protocol/rows"), loadCheck()]);
    const url = `${connection.url}${routeOf(readRows.events).path}${queryText(query)}`;
    const response = await connection.fetch(url, { headers, signal, ...uncached });
    const mismatch = protocolMismatch(response);
    if (mismatch !== undefined) return { failure: mismatch };
    if (!response.ok) return { failure: failureOf(response, parseJson(await response.text())) };
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    return isStream && response.body !== null ? { body: response.body } : { failure: strangeAnswer(connection.url) };
  } catch (error) {
    return { failure: connectionFailure(connection.url, error, undefined) };
  }
}

/** Ends an attempt that has gone silent. */
function watchSilence(attempt: AbortController): { heard(): void; stop(): void; isOver(): boolean } {
  let isOver = false;
  const end = () => {
    isOver = true;
    attempt.abort();
  };
  let timer = setTimeout(end, silenceMsMax);
  return {
    heard() {
      clearTimeout(timer);
      timer = setTimeout(end, silenceMsMax);
    },
    stop: () => clearTimeout(timer),
    isOver: () => isOver,
  };
}

/** Between three quarters and five quarters, so that many clients do not come back in the same moment. */
function withJitter(ms: number): number {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  return ms * (0.75 + byte / 510);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener("abort", over);
  });
}
