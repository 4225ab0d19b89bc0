/** What guests want done: checked frame by frame, carried out or refused with a reason. */
import {
  type Bytes,
  bytesOfBase64Url,
  equalBytes,
  type GuestAct,
  type HostKeys,
  proofOfToken,
  provedContent,
} from "@kedge/protocol/room";
import { createAllowance } from "@kedge/server/relay";
import type { RoomAccess } from "./room-access.ts";
import type { RoomConnection } from "./room-connection.ts";
import type { Guest, Guests } from "./room-guests.ts";

export type GuestActParts = {
  readonly keys: Pick<HostKeys, "writeToken">;
  readonly access: Pick<RoomAccess, "act">;
  readonly guests: Guests;
  readonly send: RoomConnection["send"];
  readonly now: () => number;
};

type Joined = NonNullable<Guest["joined"]>;

const promptsPerMinute = 10;
const minute = 60_000;

export function createGuestActs({ keys, access, guests, send, now }: GuestActParts) {
  const prompts = createAllowance({ max: promptsPerMinute, windowMs: minute, now });

  async function isProof(given: string, content: Bytes): Promise<boolean> {
    const proof = bytesOfBase64Url(given);
    return proof !== undefined && equalBytes(proof, await proofOfToken(keys.writeToken, content));
  }

  async function refusalOf(guest: number, { rights, nonce, hasToken }: Joined, frame: GuestAct) {
    if (rights !== "full") return "This link is view-only";
    // A guest that the host raised has no token: then its rights are all there is.
    if (hasToken && !(await isProof(frame.proof, provedContent(frame, { nonce, guest })))) {
      return "It was not sent by this guest";
    }
    if (frame.type === "prompt" && frame.text.trim() === "") return "The prompt is empty";
    if (frame.type === "prompt" && !prompts.take(String(guest))) return "More than 10 prompts in a minute";
    return undefined;
  }

  return {
    isProof,
    async carryOut({ number }: Guest, joined: Joined, frame: GuestAct): Promise<void> {
      const { act } = frame;
      const why = await refusalOf(number, joined, frame);
      if (why !== undefined) {
        guests.refuse(number, frame.type, why);
        return send(number, { type: "done", act, problem: `${why}.` });
      }
      const answer = await access.act(frame, joined.name);
      send(number, { type: "done", act, ...(answer.ok ? answer.value : { problem: answer.failure.message }) });
    },
  };
}
