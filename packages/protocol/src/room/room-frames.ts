/** What the host of a room and its guests say to each other, inside sealed frames, as JSON with `v: 1`. */
import type { FactRecord } from "../facts/fact-record.ts";
import { isJsonObject } from "../json/json.ts";
import { checkSchema, type JsonSchema } from "../json/json-schema.ts";
import {
  closed,
  either,
  integer,
  matching,
  optional,
  type Schema,
  text,
  textWithin,
  type ValueOf,
  words,
} from "../json/schema.ts";
import type { Signal } from "../wire/signals.ts";
import { type Bytes, utf8Bytes } from "./bytes.ts";

/** Longer frames of guests are refused unread, by the relay and by the host. */
export const guestFrameBytesMax = 256 * 1024;
export const hostFrameBytesMax = 8 * 1024 * 1024;
export const guestsMax = 16;
export const guestNameMax = 32;
const roomProtocol = 1;

export type GuestRights = "view" | "full";

export type Participant = { readonly guest: number; readonly name: string; readonly rights: GuestRights };

/** What a guest sees of the session besides its facts. */
export type RoomSession = {
  readonly sessionId: string;
  readonly title: string;
  /** The name of the project's directory, without the way to it. */
  readonly project: string;
  readonly model?: string;
  readonly lastSeq: number;
};

export type HostFrame =
  /** First to every guest: the key to check against the room, and what a proof of rights must answer. */
  | { readonly type: "challenge"; readonly publicKey: string; readonly nonce: string }
  /** After a good `hello`: answers the guest's nonce, so that no old frame can take its place. */
  | {
      readonly type: "welcome";
      readonly nonce: string;
      readonly you: Participant;
      readonly session: RoomSession;
      readonly hidesPermissions: boolean;
    }
  /** Stored facts, in order. */
  | { readonly type: "entry"; readonly records: readonly FactRecord[]; readonly isCaughtUp?: true }
  /** A live signal. */
  | { readonly type: "event"; readonly signal: Signal }
  | {
      readonly type: "state";
      readonly participants: readonly Participant[];
      readonly isRunning: boolean;
      /** The newest fact: whoever has less lost something on the way. */
      readonly lastSeq: number;
    }
  /** Facts of an agent of the session. */
  | { readonly type: "bus"; readonly records: readonly FactRecord[] }
  | { readonly type: "agents"; readonly agents: readonly unknown[] }
  | {
      readonly type: "transcript";
      readonly agent: string;
      readonly records: readonly FactRecord[];
      readonly isComplete: boolean;
    }
  /** The answer to one act of a guest. */
  | {
      readonly type: "done";
      readonly act: string;
      readonly problem?: string;
      readonly promptId?: string;
      readonly runId?: string;
    }
  /** The room moves: the link of the new one, sealed for this guest alone. */
  | { readonly type: "moved"; readonly publicKey: string; readonly sealed: string }
  | { readonly type: "bye"; readonly reason: string };

const version = integer({ minimum: roomProtocol, maximum: roomProtocol });
const token = matching("^[A-Za-z0-9_-]{16,128}$");
const actId = matching("^[A-Za-z0-9_-]{1,64}$");
const agentId = matching("^ses_[A-Za-z0-9_-]{1,64}$");
const since = integer({ minimum: 0 });

/** Acts carry a proof that their sender has the write token: every guest has the key that frames are sealed with. */
const act = { v: version, act: actId, proof: token };

const guestSchemas = {
  hello: closed({
    v: version,
    type: words("hello"),
    name: textWithin({ maxLength: 200 }),
    /** The newest fact that the guest has. */
    after: optional(since),
    /** The nonce of the challenge that it answers. */
    challenge: token,
    nonce: token,
    /** For what only this guest may read. */
    publicKey: token,
    proof: optional(token),
  }),
  prompt: closed({ ...act, type: words("prompt"), text, delivery: optional(words("steer", "follow-up")) }),
  abort: closed({ ...act, type: words("abort") }),
  "agent-cmd": closed({
    ...act,
    type: words("agent-cmd"),
    agent: agentId,
    command: words("message", "interrupt", "kill", "revive"),
    text: optional(text),
  }),
  "fetch-transcript": closed({
    v: version,
    type: words("fetch-transcript"),
    agent: either(agentId, words("main")),
    since,
  }),
};

type Schemas = typeof guestSchemas;

export type GuestFrameOf<Type extends keyof Schemas> = ValueOf<Schemas[Type]>;

export type GuestFrame = { [Type in keyof Schemas]: GuestFrameOf<Type> }[keyof Schemas];

/** Frames that only whoever has the write token can make. */
export type GuestAct = GuestFrameOf<"prompt" | "abort" | "agent-cmd">;

export type ReadGuestFrame =
  | { readonly kind: "frame"; readonly frame: GuestFrame }
  /** Of a later version: ignored. */
  | { readonly kind: "unknown" }
  | { readonly kind: "broken" };

/** Everything a guest sends is checked whole: a guest may run any program. */
export function readGuestFrame(content: Uint8Array): ReadGuestFrame {
  const value = parseJson(content);
  if (!isJsonObject(value)) return { kind: "broken" };
  const { type } = value;
  if (typeof type !== "string" || !Object.hasOwn(guestSchemas, type)) return { kind: "unknown" };
  const schema: Schema<unknown> & JsonSchema = guestSchemas[type as keyof Schemas];
  if (checkSchema(schema, value, { hasOwnPatterns: true }).length > 0) return { kind: "broken" };
  // Checked above.
  return { kind: "frame", frame: value as unknown as GuestFrame };
}

/** Undefined for what a later version says. The frame is the host's, by its signature. */
export function readHostFrame(content: Uint8Array): HostFrame | undefined {
  const value = parseJson(content);
  return isJsonObject(value) && value["v"] === roomProtocol ? (value as unknown as HostFrame) : undefined;
}

export function frameContent(frame: HostFrame | GuestFrame): Bytes {
  return utf8Bytes(JSON.stringify({ ...frame, v: roomProtocol }));
}

/** What the proof of an act is made over: all of it but the proof, under the number and nonce of the guest. */
export function provedContent(
  frame: Omit<GuestAct, "proof">,
  { nonce, guest }: { nonce: string; guest: number },
): Bytes {
  const { proof: _, ...rest } = frame as Partial<GuestAct>;
  const fields = Object.entries(rest).sort(([left], [right]) => (left < right ? -1 : 1));
  return utf8Bytes(JSON.stringify(["kedge act 1", nonce, guest, fields]));
}

/** What the proof of a `hello` is made over. */
export function helloContent(hello: {
  readonly challenge: string;
  readonly guest: number;
  readonly publicKey: string;
}): Bytes {
  return utf8Bytes(JSON.stringify(["kedge hello 1", hello.challenge, hello.guest, hello.publicKey]));
}

/** What the host of a room signs for the relay, so that nobody else is let in as the host. */
export function hostClaim(nonce: string): Bytes {
  return utf8Bytes(`kedge host 1 ${nonce}`);
}

function parseJson(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content)) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
