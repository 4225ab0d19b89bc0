/** Writes a request as the call options of the AI SDK's language models. */
import {
  type AssistantBlock,
  type Effort,
  isJsonObject,
  type Media,
  type Message,
  type Model,
  type ModelRequest,
  type VendorBlock,
} from "@kedge/protocol";
import { createNormaliser } from "../conversation/normalise.ts";
import { parseJsonObject, returnedInput } from "../wire/vendor-json.ts";
import type {
  AssistantPart,
  CallOptions,
  FilePart,
  PromptMessage,
  ResultOutput,
  SdkReasoning,
  Specification,
  VendorMembers,
} from "./language-model.ts";

/** Vendors reject a tool result without text. */
const emptyToolOutput = "(no output)";

/** Every package reads the mark of its own vendor and leaves the others alone. */
const cacheMark: VendorMembers = {
  amazonBedrock: { cachePoint: { type: "default" } },
  anthropic: { cacheControl: { type: "ephemeral" } },
};

export type PromptWriter = (request: ModelRequest, specification: Specification, signal: AbortSignal) => CallOptions;

/** A message is converted once; what is sent again is the same objects. */
export function createPromptWriter(): PromptWriter {
  const normalise = createNormaliser({ alternates: false, mediaInResults: "when-capable" });
  const known = new WeakMap<Message, PromptMessage>();

  function convertOnce(message: Message, specification: Specification): PromptMessage {
    const converted = known.get(message) ?? convertMessage(message, specification);
    known.set(message, converted);
    return converted;
  }

  return (request, specification, signal) => {
    const prompt = [...systemMessages(request)];
    for (const message of normalise(request)) appendMessage(prompt, convertOnce(message, specification));
    const last = prompt.at(-1);
    if (last !== undefined && marksCache(request.model))
      prompt[prompt.length - 1] = { ...last, providerOptions: cacheMark };
    const reasoning = reasoningOf(request);
    const thinks = reasoning !== undefined && reasoning !== "none";
    const { temperature } = request.model;
    return {
      prompt,
      maxOutputTokens: request.outputTokensMax,
      ...(temperature !== undefined && !thinks && { temperature }),
      ...(reasoning !== undefined && specification === "v4" && { reasoning }),
      ...(request.tools.length > 0 && {
        tools: request.tools.map(({ name, description, inputSchema }) => ({
          type: "function" as const,
          name,
          description,
          inputSchema,
        })),
        ...toolChoiceOption(request),
      }),
      headers: { ...request.headers, "x-client-request-id": request.requestId },
      abortSignal: signal,
    };
  };
}

function toolChoiceOption({ toolChoice }: ModelRequest): Pick<CallOptions, "toolChoice"> {
  if (toolChoice === undefined) return {};
  if ("tool" in toolChoice) return { toolChoice: { type: "tool", toolName: toolChoice.tool } };
  return { toolChoice: { type: toolChoice.use } };
}

function systemMessages({ system, systemTail, model }: ModelRequest): readonly PromptMessage[] {
  const content = [system, systemTail ?? ""].filter((text) => text !== "").join("\n\n");
  if (content === "") return [];
  return [{ role: "system", content, ...(marksCache(model) && { providerOptions: cacheMark }) }];
}

/** Some packages make one turn of each message, and vendors want all results of one answer in one turn. */
function appendMessage(prompt: PromptMessage[], next: PromptMessage): void {
  const last = prompt.at(-1);
  if (last?.role === "tool" && next.role === "tool")
    prompt[prompt.length - 1] = { role: "tool", content: [...last.content, ...next.content] };
  else prompt.push(next);
}

function convertMessage(message: Message, specification: Specification): PromptMessage {
  switch (message.role) {
    case "user": {
      const files = (message.media ?? []).map((media) => filePart(media, specification));
      const isText = message.text !== "" || files.length === 0;
      return { role: "user", content: [...(isText ? [{ type: "text", text: message.text } as const] : []), ...files] };
    }
    case "assistant":
      return { role: "assistant", content: message.content.flatMap(assistantParts) };
    case "tool": {
      const { callId: toolCallId, tool: toolName } = message;
      const output = resultOutput(message, specification);
      return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
    }
  }
}

