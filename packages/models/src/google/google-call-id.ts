/** Ids for calls that came without one, and how to tell them from Google's own. */

/** Google's own ids never begin so. */
const madeUpPrefix = "call_";

/** The same for the same place in the same answer. */
export function makeCallId(answerId: string, index: number): string {
  return `${madeUpPrefix}${answerId}_${index}`;
}

/** An id that Google did not give is not sent: those of its services that give none reject the member. */
export function sentCallId(callId: string): { readonly id?: string } {
  return callId.startsWith(madeUpPrefix) ? {} : { id: callId };
}
