/** The ids under which calls are sent: each one once in a conversation, in the form the vendor wants. */
import { createHash } from "node:crypto";
import type { Quirk } from "@kedge/protocol";
import type { ReportRepair } from "./wire-conversation-rules.ts";

export type CallIds = {
  /** The id to send for a call of the next answer. The same calls in the same order get the same ids. */
  readonly claim: (callId: string) => string;
};

export function createCallIds(quirks: readonly Quirk[] = [], onRepair: ReportRepair = () => {}): CallIds {
  const formOf = quirks.includes("nine-character-call-ids") ? nineCharacters : unchanged;
  const claimed = new Set<string>();
  return {
    claim(callId) {
      let attempt = 0;
      let sent = formOf(callId, attempt);
      // Some servers count their calls again in each answer.
      while (claimed.has(sent)) sent = formOf(callId, ++attempt);
      if (attempt > 0) onRepair(`The id ${callId} of a call is not the first of its kind; it is sent as ${sent}.`);
      claimed.add(sent);
      return sent;
    },
  };
}

function unchanged(callId: string, attempt: number): string {
  return attempt === 0 ? callId : `${callId}_${attempt + 1}`;
}

const characterCount = 9;

function nineCharacters(callId: string, attempt: number): string {
  if (attempt === 0 && /^[A-Za-z0-9]{9}$/.test(callId)) return callId;
  // Hexadecimal digits would do, but nine of them could meet by chance in a long life.
  const digest = createHash("sha256").update(`${attempt} ${callId}`).digest("base64");
  return digest.replace(/[^A-Za-z0-9]/g, "").slice(0, characterCount);
}
