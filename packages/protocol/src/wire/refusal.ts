/** How whoever answers commands and queries says no. */
import type { Failure } from "../failure.ts";

export type Refused = { readonly ok: false; readonly failure: Failure };

export function notFound(what: string, id: string): Refused {
  return { ok: false, failure: { code: "not_found", message: `No ${what} ${id}.`, retryable: false } };
}

export function refused(message: string, recovery?: string): Refused {
  const failure = { code: "invalid_command", message, retryable: false } as const;
  return { ok: false, failure: recovery === undefined ? failure : { ...failure, recovery } };
}
