/** Translates what happens in a session, fact by fact and signal by signal, into updates for the editor. */
import type { ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk";
import {
  compactionText,
  type Event,
  type Fact,
  type FactOf,
  messageIdOf,
  type Signal,
  type Todo,
} from "@kedge/protocol";
import { type CallView, fenced, type KnownCall, outputContent, viewCall, viewEnd } from "./call-view.ts";
import { createTextFilter, type TextFilter } from "./text-filter.ts";

export interface SessionUpdates {
  /** In the order in which they are to be sent. */
  of(event: Event): readonly SessionUpdate[];
  /** A call that was announced and has not ended. */
  call(callId: string): CallView | undefined;
}

export type SessionUpdatesParts = {
  readonly cwd: string;
  readonly capabilities: ClientCapabilities;
  /** Tells a person what the editor has no place for. */
  readonly onNotice: (sentence: string) => void;
};

/** What a running command has written is shown by its end; all of it comes with the result. */
const progressCharactersMax = 8_192;

type OpenCall = KnownCall & { view?: CallView; inputText: string; progress: string };

type Spoken = { readonly admissions: TextFilter; seen: string };

type OpenStep = { readonly stepId: string; readonly text: Spoken; readonly reasoning: Spoken };

export function createSessionUpdates({ cwd, capabilities, onNotice }: SessionUpdatesParts): SessionUpdates {
  const calls = new Map<string, OpenCall>();
  /** Calls that only read run before the answer with them is finished, and may end before it. */
  const endedEarly = new Set<string>();
  let step = openStep("");

  function stepOf(stepId: string): OpenStep {
    if (step.stepId !== stepId) step = openStep(stepId);
    return step;
  }

  function said(kind: "text" | "reasoning", stepId: string, text: string): readonly SessionUpdate[] {
    const spoken = stepOf(stepId)[kind];
    spoken.seen += text;
    const shown = spoken.admissions.add(text);
    if (shown === "") return [];
    const sessionUpdate = kind === "text" ? "agent_message_chunk" : "agent_thought_chunk";
    return [{ sessionUpdate, content: { type: "text", text: shown }, messageId: messageIdOf(stepId) }];
  }

  /** Signals may be lost; the finished answer has what they would have said. */
  function finished(fact: FactOf<"step.ended">): readonly SessionUpdate[] {
    const { stepId, content } = fact;
    const rest = (kind: "text" | "reasoning") => {
      const whole = content.map((block) => (block.type === kind ? block.text : "")).join("");
      const { seen } = stepOf(stepId)[kind];
      return whole.startsWith(seen) ? said(kind, stepId, whole.slice(seen.length)) : [];
    };
    const described = content.flatMap((block) =>
      block.type === "tool-call" && block.incomplete !== true && !endedEarly.has(block.callId) ? describe(block) : [],
    );
    return [...rest("reasoning"), ...rest("text"), ...described];
  }

  /** Once for each call, as soon as its whole input is known. */
  function describe({ callId, tool, inputText }: KnownCall): readonly SessionUpdate[] {
    const known = calls.get(callId);
    if (known?.view !== undefined) return [];
    const view = viewCall({ callId, tool, inputText }, cwd);
    calls.set(callId, { callId, tool, inputText, view, progress: "" });
    if (known !== undefined) return [{ sessionUpdate: "tool_call_update", ...view }];
    return [{ sessionUpdate: "tool_call", ...view, status: "pending" }];
  }

  function announced({ callId, tool, text }: Extract<Signal, { type: "tool.input.delta" }>): readonly SessionUpdate[] {
    const known = calls.get(callId);
    if (known !== undefined) {
      known.inputText += text;
      return [];
    }
    calls.set(callId, { callId, tool, inputText: text, progress: "" });
    const { kind, name } = viewCall({ callId, tool, inputText: "" }, cwd);
    return [{ sessionUpdate: "tool_call", toolCallId: callId, title: tool, name, kind, status: "pending" }];
  }

  function progressed({ callId, text }: Extract<Signal, { type: "tool.progress" }>): readonly SessionUpdate[] {
    const call = calls.get(callId);
    if (call === undefined) return [];
    call.progress = (call.progress + text).slice(-progressCharactersMax);
    return [{ sessionUpdate: "tool_call_update", toolCallId: callId, content: outputContent(call.progress) }];
  }

  function ended(fact: FactOf<"tool.ended">): readonly SessionUpdate[] {
    const { callId, tool } = fact;
    const described = describe({ callId, tool, inputText: "" });
    const locations = calls.get(callId)?.view?.locations ?? [];
    calls.delete(callId);
    endedEarly.add(callId);
    const end = viewEnd(fact, { cwd, locations });
    return [...described, { sessionUpdate: "tool_call_update", toolCallId: callId, ...end }];
  }

  /** Calls that were announced and never ran, because the answer broke off. */
  function abandoned(): readonly SessionUpdate[] {
    const open = [...calls.keys()];
    calls.clear();
    return open.map((toolCallId) => ({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" }));
  }

  function notice(severity: "info" | "warning", title: string): readonly SessionUpdate[] {
    if (capabilities.session?.notices != null) return [{ sessionUpdate: "notice", severity, title }];
    onNotice(title);
    return [];
  }

  function ofFact(fact: Fact): readonly SessionUpdate[] {
    switch (fact.type) {
      case "step.started":
        endedEarly.clear();
        return [];
      case "step.ended":
        return finished(fact);
      case "tool.started": {
        const inProgress = { toolCallId: fact.callId, status: "in_progress" } as const;
        return [...describe(fact), { sessionUpdate: "tool_call_update", ...inProgress }];
      }
      case "tool.ended":
        return ended(fact);
      case "todos.replaced":
        return [planUpdate(fact.todos)];
      case "command.ran":
        return [{ sessionUpdate: "agent_message_chunk", content: { type: "text", text: fenced(fact.text) } }];
      case "mode.changed":
        return [{ sessionUpdate: "current_mode_update", currentModeId: fact.mode }];
      case "session.updated":
        return fact.title === undefined ? [] : [{ sessionUpdate: "session_info_update", title: fact.title }];
      case "context.compacted":
        if (capabilities.session?.compaction != null) return [compactionUpdate(fact)];
        // Who asked for it is told by the answer.
        return fact.trigger === "manual" ? [] : notice("info", compactionText(fact));
      case "run.ended":
        return abandoned();
      default:
        return [];
    }
  }

  function ofSignal(signal: Signal): readonly SessionUpdate[] {
    switch (signal.type) {
      case "text.delta":
        return said("text", signal.stepId, signal.text);
      case "reasoning.delta":
        return said("reasoning", signal.stepId, signal.text);
      case "tool.input.delta":
        return announced(signal);
      case "tool.progress":
        return progressed(signal);
      case "notice":
        return notice("info", signal.text);
      case "step.retrying":
        return notice("warning", `${signal.failure.message} Attempt ${signal.attempt} failed; it is tried again.`);
      case "run.unrecorded":
        return abandoned();
      case "budget.crossing":
        return notice("warning", `${signal.percent} % of the limit of ${signal.limit} is used.`);
      case "step.stalling":
        return [];
    }
  }

  return {
    of: (event) => (event.kind === "fact" ? ofFact(event.record.fact) : ofSignal(event.signal)),
    call(callId) {
      const known = calls.get(callId);
      return known === undefined ? undefined : (known.view ?? viewCall(known, cwd));
    },
  };
}

function openStep(stepId: string): OpenStep {
  const spoken = (): Spoken => ({ admissions: createTextFilter(), seen: "" });
  return { stepId, text: spoken(), reasoning: spoken() };
}

/** The protocol knows no entry that was given up, so those are left out. */
export function planUpdate(todos: readonly Todo[]): SessionUpdate {
  const entries = todos.flatMap(({ content, status, priority }) =>
    status === "cancelled" ? [] : [{ content, status, priority }],
  );
  return { sessionUpdate: "plan", entries };
}

function compactionUpdate({ compactionId, shortSummary }: FactOf<"context.compacted">): SessionUpdate {
  const summary = [{ type: "text", text: shortSummary } as const];
  return { sessionUpdate: "compaction_update", compactionId, status: "completed", summary };
}
