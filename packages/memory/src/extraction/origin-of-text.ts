/** Who said what a model wants remembered: told from the conversation it was taken from, never from the text itself. */
import type { ConversationItem } from "@kedge/protocol";
import { keywordsOf } from "../topics/knowledge/keywords.ts";
import type { TopicOrigin } from "../topics/topic/topic.ts";

/** From this share of words on that only results of tools have, the text comes from them. */
const foreignShareMin = 0.3;
const wordsMin = 2;

/**
 * Either waits for the user unless the settings say otherwise; the difference is what the user is told. Words that the
 * user said as well are the user's.
 */
export function originOfText(
  text: string,
  items: readonly ConversationItem[],
): Extract<TopicOrigin, "agent-inferred" | "tool-derived"> {
  const words = [...keywordsOf(text)];
  const said = wordsIn(items.flatMap((item) => (item.type === "prompt" ? [item.text] : [])));
  const read = wordsIn(
    items.flatMap((item) => (item.type === "results" ? item.results.map(({ output }) => output) : [])),
  );
  const foreign = words.filter((word) => read.has(word) && !said.has(word)).length;
  return foreign >= wordsMin && foreign / words.length >= foreignShareMin ? "tool-derived" : "agent-inferred";
}

/** Line by line, because of one text only so many words are taken. */
function wordsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.split("\n").flatMap((line) => [...keywordsOf(line)])));
}
