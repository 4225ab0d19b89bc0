/** Gathers the results of parallel calls: some vendors reject them unless all results of one answer are in one message. */
import type { Message } from "@kedge/protocol";

export type ToolMessage = Extract<Message, { readonly role: "tool" }>;

export type ResultGroups = {
  /**
   * The messages with one result standing for each run of results. The same log gives the same array, which grows by
   * appending only, so that what was encoded of it stays valid.
   */
  readonly gathered: (messages: readonly Message[]) => readonly Message[];
  /** All the results that this one of a gathered log stands for, itself first. */
  readonly resultsOf: (first: ToolMessage) => readonly ToolMessage[];
};

type GatheredLog = { readonly messages: Message[]; seen: number };

export function createResultGroups(): ResultGroups {
  const logs = new WeakMap<readonly Message[], GatheredLog>();
  const groups = new WeakMap<ToolMessage, ToolMessage[]>();

  /** A group ends with the request that sends it, so a result that comes later cannot change bytes already sent. */
  function gatherNew(log: GatheredLog, messages: readonly Message[]): void {
    let group: ToolMessage[] | undefined;
    for (const message of messages.slice(log.seen)) {
      if (message.role !== "tool") {
        group = undefined;
        log.messages.push(message);
      } else if (group === undefined) {
        group = [message];
        // A copy, because the same result may begin another group in another log.
        const first = { ...message };
        groups.set(first, group);
        log.messages.push(first);
      } else group.push(message);
    }
    log.seen = messages.length;
  }

  return {
    gathered(messages) {
      let log = logs.get(messages);
      if (log === undefined || log.seen > messages.length) {
        log = { messages: [], seen: 0 };
        logs.set(messages, log);
      }
      gatherNew(log, messages);
      return log.messages;
    },
    resultsOf: (first) => groups.get(first) ?? [first],
  };
}
