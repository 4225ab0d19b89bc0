/** Reads the link that opened the page and removes its secret from the address bar, so that no history keeps it. */
import { bytesOfBase64Url, parseRoomLink, type RoomLink } from "@kedge/protocol/room";
import * as texts from "../texts/guest.ts";

export type GuestLink =
  | { readonly kind: "room"; readonly link: RoomLink }
  | { readonly kind: "copy"; readonly address: string; readonly key: Uint8Array<ArrayBuffer> }
  | { readonly kind: "none"; readonly problem: string };

type Place = {
  readonly location: Pick<Location, "hash" | "origin" | "pathname">;
  readonly history: Pick<History, "replaceState">;
  readonly isSecureContext: boolean;
};

const keyBytes = 32;
const copyPath = /^\/s\/[\w-]+$/;

export function takeLink({ location, history, isSecureContext }: Place): GuestLink {
  const { origin, pathname } = location;
  const secret = location.hash.slice(1);
  if (location.hash !== "") history.replaceState(null, "", pathname);
  if (!isSecureContext) return none(texts.needsHttps);
  if (secret === "") return none(texts.linkAgain);
  if (copyPath.test(pathname)) {
    const key = bytesOfBase64Url(secret);
    if (key?.length !== keyBytes) return none(texts.keyIncomplete);
    return { kind: "copy", address: `${pathname}/raw`, key };
  }
  // Written with the origin of the page, so that a link cannot send the page to another relay.
  const parsed = parseRoomLink(`${origin}/#${secret}`);
  return parsed.ok ? { kind: "room", link: parsed.link } : none(parsed.problem);
}

function none(problem: string): GuestLink {
  return { kind: "none", problem };
}
