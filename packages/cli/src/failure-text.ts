/** How a failure reads on a person's screen. */
import type { Failure } from "@kedge/protocol";

export function failureText(failure: Failure): string {
  return `kedge: ${failureSentence(failure)}`;
}

export function failureSentence({ message, recovery }: Failure): string {
  return recovery === undefined ? message : `${message} ${recovery}`;
}
