/** Which models read a history that a vendor shortened: those of the same provider and of the same family. */
import type { Message, Model, VendorHistory } from "@kedge/protocol";
import type { UserMessage } from "./wire-conversation-rules.ts";

/** Up to the number of the generation, such as `gpt-5` of `gpt-5.1-codex`; a name without one is a family of its own. */
export function familyOf({ id }: Pick<Model, "id">): string {
  const name = id.slice(id.lastIndexOf("/") + 1).toLowerCase();
  return /^[a-z]+-?\d+/.exec(name)?.[0] ?? name;
}

function reads(model: Model, { provider, family }: VendorHistory): boolean {
  return provider === model.provider && family === familyOf(model);
}

/** The message in the form that the model reads; the same one when it has but one form. */
export function inReadForm(message: UserMessage, model: Model, carriesHistories: boolean): UserMessage {
  const { instead } = message;
  if (instead === undefined) return message;
  if (carriesHistories && reads(model, instead.history)) return { role: "user", text: instead.text, instead };
  const { instead: _, ...plain } = message;
  return plain;
}

export function hasHistory(messages: readonly Message[]): boolean {
  return messages.some((message) => message.role === "user" && message.instead !== undefined);
}
