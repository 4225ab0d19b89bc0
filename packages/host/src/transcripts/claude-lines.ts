/** A headless run as lines that clients of the Claude Agent SDK read: `system`, `assistant`, `user` and `result`. */
import { dialects } from "@kedge/extend/hooks";
import {
  type AssistantBlock,
  type FactOf,
  type FactRecord,
  type JsonObject,
  noUsage,
  type PermissionMode,
  parseCallInput,
  type RunResult,
  type Signal,
  type StopReason,
  type Usage,
} from "@kedge/protocol";
import { type ClaudeBlock, createClaudeStreamEvents, type StreamedMessage } from "./claude-stream-events.ts";

export type ClaudeLine = { readonly type: string; readonly [member: string]: unknown };

export type ClaudeSession = {
  readonly sessionId: string;
  readonly model: string;
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly tools: readonly string[];
  readonly version: string;
  /** A new UUID each time; records have one of their own. */
  readonly newUuid: () => string;
  /** Whether answers are also told piece by piece, as `stream_event`. */
  readonly withPartial?: boolean;
};

export interface ClaudeLines {
  init(): ClaudeLine;
  /** The lines that are due with this record. */
  add(record: FactRecord): readonly ClaudeLine[];
  result(result: RunResult): ClaudeLine;
  /** The lines of a piece of an answer; absent where nobody wants them. */
  readonly partial?: ((delta: Signal) => readonly ClaudeLine[]) | undefined;
}

const claude = dialects.claude;

export function createClaudeLines(session: ClaudeSession): ClaudeLines {
  const { sessionId, newUuid } = session;
  const models = new Map<string, string>();
  /** Inputs of calls by their id, for those that are refused. */
  const inputs = new Map<string, JsonObject>();
  /** A call may end while the answer that asks for it still arrives; its result follows that answer. */
  let waiting: ClaudeLine[] = [];
  let arrivingStep: string | undefined;
  let modelMs = 0;

  const framed = (uuid: string, line: ClaudeLine): ClaudeLine => ({ ...line, session_id: sessionId, uuid });

  const streamed = session.withPartial === true ? createClaudeStreamEvents() : undefined;
  const eventLines = (events: readonly object[]) =>
    events.map((event) => framed(newUuid(), { type: "stream_event", event, parent_tool_use_id: null }));

  const messageOf = (stepId: string, told: StreamedMessage) =>
    messageWith(stepId, modelIdOf(models.get(stepId) ?? session.model), told);

  function answerLines(fact: FactOf<"step.ended">, uuid: string): readonly ClaudeLine[] {
    modelMs += fact.durationMs;
    for (const block of fact.content)
      if (block.type === "tool-call") inputs.set(block.callId, inputOf(block.tool, block.inputText));
    const told = {
      content: fact.content.flatMap(blockOf),
      stop_reason: stopReasonOf(fact.stopReason),
      usage: usageOf(fact.usage),
    };
    const line = framed(uuid, {
      type: "assistant",
      parent_tool_use_id: null,
      message: messageOf(fact.stepId, told),
      ...(fact.outcome === "interrupted" && { aborted: true }),
    });
    return [...eventLines(streamed?.end(told) ?? []), line];
  }

  function resultLine(fact: FactOf<"tool.ended">, uuid: string): ClaudeLine {
    const content = { type: "tool_result", tool_use_id: fact.callId, content: fact.output };
    const isError = fact.outcome !== "completed";
    return framed(uuid, {
      type: "user",
      parent_tool_use_id: null,
      message: { role: "user", content: [isError ? { ...content, is_error: true } : content] },
    });
  }

  return {
    partial: streamed && ((delta) => eventLines(streamed.add(delta))),
    init: () =>
      framed(newUuid(), {
        type: "system",
        subtype: "init",
        apiKeySource: "none",
        claude_code_version: session.version,
        cwd: session.cwd,
        tools: session.tools.map(toolName),
        mcp_servers: [],
        model: modelIdOf(session.model),
        permissionMode: claude.modes[session.mode] ?? session.mode,
        slash_commands: [],
        output_style: "default",
        skills: [],
        plugins: [],
      }),
    add({ fact, hash }) {
      const uuid = uuidOf(hash);
      switch (fact.type) {
        case "step.started":
          arrivingStep = fact.stepId;
          models.set(fact.stepId, fact.model);
          if (streamed === undefined) return [];
          return eventLines(
            streamed.start(messageOf(fact.stepId, { content: [], stop_reason: null, usage: usageOf(noUsage) })),
          );
        case "step.ended": {
          const lines = [...answerLines(fact, uuid), ...waiting];
          waiting = [];
          arrivingStep = undefined;
          return lines;
        }
        case "tool.ended": {
          // The model asked for the outer call alone.
          if (fact.parentCallId !== undefined) return [];
          const line = resultLine(fact, uuid);
          if (fact.stepId !== arrivingStep) return [line];
          waiting.push(line);
          return [];
        }
        case "context.compacted":
          return [
            framed(uuid, {
              type: "system",
              subtype: "compact_boundary",
              compact_metadata: {
                trigger: fact.trigger === "manual" ? "manual" : "auto",
                pre_tokens: fact.tokensBefore,
                post_tokens: fact.tokensAfter,
              },
            }),
          ];
        default:
          return [];
      }
    },
    result(result) {
      const isGood = result.reason === "completed";
      const errors = result.failure === undefined ? [] : [result.failure.message];
      return framed(newUuid(), {
        type: "result",
        subtype: subtypeOf(result),
        is_error: !isGood,
        duration_ms: result.durationMs,
        duration_api_ms: modelMs,
        num_turns: result.turns,
        stop_reason: stopReasonOf(result.stopReason),
        total_cost_usd: result.cost.usd,
        usage: usageOf(result.usage),
        modelUsage: Object.fromEntries(
          Object.entries(result.usageByModel).map(([ref, usage]) => [
            modelIdOf(ref),
            modelUsageOf(usage, Object.keys(result.usageByModel).length === 1 ? result.cost.usd : 0),
          ]),
        ),
        permission_denials: result.denials.map(({ callId, tool }) => ({
          tool_name: toolName(tool),
          tool_use_id: callId,
          tool_input: inputs.get(callId) ?? {},
        })),
        ...(isGood ? { result: result.text } : { errors }),
        ...(result.structured !== undefined && { structured_output: result.structured }),
      });
    },
  };
}

