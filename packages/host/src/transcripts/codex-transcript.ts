/** Reads rollouts of Codex: the items of its requests and answers, one per line, among events that repeat them. */
import { type Media, withoutPlaceholder } from "@kedge/protocol";
import type { ConversationBuilder, ForeignParts } from "./conversation-builder.ts";
import { inputTextOf, mediaOfUrl, objectOf, objectsOf, textOf, timeOf, toolNameOf, usageOf } from "./foreign-fields.ts";
import type { SkipCounter } from "./import-types.ts";
import { parseObject } from "./journal-row.ts";
import type { UnknownObject } from "./read-input.ts";

const lineTypes: ReadonlySet<unknown> = new Set([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "compacted",
]);
const itemTypes: ReadonlySet<unknown> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "local_shell_call",
]);
/** What the program itself put where the user's words stand. */
const ownTexts =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|turn_aborted)\b|# AGENTS\.md instructions)/;

export function isCodexLine(line: UnknownObject): boolean {
  if (lineTypes.has(line["type"])) return typeof line["payload"] === "object";
  return itemTypes.has(line["type"]) || (typeof line["id"] === "string" && "instructions" in line);
}

export async function readCodexTranscript(
  lines: AsyncIterable<UnknownObject>,
  { open, skipped, now }: ForeignParts,
): Promise<ConversationBuilder> {
  let builder: ConversationBuilder | undefined;
  let model = "openai/unknown";
  let time: number | undefined;
  for await (const line of lines) {
    time = timeOf(line["timestamp"]) ?? time ?? now();
    // Early versions wrote the items bare, after a first line that has no type.
    const isWrapped = lineTypes.has(line["type"]);
    const payload = isWrapped ? objectOf(line["payload"]) : line;
    const isSessionLine = line["type"] === "session_meta" || (line["type"] === undefined && "id" in line);
    builder ??= open({ sessionId: isSessionLine ? textOf(payload["id"]) : "", time });
    if (isSessionLine) continue;
    switch (isWrapped ? line["type"] : "response_item") {
      case "turn_context":
        model = textOf(payload["model"]) === "" ? model : `openai/${textOf(payload["model"])}`;
        break;
      case "event_msg":
        tellUsage(payload, builder);
        break;
      case "compacted":
        if (textOf(payload["message"]) !== "") builder.summary({ text: textOf(payload["message"]), time });
        break;
      default:
        tellItem(payload, { builder, skipped, model, time });
    }
  }
  return builder ?? open({ sessionId: "", time: now() });
}

/** The other events repeat what the items say. */
function tellUsage(event: UnknownObject, builder: ConversationBuilder): void {
  if (event["type"] !== "token_count") return;
  const counts = objectOf(objectOf(event["info"])["last_token_usage"]);
  const cached = counts["cached_input_tokens"];
  const input = typeof counts["input_tokens"] === "number" ? counts["input_tokens"] : 0;
  builder.usage(
    usageOf({
      input: typeof cached === "number" ? input - cached : input,
      output: counts["output_tokens"],
      reasoning: counts["reasoning_output_tokens"],
      cacheRead: cached,
      cacheWrite: 0,
    }),
  );
}

type Telling = {
  readonly builder: ConversationBuilder;
  readonly skipped: SkipCounter;
  readonly model: string;
  readonly time: number;
};

function tellItem(item: UnknownObject, telling: Telling): void {
  const { builder, skipped, model, time } = telling;
  const callId = textOf(item["call_id"]) || textOf(item["id"]);
  const call = (tool: string, inputText: string) =>
    builder.answer({ model, time, blocks: [{ type: "tool-call", callId, tool, inputText }] });
  switch (item["type"]) {
    case "message":
      tellMessage(item, telling);
      return;
    case "reasoning": {
      const text = [...objectsOf(item["summary"]), ...objectsOf(item["content"])]
        .map((each) => textOf(each["text"]))
        .join("\n");
      if (withoutPlaceholder(text) === "") skipped.add("thoughts without a text");
      else builder.answer({ model, time, blocks: [{ type: "reasoning", text }] });
      return;
    }
    case "function_call":
      call(toolNameOf(item["name"]), inputTextOf(item["arguments"]));
      return;
    case "custom_tool_call":
      call(toolNameOf(item["name"]), JSON.stringify({ input: textOf(item["input"]) }));
      return;
    case "local_shell_call":
      call("local_shell", inputTextOf(item["action"]));
      return;
    case "function_call_output":
    case "custom_tool_call_output":
      builder.result({ callId, ...outputOf(item["output"], skipped), time });
      return;
    default:
      skipped.add(`${textOf(item["type"]).slice(0, 60) || "unknown"} items`);
  }
}

function tellMessage(item: UnknownObject, { builder, skipped, model, time }: Telling): void {
  const parts = objectsOf(item["content"]);
  const text = parts
    .map((part) => textOf(part["text"]))
    .filter((each) => each !== "")
    .join("\n");
  switch (item["role"]) {
    case "assistant":
      if (withoutPlaceholder(text) !== "") builder.answer({ model, time, blocks: [{ type: "text", text }] });
      return;
    case "user": {
      if (ownTexts.test(text)) {
        skipped.add("instructions of the program itself");
        return;
      }
      const media = pictures(parts, skipped);
      if (text !== "" || media.length > 0) builder.prompt({ text, media, time });
      return;
    }
    default:
      skipped.add("instructions of the program itself");
  }
}

function pictures(parts: readonly UnknownObject[], skipped: SkipCounter): readonly Media[] {
  return parts.flatMap((part) => (part["type"] === "input_image" ? mediaOfUrl(part["image_url"], "", skipped) : []));
}

type Output = { readonly output: string; readonly isError: boolean; readonly media?: readonly Media[] };

/** A text, a list of parts, or a text that is JSON with the output and the exit code in it. */
function outputOf(value: unknown, skipped: SkipCounter): Output {
  if (Array.isArray(value)) {
    const parts = objectsOf(value);
    return {
      output: parts.map((part) => textOf(part["text"])).join("\n"),
      isError: false,
      media: pictures(parts, skipped),
    };
  }
  if (typeof value !== "string") {
    const { content, success } = objectOf(value);
    return { output: textOf(content), isError: success === false };
  }
  const parsed = parseObject(value);
  if (typeof parsed?.["output"] !== "string") return { output: value, isError: false };
  const exitCode = objectOf(parsed["metadata"])["exit_code"];
  return { output: parsed["output"], isError: typeof exitCode === "number" && exitCode !== 0 };
}
