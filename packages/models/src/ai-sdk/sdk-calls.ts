/** The tool calls of an AI SDK answer, some of which wait for its end to tell whether they are whole. */
import type { ModelEvent, ToolCallBlock } from "@kedge/protocol";
import { namelessTool } from "../wire/nameless-tool.ts";
import { type JsonMembers, parseJsonObject, stringOf } from "../wire/vendor-json.ts";

export type SdkCalls = {
  readonly announce: (part: JsonMembers) => void;
  readonly addInput: (part: JsonMembers) => readonly ModelEvent[];
  readonly add: (part: JsonMembers, signature: string | undefined) => readonly ModelEvent[];
  /** Those that waited. */
  readonly finish: (options: { readonly isCutOff: boolean }) => readonly ModelEvent[];
  readonly count: () => number;
};

const nothing: readonly ModelEvent[] = [];

export function createSdkCalls(): SdkCalls {
  const toolOfCall = new Map<string, string>();
  /** Calls whose input is not whole by itself, and those behind them: only the end tells whether the answer was cut off. */
  let held: ToolCallBlock[] = [];
  let count = 0;
  return {
    announce(part) {
      toolOfCall.set(stringOf(part["id"]), stringOf(part["toolName"]));
    },
    addInput(part) {
      const callId = stringOf(part["id"]);
      const tool = toolOfCall.get(callId);
      const text = stringOf(part["delta"]);
      return tool === undefined || text === "" ? nothing : [{ type: "tool-input-delta", callId, tool, text }];
    },
    add(part, signature) {
      const input = stringOf(part["input"]);
      const call: ToolCallBlock = {
        type: "tool-call",
        callId: stringOf(part["toolCallId"]),
        tool: stringOf(part["toolName"]) || namelessTool,
        inputText: input.trim() === "" ? "" : input,
        ...(signature !== undefined && { signature }),
      };
      count++;
      if (held.length === 0 && parseJsonObject(call.inputText) !== undefined) return [{ type: "tool-call", call }];
      held.push(call);
      return nothing;
    },
    finish({ isCutOff }) {
      const calls = held.map((call): ModelEvent => {
        const isWhole = !isCutOff || parseJsonObject(call.inputText) !== undefined;
        const inputText = call.inputText === "" && isWhole ? "{}" : call.inputText;
        return { type: "tool-call", call: isWhole ? { ...call, inputText } : { ...call, incomplete: true } };
      });
      held = [];
      return calls;
    },
    count: () => count,
  };
}
