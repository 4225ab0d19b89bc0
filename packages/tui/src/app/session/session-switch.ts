/** Leaving the session before the user for another one: a new one, a stored one, or a copy. */

import { type Client, FailureError } from "@kedge/protocol";
import type { ClientState } from "../../state/client-state.ts";
import type { StateStore } from "../../state/state-store.ts";
import { noticeTexts } from "../../texts/conversation.ts";
import type { TakeUpWish } from "../tui-parts.ts";
import type { DeskSending } from "./desk-sending.ts";

export type SessionSwitchParts = DeskSending & {
  readonly client: Client;
  readonly store: StateStore<ClientState>;
  readonly openSession: (sessionId: string) => Promise<void>;
};

export interface SessionSwitch {
  fork(): Promise<void>;
  begin(model?: string): Promise<void>;
  switchTo(sessionId: string, wish?: TakeUpWish): Promise<void>;
}

export function createSessionSwitch(parts: SessionSwitchParts): SessionSwitch {
  const { client, store, send, sessionId, notice } = parts;

  async function goOverToCopy(of: string, wish: TakeUpWish = {}): Promise<void> {
    const forked = await send<"session.fork">({ type: "session.fork", sessionId: of });
    if (!forked.ok || !(await resume(forked.value.sessionId, wish))) return;
    notice("info", noticeTexts.inFork);
  }

  async function resume(next: string, wish: TakeUpWish): Promise<boolean> {
    const resumed = await send<"session.resume">({ type: "session.resume", sessionId: next, ...wish });
    if (!resumed.ok || !(await goOver(next))) return false;
    if (resumed.value.notice !== undefined) notice("info", resumed.value.notice);
    if (resumed.value.interrupted) notice("warning", noticeTexts.lastRunInterrupted);
    return true;
  }

  /** The session that is left is free for others from then on, unless it still works. False when the other cannot be read. */
  async function goOver(next: string): Promise<boolean> {
    const left = sessionId();
    try {
      await parts.openSession(next);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      parts.tellFailure(error.failure);
      return false;
    }
    if (left !== "") await client.send<"session.close">({ type: "session.close", sessionId: left });
    return true;
  }

  return {
    fork: () => goOverToCopy(sessionId()),
    async begin(model) {
      const { session } = store.get();
      const chosen = model ?? session?.model;
      const created = await send<"session.create">({
        type: "session.create",
        ...(session !== undefined && { mode: session.mode }),
        ...(chosen !== undefined && { model: chosen }),
      });
      if (created.ok) await goOver(created.value.sessionId);
    },
    async switchTo(next, { isForked, ...wish } = {}) {
      if (next === sessionId()) return;
      if (isForked) await goOverToCopy(next, wish);
      else await resume(next, wish);
    },
  };
}
