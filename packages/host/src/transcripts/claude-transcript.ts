/** Reads transcripts of Claude Code: one entry per line, linked to the one before it by `parentUuid`. */
import { type AssistantBlock, type Media, withoutPlaceholder } from "@kedge/protocol";
import type { ConversationBuilder, ForeignParts } from "./conversation-builder.ts";
import { inputTextOf, mediaOf, objectOf, objectsOf, textOf, timeOf, toolNameOf, usageOf } from "./foreign-fields.ts";
import type { SkipCounter } from "./import-types.ts";
import type { UnknownObject } from "./read-input.ts";

const conversationTypes: ReadonlySet<unknown> = new Set(["user", "assistant", "system"]);

export function isClaudeLine(line: UnknownObject): boolean {
  if (line["type"] === "summary") return "leafUuid" in line;
  return typeof line["type"] === "string" && typeof line["sessionId"] === "string" && !("payload" in line);
}

type Entry = {
  readonly uuid: string;
  readonly parent: string;
  readonly time: number;
  readonly line: UnknownObject;
};

/** All of the conversation is needed before any of it can be told, because branches are known by their ends. */
export async function readClaudeTranscript(
  lines: AsyncIterable<UnknownObject>,
  { open, skipped, now }: ForeignParts,
): Promise<ConversationBuilder> {
  const entries: Entry[] = [];
  let title = "";
  let sessionId = "";
  for await (const line of lines) {
    const { type } = line;
    sessionId ||= textOf(line["sessionId"]);
    if (type === "summary") title ||= textOf(line["summary"]);
    else if (type === "custom-title") title = textOf(line["customTitle"]) || title;
    else if (type === "ai-title") title ||= textOf(line["aiTitle"]);
    else if (!conversationTypes.has(type) || typeof line["uuid"] !== "string") skipped.add(`${nameOf(type)} entries`);
    else if (line["isSidechain"] === true) skipped.add("entries of side conversations");
    else {
      const time = timeOf(line["timestamp"]) ?? entries.at(-1)?.time ?? now();
      const parent = textOf(line["parentUuid"]) || textOf(line["logicalParentUuid"]);
      entries.push({ uuid: line["uuid"], parent, time, line });
    }
  }
  const builder = open({ sessionId, time: entries[0]?.time ?? now() });
  builder.title(title);
  const path = entriesOfPath(entries);
  if (path.length < entries.length) skipped.add("entries of other branches", entries.length - path.length);
  for (const entry of path) tell(entry, builder, skipped);
  return builder;
}

function nameOf(type: unknown): string {
  return textOf(type).slice(0, 60) || "unknown";
}

/**
 * The way from the last entry to the root. Calls that ran side by side hang at each other, so that pieces of an answer
 * on the way and results of its calls belong to it wherever they hang.
 */
function entriesOfPath(entries: readonly Entry[]): readonly Entry[] {
  const byId = new Map(entries.map((entry) => [entry.uuid, entry]));
  const path = new Set<Entry>();
  const last = entries.findLast(({ line }) => line["type"] !== "system");
  for (let at = last; at !== undefined && !path.has(at); at = byId.get(at.parent)) path.add(at);
  const answers = new Set([...path].map(answerId).filter((id) => id !== ""));
  const own = new Set(entries.filter((entry) => path.has(entry) || answers.has(answerId(entry))));
  return entries.filter((entry) => {
    const parent = byId.get(entry.parent);
    return own.has(entry) || (parent !== undefined && own.has(parent) && hasOnlyResults(entry));
  });
}

function answerId({ line }: Entry): string {
  return line["type"] === "assistant" ? textOf(objectOf(line["message"])["id"]) : "";
}

function hasOnlyResults({ line }: Entry): boolean {
  const blocks = objectsOf(objectOf(line["message"])["content"]);
  return line["type"] === "user" && blocks.length > 0 && blocks.every(({ type }) => type === "tool_result");
}

function tell({ line, time, uuid }: Entry, builder: ConversationBuilder, skipped: SkipCounter): void {
  const message = objectOf(line["message"]);
  switch (line["type"]) {
    case "assistant":
      tellAnswer(message, { builder, skipped, time, uuid });
      return;
    case "user":
      if (line["isCompactSummary"] === true) {
        builder.summary({ text: userText(message["content"]), time });
        return;
      }
      if (line["isMeta"] === true) skipped.add("entries that are not part of the conversation");
      else tellUser(message["content"], { builder, skipped, time });
      return;
    default:
      if (line["subtype"] !== "compact_boundary") skipped.add("system entries");
  }
}

type Telling = { readonly builder: ConversationBuilder; readonly skipped: SkipCounter; readonly time: number };

function tellAnswer(message: UnknownObject, telling: Telling & { readonly uuid: string }): void {
  const { builder, skipped, time, uuid } = telling;
  const model = textOf(message["model"]);
  if (model === "<synthetic>") {
    skipped.add("messages of the program itself");
    return;
  }
  const usage = objectOf(message["usage"]);
  builder.answer({
    model: `anthropic/${model || "unknown"}`,
    blocks: contentBlocks(message["content"]).flatMap((block) => answerBlock(block, skipped)),
    time,
    key: textOf(message["id"]) || uuid,
    usage: usageOf({
      input: usage["input_tokens"],
      output: usage["output_tokens"],
      reasoning: 0,
      cacheRead: usage["cache_read_input_tokens"],
      cacheWrite: usage["cache_creation_input_tokens"],
    }),
  });
}

function contentBlocks(content: unknown): readonly UnknownObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

/** Signatures are left behind: they are sent to their vendor unread, and nobody vouches for this file. */
function answerBlock(block: UnknownObject, skipped: SkipCounter): readonly AssistantBlock[] {
  switch (block["type"]) {
    case "text":
      return withoutPlaceholder(textOf(block["text"])) === "" ? [] : [{ type: "text", text: textOf(block["text"]) }];
    case "thinking":
      return withoutPlaceholder(textOf(block["thinking"])) === ""
        ? []
        : [{ type: "reasoning", text: textOf(block["thinking"]) }];
    case "tool_use": {
      const inputText = inputTextOf(block["input"]);
      return [{ type: "tool-call", callId: textOf(block["id"]), tool: toolNameOf(block["name"]), inputText }];
    }
    default:
      skipped.add(`${nameOf(block["type"])} blocks`);
      return [];
  }
}

function tellUser(content: unknown, { builder, skipped, time }: Telling): void {
  const media: Media[] = [];
  for (const block of contentBlocks(content)) {
    if (block["type"] === "tool_result") {
      const isError = block["is_error"] === true;
      const inner = contentBlocks(block["content"]);
      const pictures = inner.flatMap((each) => pictureOf(each, skipped));
      const output = userText(block["content"]);
      builder.result({ callId: textOf(block["tool_use_id"]), output, isError, time, media: pictures });
    } else media.push(...pictureOf(block, skipped));
  }
  const text = userText(content);
  if (text !== "" || media.length > 0) builder.prompt({ text, media, time });
}

function userText(content: unknown): string {
  const texts = contentBlocks(content).flatMap(({ type, text }) => (type === "text" ? [textOf(text)] : []));
  return texts.filter((text) => text !== "").join("\n");
}

function pictureOf(block: UnknownObject, skipped: SkipCounter): readonly Media[] {
  if (block["type"] !== "image" && block["type"] !== "document") return [];
  const source = objectOf(block["source"]);
  return mediaOf({ name: block["title"], mediaType: source["media_type"], base64: source["data"] }, skipped);
}
