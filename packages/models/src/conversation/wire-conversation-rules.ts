/** What one wire wants of the conversations it sends, beyond what every vendor wants. */
import type { Message, Model } from "@kedge/protocol";

export type UserMessage = Extract<Message, { readonly role: "user" }>;
export type AssistantMessage = Extract<Message, { readonly role: "assistant" }>;
export type ToolMessage = Extract<Message, { readonly role: "tool" }>;

export type WireConversationRules = {
  /** Whether two messages of the same role may not stand side by side. */
  readonly alternates: boolean;
  /** Where media of a tool result may stay in it; elsewhere they move to a user message after the results. */
  readonly mediaInResults: "always" | "when-capable" | "never";
  /** What the first call of an answer is signed with when its model signed none, for models that insist on one. */
  readonly unsignedCallSignature?: (model: Model) => string | undefined;
  /** Whether the wire can hand a vendor the history that it shortened itself. */
  readonly carriesHistories?: boolean;
};

/** Told of everything that was changed because the conversation was broken, or that changed what was already sent. */
export type ReportRepair = (sentence: string) => void;
