/** Turns the engine's log of a conversation into the one a wire may send, looking at each message once. */
import type { Message, ModelRequest } from "@kedge/protocol";
import { type ConversationLog, createConversationLog } from "./conversation-log.ts";
import type { ReportRepair, WireConversationRules } from "./wire-conversation-rules.ts";

/**
 * As long as the log and the model are the same, the same array comes back, grown at its end, and messages in need of no
 * change are the same objects: what was encoded of them stays valid. Where a message that was sent before must change,
 * a new array begins.
 */
export type Normalise = (request: Pick<ModelRequest, "messages" | "model">) => readonly Message[];

export function createNormaliser(
  rules: WireConversationRules,
  { onRepair = () => {} }: { readonly onRepair?: ReportRepair } = {},
): Normalise {
  // One entry for a log: a change of the model throws away what was made for the one before.
  const logs = new WeakMap<readonly Message[], ConversationLog>();
  return ({ messages, model }) => {
    let log = logs.get(messages);
    if (log === undefined || !log.continues(messages, model)) {
      log = createConversationLog({ rules, model, onRepair });
      logs.set(messages, log);
    }
    return log.grow(messages);
  };
}
