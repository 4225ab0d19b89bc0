/** What vendors of the Responses wire want of the conversations they are sent. */
import type { WireConversationRules } from "../conversation/wire-conversation-rules.ts";

export const responsesConversation: WireConversationRules = {
  alternates: false,
  mediaInResults: "when-capable",
  carriesHistories: true,
};
