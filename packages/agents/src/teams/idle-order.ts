/** In which order a worker deals with what waits for it: a shutdown first, then its leader, then peers as they came. */
import type { Letter } from "./mailbox.ts";
import { decodeMessage, isOfLeader as isTypeOfLeader, type ProtocolMessage } from "./protocol-messages.ts";

export type Sorted = {
  readonly shutdown: readonly (Letter & { readonly message: ProtocolMessage })[];
  readonly control: readonly (Letter & { readonly message: ProtocolMessage })[];
  readonly leader: readonly Letter[];
  readonly peers: readonly Letter[];
  /** What claims to be of the leader and is not, or belongs to nobody here. */
  readonly dropped: readonly Letter[];
};

export function sortLetters(letters: readonly Letter[], isOfLeader: (letter: Letter) => boolean): Sorted {
  const sorted = {
    shutdown: [] as Sorted["shutdown"][number][],
    control: [] as Sorted["control"][number][],
    leader: [] as Letter[],
    peers: [] as Letter[],
    dropped: [] as Letter[],
  };
  for (const letter of letters) {
    const message = decodeMessage(letter.text);
    const isGenuine = isOfLeader(letter);
    if (message === undefined) (isGenuine ? sorted.leader : sorted.peers).push(letter);
    else if (!isGenuine || !isTypeOfLeader(message)) sorted.dropped.push(letter);
    else if (message.type === "shutdown_request") sorted.shutdown.push({ ...letter, message });
    else sorted.control.push({ ...letter, message });
  }
  return sorted;
}
