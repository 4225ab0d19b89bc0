/** Links to shared sessions: which relay, which room, and the keys that no server ever sees. */
import { type Bytes, base64UrlOf, bytesOfBase64Url } from "./bytes.ts";
import { isLoopback } from "./relay-address.ts";

const roomBytes = 16;
const keyBytes = 32;
const writeTokenBytes = 16;

export type RoomLink = {
  /** Of the relay, such as `wss://relay.example.com`; absent where the link relies on the configured one. */
  readonly relay?: string;
  readonly room: Bytes;
  readonly key: Bytes;
  /** Whoever has it may prompt; a link without it only shows. */
  readonly writeToken?: Bytes;
};

export type ParsedLink =
  | { readonly ok: true; readonly link: RoomLink }
  | { readonly ok: false; readonly problem: string };

/** Without the scheme, so that both ways to write it end alike. */
const inPath = /^(?:(wss?):\/\/)?([^/?#]+)\/r\/([^/?]+)$/;
const inFragment = /^(https?):\/\/([^/?#]+)\/(?:#|%23)(.+)$/;

/** Accepts every form of link, also where a program wrote the joint as `#` or `%23`. */
export function parseRoomLink(given: string): ParsedLink {
  const text = given.trim();
  const page = inFragment.exec(text);
  if (page !== null) return linkOf(page[3] ?? "", page[1] === "https" ? "wss" : "ws", page[2]);
  const path = inPath.exec(text);
  if (path !== null) return linkOf(path[3] ?? "", path[1] === "ws" ? "ws" : "wss", path[2]);
  return linkOf(text);
}

function linkOf(secret: string, scheme?: "ws" | "wss", host?: string): ParsedLink {
  const [roomText = "", keyText = "", ...rest] = secret.split(/\.|#|%23/);
  const room = bytesOfBase64Url(roomText);
  const keys = bytesOfBase64Url(keyText);
  const isWhole = rest.length === 0 && room?.length === roomBytes;
  const lengths = [keyBytes, keyBytes + writeTokenBytes];
  if (!isWhole || keys === undefined || !lengths.includes(keys.length)) {
    return { ok: false, problem: "This is not a link to a shared session, or a part of it is missing." };
  }
  if (host !== undefined && !URL.canParse(`https://${host}`))
    return { ok: false, problem: "The host in the link is not valid." };
  if (scheme === "ws" && !isLoopback(host ?? "")) {
    return { ok: false, problem: "A relay on another machine needs an encrypted connection: use wss:// or https://." };
  }
  const link = {
    ...(host !== undefined && { relay: `${scheme}://${host}` }),
    room,
    key: keys.slice(0, keyBytes),
    ...(keys.length > keyBytes && { writeToken: keys.slice(keyBytes) }),
  };
  return { ok: true, link };
}

export type LinkForms = {
  /** Opens in a browser, and in `kedge join`. */
  readonly page: string;
  /** For `kedge join`. */
  readonly join: string;
};

/** The link of a room for whoever may prompt, or without the token for whoever may look. */
export function formatRoomLink({ relay, room, key, writeToken }: RoomLink): LinkForms {
  const keys = writeToken === undefined ? key : Uint8Array.from([...key, ...writeToken]);
  const secret = `${base64UrlOf(room)}.${base64UrlOf(keys)}`;
  if (relay === undefined) return { page: secret, join: secret };
  const { protocol, host } = new URL(relay);
  const isPlain = protocol === "ws:";
  return {
    page: `${isPlain ? "http" : "https"}://${host}/#${secret}`,
    join: isPlain ? `ws://${host}/r/${secret}` : `${host}/r/${secret}`,
  };
}
