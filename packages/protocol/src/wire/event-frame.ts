/** An event on its way to another process: what stands in one frame of a stream, and the event it is again there. */
import type { FactRecord } from "../facts/fact-record.ts";
import type { Fact } from "../facts/facts.ts";
import type { JsonObject } from "../json/json.ts";
import type { Event, Signal } from "./signals.ts";

/** The names of the fields are part of the published interface. */
export type EventFrame = {
  /** `<position>-<boot>-<number>`: with it a stream goes on where it was cut. */
  readonly id: string;
  /** The name of a fact or signal, or one of `serverFrames`. */
  readonly type: string;
  readonly directory: string;
  readonly sessionId?: string;
  /** Facts have these; signals and words of the server do not. */
  readonly seq?: number;
  readonly time?: number;
  readonly digest?: string;
  readonly removed?: true;
  readonly prev?: string;
  readonly hash?: string;
  /** The fields of the fact or signal but for its type and session. */
  readonly properties: JsonObject;
};

/**
 * What the server says about the stream itself. After `server.resync` signals are missing, and whoever needs them asks
 * for the state again; facts are never missing.
 */
const serverFrames = ["server.connected", "server.heartbeat", "server.resync", "server.instance.disposed"] as const;

export type ServerFrame = (typeof serverFrames)[number];

/**
 * What a client says itself where its stream comes over a network: the server cannot be reached, and is tried again.
 * Its id is that of the frame before it; `server.connected` tells that the server is there again.
 */
export const connectionLost = "connection.lost";

export type FrameBody = Omit<EventFrame, "id" | "directory">;

export function frameOfRecord({ sessionId, fact, ...record }: FactRecord): FrameBody {
  const { type, ...properties } = fact;
  // Facts are plain data by their definition.
  return { type, sessionId, ...record, properties: properties as JsonObject };
}

export function frameOfSignal({ type, sessionId, ...properties }: Signal): FrameBody {
  // Signals are plain data by their definition.
  return { type, sessionId, properties: properties as unknown as JsonObject };
}

/** Undefined for a word of the server. */
export function eventOfFrame(frame: EventFrame): Event | undefined {
  const { type, sessionId, seq, time, digest, removed, prev, hash, properties } = frame;
  if (sessionId === undefined) return undefined;
  if (seq === undefined || time === undefined || prev === undefined || hash === undefined) {
    // The other side is a kedge of the same protocol; a signal of a newer one is passed on and shown by nobody.
    return { kind: "signal", signal: { ...properties, type, sessionId } as unknown as Signal };
  }
  return {
    kind: "fact",
    record: {
      sessionId,
      seq,
      time,
      // As above: folds skip facts that they do not know.
      fact: { ...properties, type } as unknown as Fact,
      ...(digest !== undefined && { digest }),
      ...(removed !== undefined && { removed }),
      prev,
      hash,
    },
  };
}
