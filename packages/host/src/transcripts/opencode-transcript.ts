/** Reads exports of OpenCode: one document with the session and its messages, each made of parts. */
import { type AssistantBlock, isJsonObject, type Media, withoutPlaceholder } from "@kedge/protocol";
import type { ConversationBuilder, ForeignParts, ForeignResult } from "./conversation-builder.ts";
import {
  inputTextOf,
  mediaOfUrl,
  objectOf,
  objectsOf,
  textOf,
  timeOf,
  toolNameOf,
  usageOf,
  usdOf,
} from "./foreign-fields.ts";
import type { SkipCounter } from "./import-types.ts";
import type { UnknownObject } from "./read-input.ts";

export function isOpencodeExport(value: unknown): value is UnknownObject {
  return isJsonObject(value) && isJsonObject(value["info"]) && Array.isArray(value["messages"]);
}

export function readOpencodeExport(file: UnknownObject, { open, skipped, now }: ForeignParts): ConversationBuilder {
  const info = objectOf(file["info"]);
  const time = timeOf(objectOf(info["time"])["created"]) ?? now();
  const builder = open({ sessionId: textOf(info["id"]), time });
  builder.title(textOf(info["title"]));
  for (const left of ["share", "permission"]) if (info[left] !== undefined) skipped.add(`${left} settings`);
  const messages = objectsOf(file["messages"]);
  const revertedFrom = textOf(objectOf(info["revert"])["messageID"]);
  const end = messages.findIndex((message) => revertedFrom !== "" && objectOf(message["info"])["id"] === revertedFrom);
  if (end !== -1) skipped.add("reverted messages", messages.length - end);
  for (const message of end === -1 ? messages : messages.slice(0, end)) {
    const about = objectOf(message["info"]);
    const telling = { builder, skipped, time: timeOf(objectOf(about["time"])["created"]) ?? time };
    if (about["role"] === "user") tellUser(objectsOf(message["parts"]), telling);
    else if (about["role"] === "assistant") tellAssistant(about, objectsOf(message["parts"]), telling);
    else skipped.add("messages of an unknown role");
  }
  return builder;
}

type Telling = { readonly builder: ConversationBuilder; readonly skipped: SkipCounter; readonly time: number };

function tellUser(parts: readonly UnknownObject[], { builder, skipped, time }: Telling): void {
  const texts: string[] = [];
  const notes: string[] = [];
  const media: Media[] = [];
  for (const part of parts) {
    if (part["type"] === "text" && part["ignored"] === true) skipped.add("texts not shown to the model");
    else if (part["type"] === "text") (part["synthetic"] === true ? notes : texts).push(textOf(part["text"]));
    else if (part["type"] === "file") media.push(...mediaOfUrl(part["url"], part["filename"], skipped));
    else if (part["type"] !== "compaction") skipped.add(`${partName(part)} parts`);
  }
  for (const text of notes) if (text !== "") builder.note({ text, time });
  const text = texts.filter((each) => each !== "").join("\n");
  if (text !== "" || media.length > 0) builder.prompt({ text, media, time });
}

function partName(part: UnknownObject): string {
  return textOf(part["type"]).slice(0, 60) || "unknown";
}

function tellAssistant(about: UnknownObject, parts: readonly UnknownObject[], telling: Telling): void {
  const { builder, skipped, time } = telling;
  if (about["summary"] === true) {
    const text = parts.flatMap((part) => (part["type"] === "text" ? [textOf(part["text"])] : [])).join("\n");
    if (withoutPlaceholder(text) !== "") builder.summary({ text, time });
    return;
  }
  if (about["error"] !== undefined) skipped.add("errors");
  const model = `${textOf(about["providerID"]) || "unknown"}/${textOf(about["modelID"]) || "unknown"}`;
  const id = textOf(about["id"]);
  let step = 0;
  let results: ForeignResult[] = [];
  const endStep = () => {
    for (const result of results) builder.result(result);
    results = [];
    step += 1;
  };
  for (const part of parts) {
    const key = `${id} ${step}`;
    if (part["type"] === "step-start") continue;
    if (part["type"] === "step-finish") {
      builder.answer({ model, blocks: [], time, key, ...spendingOf(part) });
      endStep();
      continue;
    }
    const blocks = answerBlocks(part, skipped);
    if (blocks.length === 0) continue;
    builder.answer({ model, blocks, time: timeOf(objectOf(part["time"])["start"]) ?? time, key });
    if (part["type"] === "tool") results.push(...resultOf(part, telling));
  }
  endStep();
}

function spendingOf(part: UnknownObject): Pick<Parameters<ConversationBuilder["answer"]>[0], "usage" | "cost"> {
  const tokens = objectOf(part["tokens"]);
  const cache = objectOf(tokens["cache"]);
  const { input, output, reasoning } = tokens;
  const usd = usdOf(part["cost"]);
  return {
    usage: usageOf({ input, output, reasoning, cacheRead: cache["read"], cacheWrite: cache["write"] }),
    ...(usd !== undefined && { cost: { usd, estimated: false } }),
  };
}

function answerBlocks(part: UnknownObject, skipped: SkipCounter): readonly AssistantBlock[] {
  const text = textOf(part["text"]);
  switch (part["type"]) {
    case "text":
      return withoutPlaceholder(text) === "" ? [] : [{ type: "text", text }];
    case "reasoning":
      return withoutPlaceholder(text) === "" ? [] : [{ type: "reasoning", text }];
    case "tool": {
      const inputText = inputTextOf(objectOf(part["state"])["input"]);
      return [{ type: "tool-call", callId: textOf(part["callID"]), tool: toolNameOf(part["tool"]), inputText }];
    }
    default:
      skipped.add(`${partName(part)} parts`);
      return [];
  }
}

function resultOf(part: UnknownObject, { skipped, time }: Telling): readonly ForeignResult[] {
  const state = objectOf(part["state"]);
  const ended = { callId: textOf(part["callID"]), time: timeOf(objectOf(state["time"])["end"]) ?? time };
  if (state["status"] === "error") return [{ ...ended, output: textOf(state["error"]), isError: true }];
  if (state["status"] !== "completed") return [];
  const media = objectsOf(state["attachments"]).flatMap(({ url, filename }) => mediaOfUrl(url, filename, skipped));
  const title = textOf(state["title"]);
  const output = textOf(state["output"]);
  return [{ ...ended, output, isError: false, media, ...(title !== "" && { title }) }];
}
