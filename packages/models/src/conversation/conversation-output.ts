/** The messages of one conversation as a wire takes them: roles in the order it wants, and no more media than it may have. */
import type { Message, Model } from "@kedge/protocol";
import { countMedia, mediaOf, mediaPerRequestMax, withNewestMedia } from "./media.ts";
import { isBlank } from "./well-formed-text.ts";
import type { AssistantMessage, ReportRepair, UserMessage, WireConversationRules } from "./wire-conversation-rules.ts";

export type ConversationOutput = {
  readonly length: () => number;
  readonly push: (message: Message) => void;
  readonly pushUser: (message: UserMessage) => void;
  readonly pushAssistant: (message: AssistantMessage) => void;
  /** The user said nothing. */
  readonly skipUser: () => void;
  /** The model said nothing. */
  readonly skipAssistant: () => void;
  /** Drops what comes behind, although it may have been sent. */
  readonly restartAt: (length: number, why: string) => void;
  /** From here on what it has may be encoded and sent. */
  readonly handOut: () => readonly Message[];
};

export type ConversationOutputOptions = {
  readonly rules: WireConversationRules;
  readonly model: Model;
  readonly onRepair: ReportRepair;
};

/** Stand for messages that say nothing where leaving them out would put two of one role side by side. */
const emptyUser: UserMessage = { role: "user", text: "(no text)" };
const emptyAssistant: AssistantMessage = { role: "assistant", content: [{ type: "text", text: "(no answer)" }] };

/** Stands before an answer that would otherwise open the conversation, which only a user may do. */
const opening: UserMessage = { role: "user", text: "(The conversation goes on from here.)" };

/** Stands between tool results and a user text for vendors that want an answer there. */
const afterResults: AssistantMessage = { role: "assistant", content: [{ type: "text", text: "Understood." }] };

export function createConversationOutput({ rules, model, onRepair }: ConversationOutputOptions): ConversationOutput {
  let output: Message[] = [];
  /** How many messages of `output` were handed out, and may be encoded and sent by now. */
  let sent = 0;
  let mediaCount = 0;

  function push(message: Message): void {
    output.push(message);
    if (message.role === "tool") mediaCount += mediaOf(message).length;
  }

  function pushUser(message: UserMessage): void {
    dropUnsent(emptyUser);
    const last = output.at(-1);
    if (last?.role === "tool" && model.quirks?.includes("assistant-after-results") === true) push(afterResults);
    if (rules.alternates && last?.role === "user") replaceLast(joinedUsers(last, message));
    else push(message);
    mediaCount += mediaOf(message).length;
  }

  function pushAssistant(message: AssistantMessage): void {
    dropUnsent(emptyAssistant);
    const last = output.at(-1);
    if (last === undefined) push(opening);
    if (rules.alternates && last?.role === "assistant")
      replaceLast({ ...message, content: [...last.content, ...message.content] });
    else push(message);
  }

  function dropUnsent(filler: Message): void {
    if (output.length > sent && output.at(-1) === filler) output.pop();
  }

  function replaceLast(message: Message): void {
    if (output.length <= sent)
      restartAt(output.length, `Two ${message.role} messages, of which the first was sent, were joined.`);
    output[output.length - 1] = message;
  }

  function restartAt(length: number, why: string): void {
    onRepair(why);
    output = output.slice(0, length);
    sent = 0;
    mediaCount = countMedia(output);
  }

  function limitMedia(): void {
    if (mediaCount <= mediaPerRequestMax) return;
    onRepair(`The conversation holds ${mediaCount} pictures and documents; the oldest were replaced by their names.`);
    output = withNewestMedia(output);
    mediaCount = countMedia(output);
  }

  return {
    length: () => output.length,
    push,
    pushUser,
    pushAssistant,
    skipUser() {
      if (output.at(-1)?.role === "assistant") push(emptyUser);
    },
    skipAssistant() {
      if (rules.alternates && output.at(-1)?.role === "user") push(emptyAssistant);
    },
    restartAt,
    handOut() {
      limitMedia();
      sent = output.length;
      return output;
    },
  };
}

function joinedUsers(first: UserMessage, second: UserMessage): UserMessage {
  const media = [...mediaOf(first), ...mediaOf(second)];
  const text = [first.text, second.text].filter((part) => !isBlank(part)).join("\n\n");
  return { role: "user", text, ...(media.length === 0 ? {} : { media }) };
}
