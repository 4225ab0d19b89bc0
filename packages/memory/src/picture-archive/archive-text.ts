/** Writes the part of a conversation that is to be printed: who spoke, what was called, what came back, all cut short. */
import {
  type AssistantBlock,
  type CallResult,
  type ConversationItem,
  parseCallInput,
  type ToolCallBlock,
} from "@kedge/protocol";
import { cleanSecretless } from "./clean-text.ts";
import { tagged, tags } from "./tags.ts";
import { withoutMiddle } from "./without-middle.ts";

export type ArchiveCaps = {
  readonly resultCharactersMax: number;
  /** Of one value in the input of a call. */
  readonly valueCharactersMax: number;
  readonly callCharactersMax: number;
};

export const defaultArchiveCaps: ArchiveCaps = {
  resultCharactersMax: 2_000,
  valueCharactersMax: 500,
  callCharactersMax: 2_000,
};

const promptCharactersMax = 40_000;
const textCharactersMax = 12_000;

export type ArchiveTextOptions = {
  readonly caps?: ArchiveCaps;
  /** A text is cut after it was redacted: half a secret would not be found. */
  readonly redact: (text: string) => string;
};

export function archiveText(items: readonly ConversationItem[], options: ArchiveTextOptions): string {
  const write = createWriter(options);
  const lines: string[] = [];
  for (const [index, item] of items.entries()) {
    const next = items[index + 1];
    lines.push(...write(item, next?.type === "results" ? next.results : []));
  }
  return lines.join("\n");
}

function createWriter({ caps = defaultArchiveCaps, redact }: ArchiveTextOptions) {
  const cut = (text: string, charactersMax: number) => withoutMiddle(cleanSecretless(text, redact), charactersMax);

  const spoken = ({
    text,
    attachments = [],
  }: Pick<Extract<ConversationItem, { type: "prompt" }>, "text" | "attachments">) => {
    const names = attachments.map(({ name }) => `\n(attached: ${redact(name)})`).join("");
    return tagged(tags.user, cut(text, promptCharactersMax) + names);
  };

  const called = ({ tool, inputText }: ToolCallBlock) => {
    const { valueCharactersMax, callCharactersMax } = caps;
    const input = parseCallInput(inputText);
    const written =
      input === undefined
        ? cut(inputText, callCharactersMax)
        : Object.entries(input)
            .map(
              ([name, value]) =>
                `${name}=${cut(typeof value === "string" ? value : JSON.stringify(value), valueCharactersMax)}`,
            )
            .join(" ");
    return tagged(tags.call, withoutMiddle(`${tool} ${written}`, callCharactersMax));
  };

  const result = ({ outcome, output, cleared }: CallResult) => {
    const text = cleared === undefined ? cut(output, caps.resultCharactersMax) : "no longer shown";
    return tagged(tags.result, text, outcome === "completed" ? undefined : outcome);
  };

  const block = (part: AssistantBlock, results: readonly CallResult[]): readonly string[] => {
    switch (part.type) {
      case "text":
        return part.text.trim() === "" ? [] : [tagged(tags.agent, cut(part.text, textCharactersMax))];
      case "reasoning":
        return part.text.trim() === "" ? [] : [tagged(tags.think, cut(part.text, textCharactersMax))];
      case "tool-call": {
        const found = results.find(({ callId }) => callId === part.callId);
        if (found?.useless) return [];
        return found === undefined ? [called(part)] : [called(part), result(found)];
      }
      case "vendor":
        return [];
    }
  };

  return (item: ConversationItem, results: readonly CallResult[]): readonly string[] => {
    switch (item.type) {
      case "prompt":
        return [spoken(item)];
      case "answer":
        return item.content.flatMap((part) => block(part, results));
      case "report":
        return [...item.said.map(spoken), tagged(tags.record, cut(item.report, textCharactersMax), "report")];
      case "record":
        return [tagged(tags.record, cut(item.text, textCharactersMax), item.kind)];
      case "reminder":
      case "results":
      case "compaction":
        return [];
    }
  };
}
