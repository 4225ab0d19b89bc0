/** What a request looks like on the Messages wire. */
import type { ModelRequest } from "@kedge/protocol";
import type { BodyEncoding } from "../wire/request-body.ts";
import type { ResultGroups } from "../wire/result-groups.ts";
import { encodeMessage, isBlank, textBlock } from "./anthropic-message.ts";
import { thinkingMembers } from "./anthropic-thinking.ts";
import { createToolReferences, type ToolReferences } from "./tool-references.ts";

/** How long the vendor keeps what it has read; `off` asks it to keep nothing. */
export type CacheTtl = "5m" | "1h" | "off";

/** Tools whose names begin so come from servers that may change them at any time, and stand after all others. */
const foreignToolPrefix = "mcp__";

/** The members stand in the order in which the vendor caches them: tools, system text, messages. */
export function createAnthropicEncoding(
  resultsOf: ResultGroups["resultsOf"],
  cacheTtl: CacheTtl,
  references: ToolReferences = createToolReferences(resultsOf),
): BodyEncoding {
  return {
    head: (request, toolsText) =>
      `{"model":${JSON.stringify(request.model.id)},${toolsText}${encodeSystem(request, cacheMark(request, cacheTtl))}"messages":[`,
    leadingMessage: () => undefined,
    tools: (request) => encodeTools(request, cacheMark(request, cacheTtl), references.referred(request)),
    message: (message, request) => encodeMessage(message, resultsOf, (result) => references.blocks(result, request)),
    closing: (request) => {
      const thinking = thinkingMembers(request);
      const members = {
        max_tokens: request.outputTokensMax,
        stream: request.whole !== true,
        ...thinking,
        ...toolChoiceMembers(request, { thinks: "thinking" in thinking }),
        ...cacheMark(request, cacheTtl),
      };
      return `],${JSON.stringify(members).slice(1)}`;
    },
  };
}

const toolUses = { auto: "auto", required: "any", none: "none" } as const;

/** The vendor rejects a forced call from a model that thinks: there the choice stays open and the answer is checked. */
function toolChoiceMembers({ tools, toolChoice }: ModelRequest, { thinks }: { readonly thinks: boolean }): object {
  if (toolChoice === undefined || tools.length === 0) return {};
  const isForced = "tool" in toolChoice || toolChoice.use === "required";
  const choice =
    isForced && thinks
      ? { type: "auto" }
      : "tool" in toolChoice
        ? { type: "tool", name: toolChoice.tool }
        : { type: toolUses[toolChoice.use] };
  const mayCall = choice.type !== "none";
  return {
    tool_choice: { ...choice, ...(toolChoice.parallel === false && mayCall && { disable_parallel_tool_use: true }) },
  };
}

/**
 * Marks the end of a stretch that the vendor is to keep. There are four, as many as it allows: after the tools, after
 * each part of the system text, and among the closing members, where the mark stands for one on the last message. On
 * that message itself it would have to be taken away on the next turn, and bytes sent before would change.
 */
function cacheMark({ model, source }: ModelRequest, cacheTtl: CacheTtl): object {
  if (cacheTtl === "off" || model.capabilities?.cacheMarks === false) return {};
  // Keeping for an hour costs twice, which pays only where a person comes back to the conversation.
  const isLong = cacheTtl === "1h" && source !== "background";
  return { cache_control: { type: "ephemeral", ...(isLong && { ttl: "1h" }) } };
}

function encodeSystem({ system, systemTail = "" }: ModelRequest, mark: object): string {
  const blocks = [system, systemTail].filter((text) => !isBlank(text)).map((text) => ({ ...textBlock(text), ...mark }));
  return blocks.length === 0 ? "" : `"system":${JSON.stringify(blocks)},`;
}

/** The vendor leaves tools that are referred to out of what it caches, and takes no mark on one. */
function encodeTools({ tools, serverTools = [] }: ModelRequest, mark: object, referred: ReadonlySet<string>): string {
  if (tools.length + serverTools.length === 0) return "";
  const lastOwn = tools.findLastIndex(({ name }) => !name.startsWith(foreignToolPrefix) && !referred.has(name));
  const marked = lastOwn === -1 ? tools.findLastIndex(({ name }) => !referred.has(name)) : lastOwn;
  const declared = [
    ...tools.map((tool, index) => ({
      name: tool.name,
      description: tool.description,
      input_schema: tool.inputSchema,
      ...(index === marked ? mark : {}),
      ...(referred.has(tool.name) ? { defer_loading: true } : {}),
    })),
    ...serverTools.map((tool) => ({ type: "web_search_20250305", name: tool.name, max_uses: tool.usesMax })),
  ];
  return `"tools":${JSON.stringify(declared)},`;
}