function filePart({ name, mediaType, base64 }: Media, specification: Specification): FilePart {
  const data = specification === "v4" ? ({ type: "data", data: base64 } as const) : base64;
  return { type: "file", filename: name, mediaType, data };
}

function resultOutput(
  { output, isError, media = [] }: Extract<Message, { role: "tool" }>,
  specification: Specification,
): ResultOutput {
  const text = output === "" ? emptyToolOutput : output;
  if (media.length === 0) return { type: isError ? "error-text" : "text", value: text };
  const files = media.map((item) => filePart(item, specification));
  // The older specification has another name for a file inside a result.
  const named = specification === "v4" ? files : files.map((file) => ({ ...file, type: "file-data" }));
  return { type: "content", value: [{ type: "text", text }, ...named] };
}

function assistantParts(block: AssistantBlock): readonly AssistantPart[] {
  switch (block.type) {
    case "text":
    case "reasoning":
      return [{ type: block.type, text: block.text, ...returned(block.signature) }];
    case "tool-call": {
      const input = parseJsonObject(returnedInput(block) ?? "") ?? {};
      const { callId: toolCallId, tool: toolName } = block;
      return [{ type: "tool-call", toolCallId, toolName, input, ...returned(block.signature) }];
    }
    case "vendor":
      return vendorParts(block);
  }
}

function returned(signature: string | undefined): { readonly providerOptions?: VendorMembers } {
  const members = signature === undefined ? undefined : parseJsonObject(signature);
  return members === undefined ? {} : { providerOptions: members };
}

/** Such a block holds a part of a stream as it came, whose members the prompt names a little differently. */
function vendorParts({ json }: VendorBlock): readonly AssistantPart[] {
  const part = parseJsonObject(json) ?? {};
  const { toolCallId, toolName, kind } = part;
  const metadata = isJsonObject(part["providerMetadata"]) ? { providerOptions: part["providerMetadata"] } : {};
  if (part["type"] === "custom" && typeof kind === "string") return [{ type: "custom", kind, ...metadata }];
  if (typeof toolCallId !== "string" || typeof toolName !== "string") return [];
  const named = { toolCallId, toolName, ...metadata };
  if (part["type"] === "tool-result")
    return [{ type: "tool-result", ...named, output: { type: "json", value: part["result"] ?? null } }];
  const input = typeof part["input"] === "string" ? (parseJsonObject(part["input"]) ?? {}) : {};
  return [{ type: "tool-call", ...named, input, providerExecuted: true }];
}

function marksCache(model: Model): boolean {
  return model.capabilities?.cacheMarks === true;
}

const reasoningOfEffort: { readonly [effort in Effort]: SdkReasoning } = {
  off: "none",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  max: "xhigh",
};

/** The share of an answer that packages give to a level where their vendor wants a number of tokens. */
const shareOfLevel: readonly (readonly [SdkReasoning, number])[] = [
  ["minimal", 0.02],
  ["low", 0.1],
  ["medium", 0.3],
  ["high", 0.6],
];

/** Undefined leaves it to the model. */
function reasoningOf({ reasoning, model, outputTokensMax }: ModelRequest): SdkReasoning | undefined {
  const control = model.capabilities?.reasoning ?? "none";
  if (reasoning === undefined || control === "none") return undefined;
  const { effort, tokensMax } = reasoning;
  if (tokensMax === 0) return "none";
  if (effort !== undefined) return reasoningOfEffort[effort];
  if (tokensMax === undefined) return undefined;
  return shareOfLevel.find(([, share]) => tokensMax <= share * outputTokensMax)?.[0] ?? "xhigh";
}
