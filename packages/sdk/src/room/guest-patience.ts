/** How long a guest waits: for the first word of the host, between attempts to come back, and in all. */
import { relayCodes } from "@kedge/protocol/room";

const retryMs = [250, 500, 1_000, 2_000, 4_000];
const awayMsMax = 60_000;
const greetingMsMax = 20_000;
const finalCodes: ReadonlySet<number> = new Set([
  relayCodes.dropped,
  relayCodes.roomClosed,
  relayCodes.roomFull,
  relayCodes.tooMuch,
]);

export type GuestPatience = {
  readonly welcomed: () => void;
  /** Tries again in a while; false where that is of no use any more. */
  readonly retries: (closeCode: number, connect: () => void) => boolean;
  readonly stop: () => void;
};

export function createGuestPatience(now: () => number, onSilence: () => void): GuestPatience {
  let wasWelcome = false;
  let lostAt = now();
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const greeting = setTimeout(onSilence, greetingMsMax);
  return {
    welcomed() {
      [wasWelcome, attempts] = [true, 0];
      clearTimeout(greeting);
    },
    retries(closeCode, connect) {
      if (attempts === 0) lostAt = now();
      if (finalCodes.has(closeCode) || !wasWelcome || now() - lostAt > awayMsMax) return false;
      timer = setTimeout(connect, retryMs[Math.min(attempts++, retryMs.length - 1)]);
      return true;
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(greeting);
    },
  };
}
