/** The routes of event streams: of a place of work, of the whole process, and for replicas. */
import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { z } from "@hono/zod-openapi";
import { type EventFrame, headerNames, readRoutes } from "@kedge/protocol";
import { type EventHub, heartbeatMs } from "../events/event-hub.ts";
import { type ReplicationStart, replicate } from "../events/replicate.ts";
import { bytesOf, sentFrame, streamText } from "../events/sent-frame.ts";
import { openStream, sendFollower } from "../events/stream-writer.ts";
import { checked, readQuery } from "../http/route-input.ts";
import type { ServerApp, ServerContext } from "../http/server-environment.ts";
import { count, sessionId } from "../schemas/words.ts";
import { describeRoute } from "./describe-route.ts";

const frameId = z.string().regex(/^\d{1,15}-[\w.-]{1,100}-\d{1,15}$/, "it is no id of a frame");

const eventsQuery = z.strictObject({
  session: sessionId.optional(),
  /** A number of that session. */
  since: count.optional(),
  after: frameId.optional(),
  view: z.enum(["parts"]).optional(),
  /** `short`: view events under their other names. */
  names: z.enum(["short"]).optional(),
});

const known = /^ses_[\w-]{1,64}:\d{1,15}(,ses_[\w-]{1,64}:\d{1,15})*$/;

const replicationQuery = z.strictObject({
  /** A position, or the last known number of each session: `ses_a:12,ses_b:3`. */
  since: z.union([z.string().regex(/^\d{1,15}$/), z.string().regex(known)]).optional(),
});

const position = z.string().regex(/^\d{1,15}$/, "it is no position");

const frame = z
  .looseObject({ id: z.string(), type: z.string(), directory: z.string(), sessionID: z.string().optional() })
  .openapi("EventFrame");

const asStream = { answer: frame, otherTypes: ["text/event-stream"] } as const;

/** What a caller may see was checked before. */
export function addEventRoutes(app: ServerApp, hubOf: (context: ServerContext) => EventHub): void {
  describeRoute(app, readRoutes.events, {
    operationId: "events",
    summary: "What happens in the sessions of the place of work, as a stream of events.",
    ...{ query: eventsQuery, ...asStream },
  });
  app.get(readRoutes.events.path, (context) => sendEvents(context, hubOf(context)));
}

export function addProcessEventRoutes(app: ServerApp, processHub: () => EventHub): void {
  const { processEvents, replication } = readRoutes;
  describeRoute(app, processEvents, {
    operationId: "global.events",
    summary: "What happens in all sessions, as a stream of events.",
    ...{ query: eventsQuery, ...asStream, isOfProcess: true },
  });
  app.get(processEvents.path, (context) => sendEvents(context, processHub()));

  describeRoute(app, replication, {
    operationId: "global.replication",
    summary: "Every record of every session as it is chained, for replicas.",
    ...{ query: replicationQuery, ...asStream, isOfProcess: true },
  });
  app.get(replication.path, (context) => sendRows(context, processHub()));
}

async function sendEvents(context: ServerContext, hub: EventHub): Promise<Response> {
  const { session, since, after, view, names } = readQuery(context, eventsQuery);
  const seen = lastSeen(context, frameId) ?? after;
  const stream = openStream(outgoingOf(context));
  const follower = await hub.open({
    signal: stream.gone,
    hasAliases: names === "short",
    ...(seen !== undefined && { after: seen }),
    ...(session !== undefined && { sessionId: session }),
    ...(since !== undefined && { afterSeq: since }),
    ...(view !== undefined && { view }),
  });
  await sendFollower(follower, stream);
  return RESPONSE_ALREADY_SENT;
}

async function sendRows(context: ServerContext, hub: EventHub): Promise<Response> {
  const { since } = readQuery(context, replicationQuery);
  const start = startOf(lastSeen(context, position) ?? since ?? "0");
  const stream = openStream(outgoingOf(context));
  const leave = hub.enter();
  let place = typeof start === "number" ? start : 0;
  const word = (type: string) => bytesOf(sentFrame(serverFrame(hub, { type, id: String(place) })));
  const heartbeat = setInterval(() => void stream.write([word("server.heartbeat")]), heartbeatMs).unref();
  try {
    await stream.write([word("server.connected")]);
    for await (const rows of replicate(hub, start, stream.gone)) {
      place = rows.at(-1)?.position ?? place;
      await stream.write(rows.map((row) => Buffer.from(streamText(String(row.position), JSON.stringify(row)))));
    }
    if (hub.isClosed) await stream.write([word("server.instance.disposed")]);
  } finally {
    clearInterval(heartbeat);
    leave();
    stream.end();
  }
  return RESPONSE_ALREADY_SENT;
}

function lastSeen(context: ServerContext, schema: z.ZodType<string>): string | undefined {
  const header = context.req.header(headerNames.lastEventId);
  return header === undefined || header === ""
    ? undefined
    : checked(schema, header, `header ${headerNames.lastEventId}`);
}

function startOf(since: string): ReplicationStart {
  if (/^\d+$/.test(since)) return Number(since);
  // The schema has seen to it that each has a colon and a number behind it.
  return new Map(since.split(",").map((pair) => [pair.slice(0, pair.indexOf(":")), Number(pair.split(":")[1])]));
}

function serverFrame({ directory, life }: EventHub, word: Pick<EventFrame, "type" | "id">): EventFrame {
  return { ...word, directory, properties: { boot: life } };
}

/** Frames are written past the framework, which would copy each of them for each client. */
function outgoingOf(context: ServerContext): ServerResponse {
  const { outgoing } = context.env;
  // The server speaks HTTP/1.1 only; the other kind belongs to HTTP/2.
  return outgoing as ServerResponse;
}
