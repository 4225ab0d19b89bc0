/** What vendors of the Chat Completions wire want of the conversations they are sent. */
import type { WireConversationRules } from "../conversation/wire-conversation-rules.ts";
import { missingReasoningSignature } from "./returned-reasoning.ts";

export const chatConversation: WireConversationRules = {
  alternates: false,
  mediaInResults: "never",
  unsignedCallSignature: ({ quirks }) =>
    quirks?.includes("reasoning-returned") === true && !quirks.includes("think-spans")
      ? missingReasoningSignature
      : undefined,
};
