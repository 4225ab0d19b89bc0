/** What an answer drew on: files and addresses that were read since the last prompt. */
import { type AssistantBlock, isJsonObject, parseJson, type SessionState } from "@kedge/protocol";

const sourcesMax = 20;
const readingTools: ReadonlySet<string> = new Set(["read", "webfetch"]);

/** Each once, in the order in which they were read. */
export function answerSources({ items }: Pick<SessionState, "items">): readonly string[] {
  const start = items.findLastIndex(({ type }) => type === "prompt");
  const sources = items
    .slice(start + 1)
    .flatMap((item) => (item.type === "answer" ? item.content.flatMap(sourceOf) : []));
  return [...new Set(sources)].slice(0, sourcesMax);
}

function sourceOf(block: AssistantBlock): readonly string[] {
  if (block.type !== "tool-call" || !readingTools.has(block.tool)) return [];
  const input = parseJson(block.inputText);
  const named = isJsonObject(input) ? (input["filePath"] ?? input["url"]) : undefined;
  return typeof named === "string" ? [named] : [];
}
