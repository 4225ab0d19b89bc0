/** A headless run as lines that clients of the Claude Agent SDK read: `system`, `assistant`, `user` and `result`. */
import {
  type FactOf,
  type FactRecord,
  type JsonObject,
  noUsage,
  type PermissionMode,
  type RunResult,
  type Signal,
} from "@kedge/protocol";
import { resultLine } from "./claude-result-line.ts";
import { createClaudeStreamEvents, type StreamedMessage } from "./claude-stream-events.ts";
import { blockOf, claude, inputOf, modelIdOf, stopReasonOf, toolName, usageOf } from "./claude-words.ts";

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

  function toolResultLine(fact: FactOf<"tool.ended">, uuid: string): ClaudeLine {
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
          const line = toolResultLine(fact, uuid);
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
    result: (result) => framed(newUuid(), resultLine(result, { modelMs, inputs })),
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
