/** Writes the part of a conversation that is to be summed up as plain text, without what nobody needs again. */
import { type AssistantBlock, type CallResult, type ConversationItem, type Media, toolCalls } from "@kedge/protocol";
import { boundOutput } from "../call/text/bound-output.ts";

const promptCharactersMax = 40_000;
const textCharactersMax = 12_000;
const inputCharactersMax = 1_500;
const resultCharactersMax = 3_000;

/** One text for each message of the user and for each answer with its results, in order; an earlier summary is not among them. */
export function serialise(items: readonly ConversationItem[]): readonly string[] {
  const groups: string[] = [];
  for (const [index, item] of items.entries()) {
    const next = items[index + 1];
    const text = textOf(item, next?.type === "results" ? next.results : []);
    if (text !== "") groups.push(text);
  }
  return groups;
}

function textOf(item: ConversationItem, results: readonly CallResult[]): string {
  switch (item.type) {
    case "prompt":
      return promptText(item);
    case "answer":
      return answerText(item.content, results);
    case "report":
      return [
        ...item.said.map(promptText),
        `[Report of the agent]: ${boundOutput(item.report, textCharactersMax)}`,
      ].join("\n\n");
    case "record":
      return `[Record, ${item.kind}]: ${boundOutput(item.text, textCharactersMax)}`;
    case "reminder":
    case "results":
    case "compaction":
      return "";
  }
}

function promptText({ text, attachments = [] }: { readonly text: string; readonly attachments?: readonly Media[] }) {
  const names = attachments.map(({ name }) => `\n[attached: ${name}]`).join("");
  return `[User]: ${boundOutput(text, promptCharactersMax)}${names}`;
}

function answerText(content: readonly AssistantBlock[], results: readonly CallResult[]): string {
  const said = content.flatMap((block) => (block.type === "text" && block.text.trim() !== "" ? [block.text] : []));
  const byCall = new Map(results.map((result) => [result.callId, result]));
  const calls = toolCalls(content).flatMap(({ callId, tool, inputText }) => {
    const result = byCall.get(callId);
    if (result?.useless) return [];
    const called = `[Call]: ${tool} ${boundOutput(inputText, inputCharactersMax)}`;
    return result === undefined ? [called] : [called, resultText(result)];
  });
  const spoken = said.length === 0 ? [] : [`[Agent]: ${boundOutput(said.join("\n"), textCharactersMax)}`];
  return [...spoken, ...calls].join("\n");
}

function resultText({ outcome, output, cleared }: CallResult): string {
  const label = outcome === "completed" ? "[Result]" : `[Result, ${outcome}]`;
  if (cleared !== undefined) return `${label}: no longer shown`;
  return `${label}: ${boundOutput(output, resultCharactersMax)}`;
}
