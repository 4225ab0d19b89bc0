/** Everything that follows the session before the user: its mirror in the state, its requests, its files, and what is told of it. */

import type { Client } from "@kedge/protocol";
import type { DialogStack } from "../../dialogs/stack/dialog-stack.ts";
import type { ClientState } from "../../state/client-state.ts";
import { createSessionMirror, type SessionMirror } from "../../state/session-mirror.ts";
import type { StateStore } from "../../state/state-store.ts";
import type { NotificationTrigger } from "../../status/notification.ts";
import { noticeTexts } from "../../texts/conversation.ts";
import type { AppLook } from "../app-look.ts";
import type { TellNotice } from "../notices.ts";
import { createOpenRequests, type OpenRequests } from "./open-requests.ts";
import type { SessionDesk } from "./session-desk.ts";
import { createEventTelling } from "./tell-events.ts";
import { type AgentWatch, createAgentWatch } from "./watch-agents.ts";
import { createPlaceWatch } from "./watch-place.ts";

export type FollowingParts = {
  readonly client: Client;
  readonly store: StateStore<ClientState>;
  readonly now: () => number;
  readonly notice: TellNotice;
  readonly notify: (trigger: NotificationTrigger) => void;
  readonly dialogs: DialogStack;
  readonly look: AppLook;
  /** Throws until the engine is up. */
  readonly theDesk: () => SessionDesk;
  readonly lastKeyAt: () => number;
  readonly redraw: () => void;
};

export interface SessionFollowing {
  readonly mirror: SessionMirror;
  readonly requests: OpenRequests;
  /** Files may be otherwise now. */
  readonly refreshPlace: () => void;
  readonly agents: Pick<AgentWatch, "refresh" | "passed" | "seen">;
}

export function followSession(parts: FollowingParts): SessionFollowing {
  const { client, store, now, notice, notify, dialogs, look, lastKeyAt, redraw } = parts;
  const requests = createOpenRequests({
    ...{ state: store.get, dialogs, desk: parts.theDesk, theme: look.theme, now, lastKeyAt, redraw },
    ...{ createMarkdown: look.createMarkdown, createDiff: look.createDiff },
    notice: (text) => notice("info", text),
  });
  const place = createPlaceWatch(client, store);
  const agents = createAgentWatch(client, store);
  const events = createEventTelling({ store, now, notice, notify, editKey: "Alt+Up" });
  const mirror = createSessionMirror({
    ...{ client, store, now },
    onEvent(event) {
      place.onEvent(event);
      agents.onEvent(event);
      if (event.type === "permission.replied") requests.answered(event);
      if (event.type === "session.moved") void followWork(event.toSessionId);
      events.tell(event);
    },
    onLost: (sentence) => notice("error", `${sentence} ${noticeTexts.conversationSaved}`),
    onBack: () => notice("info", noticeTexts.reconnected),
  });
  /** What was told of the session that is left belongs to it; that the work moved is told where it continues. */
  async function followWork(toSessionId: string): Promise<void> {
    await parts.theDesk().switchTo(toSessionId);
    if (store.get().session?.id !== toSessionId) return;
    notice("info", noticeTexts.continuedInNewSession);
  }

  return { mirror, requests, refreshPlace: place.refresh, agents };
}
