/** What happens beside messages: told between them, and to somebody who looks elsewhere. */

import { runEndSentence, type ViewEvent } from "@kedge/protocol";
import type { ClientState, Notice } from "../../state/client-state.ts";
import type { StateStore } from "../../state/state-store.ts";
import { finishedAfterMs, type NotificationTrigger } from "../../status/notification.ts";
import { noticeTexts } from "../../texts/conversation.ts";
import { failureText } from "../told-texts.ts";

export type EventTellingParts = {
  readonly store: StateStore<ClientState>;
  readonly now: () => number;
  readonly notice: (tone: Notice["tone"], text: string, options?: Pick<Notice, "isSaidByMessage">) => void;
  readonly notify: (trigger: NotificationTrigger) => void;
  /** Edits the last queued prompt here, where the screen does not show that beside it. */
  readonly editKey?: string;
};

/** Prompts that wait are kept: the next run takes in those that steer and the others follow it. */
function keptText({ messages }: ClientState, editKey?: string): string | undefined {
  const count = messages.filter(({ isQueued }) => isQueued === true).length;
  if (count === 0) return undefined;
  const kept = count === 1 ? noticeTexts.promptKept : noticeTexts.promptsKept(count);
  if (editKey === undefined) return kept;
  return `${kept} ${count === 1 ? noticeTexts.editKept(editKey) : noticeTexts.editLastKept(editKey)}`;
}

export interface EventTelling {
  tell(event: ViewEvent): void;
}

export function createEventTelling({ store, now, notice, notify, editKey }: EventTellingParts): EventTelling {
  let runBegan = now();
  /** A rejection without a message ends the run. */
  let isRejected = false;
  store.subscribe(
    ({ activity }) => activity.kind !== "idle",
    (isRunning) => {
      if (!isRunning) return;
      runBegan = now();
      isRejected = false;
    },
  );

  /** How an answer ended stands below it already, until it leaves the conversation. */
  function noticeOfEnd(tone: Notice["tone"], text: string): void {
    const last = store.get().messages.findLast(({ isQueued }) => isQueued !== true);
    notice(tone, text, last?.failure === undefined ? {} : { isSaidByMessage: true });
  }

  function tellAborted(): void {
    noticeOfEnd("info", isRejected ? noticeTexts.rejected : noticeTexts.interrupted);
    const kept = keptText(store.get(), editKey);
    if (kept !== undefined) notice("info", kept);
  }

  return {
    tell(event) {
      switch (event.type) {
        case "permission.asked":
        case "question.asked":
          return notify("permission");
        case "permission.replied":
          isRejected = event.reply === "reject" && event.source === "user";
          return;
        case "task.ended":
          return notify("task");
        case "command.executed":
          return notice("info", event.text);
        case "notification":
          return event.kind === "notice" ? notice("info", event.text) : undefined;
        case "session.status": {
          const { budget } = event;
          return budget && notice("warning", noticeTexts.budgetUsed(budget));
        }
        case "session.idle":
          if (now() - runBegan > finishedAfterMs) notify("finished");
          if (event.reason === "stopped_by_hook") return notice("warning", runEndSentence(event.reason));
          return event.reason === "aborted" ? tellAborted() : undefined;
        case "session.error": {
          notify("error");
          const { failure, reason } = event;
          if (failure === undefined) return notice("error", runEndSentence(reason ?? "error_during_execution"));
          return noticeOfEnd("error", failureText(failure));
        }
        default:
          return;
      }
    },
  };
}
