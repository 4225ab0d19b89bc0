/** The routes of event streams: of a place of work, of the whole process, and for replicas. */
import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type EventFrame, headerNames, type Schema, type ValueOfFields } from "@kedge/protocol";
import { frameId, readRows, schema } from "@kedge/protocol/rows";
import { type EventHub, heartbeatMs } from "../events/event-hub.ts";
import { type ReplicationStart, replicate } from "../events/replicate.ts";
import { bytesOf, sentFrame, streamText } from "../events/sent-frame.ts";
import { openStream, sendFollower } from "../events/stream-writer.ts";
import { check } from "../http/route-input.ts";
import type { ServerContext } from "../http/server-environment.ts";
import type { ServerRoutes } from "../http/server-routes.ts";

const position = schema.matching("^\\d{1,15}$");

const asStream = { otherTypes: ["text/event-stream"] } as const;

/** What a caller may see was checked before. */
export function addEventRoutes(routes: ServerRoutes, hubOf: (context: ServerContext) => EventHub): void {
  routes.addRead(readRows.events, (context, fields) => sendEvents(context, hubOf(context), fields), asStream);
}

export function addProcessEventRoutes(routes: ServerRoutes, processHub: () => EventHub): void {
  const { processEvents, replication } = readRows;
  const details = { ...asStream, isOfProcess: true } as const;
  routes.addRead(processEvents, (context, fields) => sendEvents(context, processHub(), fields), details);
  routes.addRead(replication, (context, { since }) => sendRows(context, processHub(), since), details);
}

type EventFields = ValueOfFields<typeof readRows.events.fields>;

async function sendEvents(context: ServerContext, hub: EventHub, fields: EventFields): Promise<Response> {
  const { session, since, after, view, names } = fields;
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

async function sendRows(context: ServerContext, hub: EventHub, since: string | undefined): Promise<Response> {
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

function lastSeen(context: ServerContext, wanted: Schema<string>): string | undefined {
  const header = context.req.header(headerNames.lastEventId);
  if (header === undefined || header === "") return undefined;
  check(wanted, header, `header ${headerNames.lastEventId}`);
  return header;
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
