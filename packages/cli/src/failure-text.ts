/** How a failure reads on a person's screen. */
import type { Failure } from "@kedge/protocol";

export function failureText(failure: Failure): string {
  const { message, recovery } = failure;
  return `kedge: ${message}${recovery === undefined ? "" : ` ${recovery}`}`;
}
