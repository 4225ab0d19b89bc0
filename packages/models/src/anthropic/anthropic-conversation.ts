/** What vendors of the Messages wire want of the conversations they are sent. */
import type { WireConversationRules } from "../conversation/wire-conversation-rules.ts";

/** Neighbouring messages of one role are joined by the vendor itself. */
export const anthropicConversation: WireConversationRules = { alternates: false, mediaInResults: "always" };
