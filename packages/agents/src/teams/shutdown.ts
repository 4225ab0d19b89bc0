/** The handshake before a worker ends: it may refuse while something is under way, and silence at rest is consent. */

export type ShutdownAnswer = { readonly isApproved: boolean; readonly reason: string };

export interface Shutdown {
  /** The request under way. */
  readonly requestId: string | undefined;
  begin(requestId: string): void;
  /** Of the model; false where nobody asked. */
  answer(answer: ShutdownAnswer): boolean;
  /** What was answered, or what silence means by now; undefined while it is open. */
  verdict(look: { readonly isIdle: boolean; readonly hasTask: boolean }): ShutdownAnswer | undefined;
  end(): void;
}

export function createShutdown({ now, waitMs }: { readonly now: () => number; readonly waitMs: number }): Shutdown {
  let requestId: string | undefined;
  let given: ShutdownAnswer | undefined;
  let idleSince: number | undefined;
  return {
    get requestId() {
      return requestId;
    },
    begin(id) {
      requestId = id;
      given = undefined;
      idleSince = undefined;
    },
    answer(answer) {
      if (requestId === undefined) return false;
      given = answer;
      return true;
    },
    verdict({ isIdle, hasTask }) {
      if (given !== undefined) return given;
      if (!isIdle) {
        idleSince = undefined;
        return undefined;
      }
      idleSince ??= now();
      // Whoever has begun nothing has nothing to lose.
      const isSilent = !hasTask || now() - idleSince >= waitMs;
      return isSilent ? { isApproved: true, reason: "" } : undefined;
    },
    end() {
      requestId = undefined;
      given = undefined;
      idleSince = undefined;
    },
  };
}

export function shutdownNotice(reason: string): string {
  const why = reason === "" ? "" : ` Reason: ${reason}`;
  return [
    `Your leader asks you to shut down.${why}`,
    'Approve with send_message {"shutdown": "approve"}. If you are in the middle of a change that must not be cut off,',
    'reject with send_message {"shutdown": "reject", "message": "<reason>"} and finish it.',
  ].join(" ");
}
