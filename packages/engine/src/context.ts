/** What the model sees: built from the conversation by appending only, so that every request repeats the last one's bytes. */
import type { ConversationItem, Message, SessionState } from "@kedge/protocol";
import { steerReminder } from "./prompt-texts.ts";

export interface Context {
  /** The same array for as long as the conversation only grew. */
  messages(state: SessionState): readonly Message[];
}

export function createContext(): Context {
  let source: readonly ConversationItem[] | undefined;
  let consumed = 0;
  let messages: Message[] = [];
  return {
    messages(state) {
      if (source !== state.items) {
        source = state.items;
        consumed = 0;
        messages = [];
      }
      for (; consumed < state.items.length; consumed += 1) {
        const item = state.items[consumed];
        if (item !== undefined) appendItem(messages, item);
      }
      return messages;
    },
  };
}

const noOutput = "(no output)";

function appendItem(messages: Message[], item: ConversationItem): void {
  switch (item.type) {
    case "prompt":
      messages.push({
        role: "user",
        text: item.form === "steer" ? steerReminder(item.text) : item.text,
        ...(item.attachments !== undefined && { media: item.attachments }),
      });
      return;
    case "reminder":
      messages.push({ role: "user", text: item.text });
      return;
    case "answer":
      messages.push({ role: "assistant", content: item.content, model: item.model });
      return;
    case "results":
      for (const { callId, tool, output, outcome, media } of item.results) {
        messages.push({
          role: "tool",
          callId,
          tool,
          output: output.trim() === "" ? noOutput : output,
          isError: outcome !== "completed",
          ...(media !== undefined && { media }),
        });
      }
      return;
  }
}
