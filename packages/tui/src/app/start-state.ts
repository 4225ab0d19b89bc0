/** What the screen begins with: nothing of a session yet, and what was kept from the last time. */
import { isJsonObject } from "@kedge/protocol";
import type { Draft } from "../prompt/prompt-parts.ts";
import { idleActivity } from "../state/activity.ts";
import type { ClientState } from "../state/client-state.ts";
import { type StatusSegment, statusSegments, statusSegmentsShown } from "../status/status-line.ts";
import type { TuiParts } from "./tui-parts.ts";

export function emptyState({ directory, now, expectedModel }: TuiParts): ClientState {
  return {
    connection: "starting",
    ...(expectedModel !== undefined && { expectedModel }),
    directory,
    messages: [],
    hasOlder: false,
    tails: new Map(),
    notices: [],
    requests: [],
    tasks: [],
    activity: idleActivity(now()),
    isFocused: true,
  };
}

/** A draft of another version, or a broken one, is no draft. */
export function readDraft(text: string | undefined): Draft | undefined {
  if (text === undefined) return undefined;
  try {
    const draft: unknown = JSON.parse(text);
    if (!isJsonObject(draft) || typeof draft["text"] !== "string" || typeof draft["cursor"] !== "number")
      return undefined;
    // Written by this program in this form; what is wrong with an attachment shows when it is sent.
    return Array.isArray(draft["attachments"]) ? (draft as unknown as Draft) : undefined;
  } catch {
    // A file that was written by a kedge that died.
    return undefined;
  }
}

export function readSegments(names: readonly string[] | undefined): readonly StatusSegment[] {
  if (names === undefined) return statusSegmentsShown;
  return names.flatMap((name) => statusSegments.find((segment) => segment === name) ?? []);
}