function messageWith(id: string, model: string, told: StreamedMessage): object {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    ...told,
    stop_sequence: null,
    stop_details: null,
    container: null,
    context_management: null,
    diagnostics: null,
  };
}

function blockOf(block: AssistantBlock): readonly ClaudeBlock[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text, citations: null }];
    case "reasoning":
      return [{ type: "thinking", thinking: block.text, signature: "" }];
    case "tool-call": {
      const input = inputOf(block.tool, block.inputText);
      return [{ type: "tool_use", id: block.callId, name: toolName(block.tool), input }];
    }
    case "vendor":
      return [];
  }
}

function toolName(tool: string): string {
  return claude.tools[tool] ?? tool;
}

/** With the names that the fields have there; an input that is no object shows none. */
function inputOf(tool: string, inputText: string): JsonObject {
  const input = parseCallInput(inputText) ?? {};
  const names = claude.fields[tool] ?? {};
  return Object.fromEntries(Object.entries(input).map(([field, value]) => [names[field] ?? field, value]));
}

function modelIdOf(ref: string): string {
  return ref.slice(ref.indexOf("/") + 1);
}

function stopReasonOf(reason: StopReason | undefined): string | null {
  switch (reason) {
    case "end":
      return "end_turn";
    case "tool-calls":
      return "tool_use";
    case "output-limit":
      return "max_tokens";
    case "refused":
      return "refusal";
    case "paused":
      return "pause_turn";
    case "other":
    case undefined:
      return null;
  }
}

function subtypeOf({ reason, budget }: RunResult): string {
  switch (reason) {
    case "completed":
      return "success";
    case "error_max_turns":
    case "error_max_structured_output_retries":
      return reason;
    case "error_max_budget":
      return budget === "usd" ? "error_max_budget_usd" : "error_during_execution";
    case "error_during_execution":
    case "aborted":
    case "stopped_by_hook":
      return "error_during_execution";
  }
}

/** With every member that its clients may count on; what other vendors do not tell has no value. */
function usageOf(usage: Usage): object {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens_details: { thinking_tokens: usage.reasoning },
    server_tool_use: { web_search_requests: usage.webSearches ?? 0, web_fetch_requests: 0 },
    service_tier: "standard",
    speed: "standard",
    inference_geo: "",
    iterations: [],
    fallback_credit: null,
  };
}

/** What each of several models cost is not kept apart, so only a single one shows it; the total is with the result. */
function modelUsageOf(usage: Usage, costUsd: number): object {
  return {
    inputTokens: usage.input,
    outputTokens: usage.output,
    cacheReadInputTokens: usage.cacheRead,
    cacheCreationInputTokens: usage.cacheWrite,
    webSearchRequests: usage.webSearches ?? 0,
    costUSD: costUsd,
    contextWindow: 0,
    maxOutputTokens: 0,
  };
}

/** The same record has the same id in every run of the program. */
function uuidOf(hash: string): string {
  const digits = hash.slice(0, 32).padEnd(32, "0");
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}
