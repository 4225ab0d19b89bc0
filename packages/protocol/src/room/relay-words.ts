/** What a relay says and hears in plain text beside the sealed frames: who came, who left, who is host. */
import { isJsonObject } from "../json/json.ts";

export type RelayWord =
  /** To a host: sign this to be let in. */
  | { readonly type: "prove"; readonly nonce: string }
  /** To a host: the room is open. */
  | { readonly type: "open" }
  /** To a guest: its number in this room. */
  | { readonly type: "joined"; readonly guest: number }
  /** To the host. */
  | { readonly type: "arrived"; readonly guest: number }
  | { readonly type: "left"; readonly guest: number }
  /** To the host: this guest reads too slowly, or has caught up again. */
  | { readonly type: "behind"; readonly guest: number }
  | { readonly type: "caught-up"; readonly guest: number }
  /** To guests: the host lost its connection, or is there again. */
  | { readonly type: "host-away" }
  | { readonly type: "host-back" };

export type HostWord =
  | { readonly type: "proof"; readonly publicKey: string; readonly signature: string }
  /** Closes the connection of a guest. */
  | { readonly type: "drop"; readonly guest: number };

/** Why a relay closes a connection, in the codes that WebSockets leave to programs. */
export const relayCodes = {
  roomTaken: 4001,
  noSuchRoom: 4002,
  roomFull: 4003,
  tooMuch: 4004,
  tooSlow: 4005,
  dropped: 4006,
  roomClosed: 4007,
  notHost: 4008,
} as const;

export const relayReasons: { readonly [code: number]: string } = {
  [relayCodes.roomTaken]: "Another host is connected to this room",
  [relayCodes.noSuchRoom]: "No host is connected to this room",
  [relayCodes.roomFull]: "The room is full",
  [relayCodes.tooMuch]: "Too many or too large messages",
  [relayCodes.tooSlow]: "The connection is too slow",
  [relayCodes.dropped]: "The host removed you",
  [relayCodes.roomClosed]: "The host stopped sharing",
  [relayCodes.notHost]: "Only the host that made the room can open it",
};

/** Undefined for what is no word of these; whoever reads it checks the fields it uses. */
export function readWord<Word extends { readonly type: string }>(text: string): Word | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && typeof value["type"] === "string" ? (value as unknown as Word) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
