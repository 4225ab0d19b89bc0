/** The messages of a request: built from the conversation by appending only, so that each repeats the last one's bytes. */
import type { CallResult, ConversationItem, Message, SessionState } from "@kedge/protocol";
import { boundOutput } from "../call/text/bound-output.ts";
import { compactionText, recordText, rewoundReminder, signReminders, steerReminder } from "../prompt-texts.ts";
import { toolSearchName } from "../tool-pool/tool-search.ts";

export interface Messages {
  /** The same array for as long as the conversation only grew. */
  all(state: Pick<SessionState, "items">): readonly Message[];
  /** Gives up the last list, and with it the bytes that were made of it, when the conversation has become another. */
  settle(state: Pick<SessionState, "items">): void;
  /** Whether the last list of messages, which the conversation still begins with, has the whole result of a call. */
  isShown(callId: string, state: SessionState): boolean;
}

export type MessagesParts = {
  /** What stands before the conversation, asked for with each new array. */
  readonly opening?: () => string | undefined;
  /** Those of another session, which this one continues. */
  readonly before?: readonly Message[];
  /** Makes words harmless that were said in the middle of a run, and so stand inside of a text of ours. */
  readonly neutralise?: (text: string, channel: "queued") => string;
  /** What the tags of genuine reminders carry; the same for the whole session, so that no earlier byte changes. */
  readonly nonce?: () => string;
};

export function createMessages(parts: MessagesParts = {}): Messages {
  const { opening, before = [], neutralise = (text) => text, nonce } = parts;
  const sign = (text: string) => signReminders(text, nonce?.());
  const append = (item: ConversationItem) => {
    const isSteer = item.type === "prompt" && item.form === "steer";
    appendItem(messages, isSteer ? { ...item, text: neutralise(item.text, "queued") } : item, wholeResults, sign);
  };
  let source: readonly ConversationItem[] | undefined;
  let consumed = 0;
  let messages: Message[] = [];
  let wholeResults = new Set<string>();
  return {
    all(state) {
      if (source !== state.items) {
        const first = opening?.();
        source = state.items;
        consumed = 0;
        messages = first === undefined ? [...before] : [...before, { role: "user", text: sign(first) }];
        wholeResults = new Set();
      }
      for (; consumed < state.items.length; consumed += 1) {
        const item = state.items[consumed];
        if (item !== undefined) append(item);
      }
      return messages;
    },
    settle(state) {
      if (source === state.items) return;
      source = undefined;
      messages = [];
      wholeResults = new Set();
    },
    isShown: (callId, state) => source === state.items && wholeResults.has(callId),
  };
}

const noOutput = "(no output)";

/** What all results of one answer may have together. */
const resultsCharactersMax = 200_000;

/**
 * Shortens the largest results until all of them fit. It looks at nothing but the results themselves, so that every
 * later request shortens them alike.
 */
function withinBudget(results: readonly CallResult[]): readonly CallResult[] {
  const total = results.reduce((sum, { output }) => sum + output.length, 0);
  if (total <= resultsCharactersMax) return results;
  // Every result may keep an even share of what the smaller ones leave.
  const sizes = results.map(({ output }) => output.length).sort((left, right) => left - right);
  let left = resultsCharactersMax;
  let share = 0;
  for (const [index, size] of sizes.entries()) {
    share = Math.floor(left / (sizes.length - index));
    if (size > share) break;
    left -= size;
  }
  return results.map((result) =>
    result.output.length <= share ? result : { ...result, output: boundOutput(result.output, share) },
  );
}

type Sign = (text: string) => string;

function appendItem(messages: Message[], item: ConversationItem, wholeResults: Set<string>, sign: Sign): void {
  switch (item.type) {
    case "prompt":
      messages.push({
        role: "user",
        text: item.form === "steer" ? sign(steerReminder(item.text)) : item.text,
        ...(item.attachments !== undefined && { media: item.attachments }),
      });
      return;
    case "reminder":
      messages.push({ role: "user", text: sign(item.text) });
      return;
    case "answer":
      messages.push({ role: "assistant", content: item.content, model: item.model });
      return;
    case "report":
      for (const prompt of item.said) appendItem(messages, prompt, wholeResults, sign);
      messages.push({ role: "user", text: sign(rewoundReminder(item.report, item.files)) });
      return;
    case "record":
      messages.push({ role: "user", text: recordText(item.kind, item.text) });
      return;
    case "compaction":
      messages.push({
        role: "user",
        text: compactionText(item.summary, item.restored),
        ...(item.frames !== undefined && { media: item.frames }),
        ...(item.vendorHistory !== undefined && {
          instead: { history: item.vendorHistory, text: item.restored.join("\n\n") },
        }),
      });
      return;
    case "results":
      for (const { result, isWhole } of shownResults(item.results)) {
        const { callId, tool, output, outcome, media, foundTools } = result;
        if (isWhole) wholeResults.add(callId);
        messages.push({
          role: "tool",
          callId,
          tool,
          output: output.trim() === "" ? noOutput : output,
          isError: outcome !== "completed",
          ...(media !== undefined && { media }),
          // Any other call that made a tool callable has a result of its own to show.
          ...(isWhole && tool === toolSearchName && foundTools !== undefined && { foundTools }),
        });
      }
      return;
  }
}

/** Where a result was cleared, the text in its place; and all of them no longer than they may be together. */
function shownResults(results: readonly CallResult[]): { readonly result: CallResult; readonly isWhole: boolean }[] {
  const standing = results.map((result) =>
    result.cleared === undefined ? result : { ...result, output: result.cleared },
  );
  return withinBudget(standing).map((result, index) => ({ result, isWhole: result === results[index] }));
}
