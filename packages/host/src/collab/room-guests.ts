/** The guests of a room as the host knows them: who each is, what it may do, and what was refused. */
import type { Bytes, GuestRights, Participant, ReplayGuard } from "@kedge/protocol/room";
import { createReplayGuard, guestNameMax } from "@kedge/protocol/room";

export type Guest = {
  readonly number: number;
  /** What its `hello` must answer. */
  readonly challenge: string;
  readonly guard: ReplayGuard;
  /** Absent until its `hello` was accepted. */
  joined?: {
    readonly name: string;
    readonly publicKey: Bytes;
    /** It proved that it has the write token. */
    readonly hasToken: boolean;
    rights: GuestRights;
    readonly nonce: string;
  };
  /** It reads too slowly for live signals. */
  isBehind: boolean;
};

export type Refusal = { readonly guest: string; readonly what: string; readonly why: string; readonly at: number };

const refusalsMax = 50;

export function createGuests({ now }: { readonly now: () => number }) {
  const guests = new Map<number, Guest>();
  const refusals: Refusal[] = [];

  return {
    arrive(number: number, challenge: string): Guest {
      const guest: Guest = { number, challenge, guard: createReplayGuard(), isBehind: false };
      guests.set(number, guest);
      return guest;
    },
    leave: (number: number) => guests.delete(number),
    find: (number: number) => guests.get(number),
    clear: () => guests.clear(),
    present: () => [...guests.values()].filter((guest) => guest.joined !== undefined),
    participants(): readonly Participant[] {
      return [...guests.values()].flatMap(({ number, joined }) =>
        joined === undefined ? [] : [{ guest: number, name: joined.name, rights: joined.rights }],
      );
    },
    /** Short, printable, and nobody else's. */
    nameFor(wished: string, number: number): string {
      const plain = wished
        .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
        .trim()
        .slice(0, guestNameMax);
      const taken = new Set([...guests.values()].map(({ joined }) => joined?.name));
      const base = plain === "" ? `guest ${number}` : plain;
      for (let count = 1; ; count++) {
        const name = count === 1 ? base : `${base.slice(0, guestNameMax - 4)} ${count}`;
        if (!taken.has(name)) return name;
      }
    },
    refuse(number: number, what: string, why: string): void {
      const guest = guests.get(number)?.joined?.name ?? `guest ${number}`;
      refusals.push({ guest, what, why, at: now() });
      if (refusals.length > refusalsMax) refusals.shift();
    },
    refusals: (): readonly Refusal[] => [...refusals],
  };
}

export type Guests = ReturnType<typeof createGuests>;
