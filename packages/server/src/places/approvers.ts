/** Knows whether anybody is there who may approve, and refuses what waits for approval when nobody has been for a while. */
import { includesScope } from "@kedge/protocol";
import type { Caller } from "../admission/admissions.ts";
import type { Place } from "./place.ts";

export interface Approvers {
  /** Somebody calls, or listens, until the function given back is called. */
  enter(caller: Pick<Caller, "scope">): () => void;
  /** Zero while one of them is there. */
  absentMs(): number;
}

/** Long enough for a client to lose its connection and come back. */
export const approverAbsentMsMax = 10_000;

export function createApprovers(now: () => number): Approvers {
  let present = 0;
  let seenAt = now();
  return {
    enter({ scope }) {
      if (!includesScope(scope, "approve")) return () => {};
      present += 1;
      let isHere = true;
      return () => {
        if (!isHere) return;
        isHere = false;
        present -= 1;
        seenAt = now();
      };
    },
    absentMs: () => (present > 0 ? 0 : now() - seenAt),
  };
}

/** Long enough for somebody who was notified to take out a phone. */
const notifiedMsMax = 10 * 60_000;

const nobodyText = "No connected client may approve. Connect one with a token of scope approve or admin.";

export type Attendance = {
  /** Somebody who may approve gets a notice of questions on a device, and may come. */
  readonly isSomebodyNotified?: boolean;
};

/** To be called now and then, with all who could answer in this place of work. */
export async function refuseUnattended(
  place: Pick<Place, "refuseUnanswered">,
  approvers: readonly Approvers[],
  { isSomebodyNotified = false }: Attendance = {},
): Promise<void> {
  const msMax = isSomebodyNotified ? notifiedMsMax : approverAbsentMsMax;
  if (approvers.some(({ absentMs }) => absentMs() < msMax)) return;
  await place.refuseUnanswered(nobodyText);
}
